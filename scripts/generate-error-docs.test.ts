import { expect, it } from 'vitest'
import { currentErrorsPage, errorsPage } from './generate-error-docs.ts'

it('has a page of errors that is what the registry says (CAT-140)', () => {
  expect(currentErrorsPage()).toBe(errorsPage())
})
