/** Put in by the build. */
export const VERSION = process.env.SIGNALBOX_VERSION ?? 'dev'
