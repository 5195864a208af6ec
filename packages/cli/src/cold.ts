/**
 * Everything that the one fast path (show a route's answer) does not need, loaded as one file: the bundler makes a
 * chunk for each set of modules that two `import()`s share, and every chunk more is a file more to open at start.
 */
export { authAdd, authList, authRemove, authTest } from './actions/auth.ts'
export { withoutQuotes } from './actions/auth-usage.ts'
export { complete } from './actions/complete.ts'
export { completion } from './actions/completion.ts'
export { configCheck, configPath } from './actions/config.ts'
export { daemonRun, daemonStart, daemonStatus, daemonStop } from './actions/daemon.ts'
export { help } from './actions/help.ts'
export { logs } from './actions/logs.ts'
export { refresh } from './actions/refresh.ts'
export { version } from './actions/version.ts'
export { reportError } from './report-error.ts'
export { startDaemon } from './start.ts'
