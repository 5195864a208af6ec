/** The completion script in a real bash, with the ids that the real daemon knows. */
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { SIGNALBOX } from '../harness/process.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'

/** Splits the line as readline does, then does what Tab does. */
const TAB = `source <(signalbox completion bash)
COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=() word=
for ((i = 0; i < COMP_POINT; i++)); do
  c=\${COMP_LINE:i:1}
  case $c in
    ' ') [[ $word ]] && COMP_WORDS+=("$word"); word= ;;
    [:=]) [[ $word ]] && COMP_WORDS+=("$word"); COMP_WORDS+=("$c"); word= ;;
    *) word+=$c ;;
  esac
done
[[ $word || $COMP_LINE == *' ' ]] && COMP_WORDS+=("$word")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
complete -p signalbox >/dev/null && _signalbox && printf '%s\\n' "\${COMPREPLY[@]}"`

let home: TempHome
let daemon: RunningDaemon
beforeAll(async () => {
  home = await tempHome()
  const config = `${QUIET_CONFIG}[[providers.mine.models.curated]]\nid = "org/big:free"\n[[providers.mine.models.curated]]\nid = "org/big:paid"\n`
  daemon = await startDaemon({ home, config })
})
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
})

async function tab(line: string, at: TempHome = home): Promise<readonly string[]> {
  const env = { PATH: `${dirname(SIGNALBOX)}:${process.env.PATH}` }
  const { code, stdout, stderr } = await runCli(at, ['--norc', '-c', TAB, 'bash', line], { program: 'bash', env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trimEnd().split('\n').sort()
}

describe('signalbox completion bash', () => {
  it.each([
    ['signalbox mod', ['models']],
    ['signalbox daemon st', ['start', 'status', 'stop']],
    ['signalbox models mine', ['mine']],
    ['signalbox models -o j', ['json', 'jsonl']],
    ['signalbox models --output=jsonl', ['jsonl']],
    ['signalbox explain mine/org/b', ['mine/org/big:free', 'mine/org/big:paid']],
    ['signalbox explain mine/org/big:f', ['free']],
    ['signalbox models --source conf', ['config']],
  ])('completes "%s"', async (line, wanted) => {
    expect(await tab(line)).toEqual(wanted)
  })

  it('completes commands without a daemon, and starts none', async () => {
    await using fresh = await tempHome()
    expect(await tab('signalbox expl', fresh)).toEqual(['explain'])
    expect(await tab('signalbox models min', fresh)).toEqual([''])
    expect((await runCli(fresh, ['daemon', 'status'])).code).toBe(3)
  })
})
