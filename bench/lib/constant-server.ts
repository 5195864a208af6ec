/** The baseline: a bare server that answers everything with the bytes it was given. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

process.once('message', (bytes: Uint8Array) => {
  const body = Buffer.from(bytes)
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(body.length),
    })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
