/** What the daemon must know to draw a table for this terminal. */
interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** https://no-color.org: set and not empty. `FORCE_COLOR=0` is how several tools spell "no". */
export function wantsColor(screen: Screen, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return screen.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** The `Signalbox-Terminal` header, or null when output goes to a file or a pipe. */
export function terminalHeader(screen: Screen, env: NodeJS.ProcessEnv): string | null {
  const parts: string[] = []
  if (screen.isTTY === true && screen.columns !== undefined && screen.columns > 0) parts.push(`width=${screen.columns}`)
  if (wantsColor(screen, env)) parts.push('color=1')
  return parts.length > 0 ? parts.join('; ') : null
}
