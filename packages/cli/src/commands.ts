/** Every command. Parsing, help, completion and `docs/cli.md` are made from this table. */
import type { Argument, Command, Flag, Group } from './command.ts'

const provider: Argument = { name: 'provider', value: 'provider', required: false, description: 'Only this provider.' }
const theProvider: Argument = { name: 'provider', value: 'provider', required: true, description: 'The provider.' }
const keyName: Flag = {
  name: 'name',
  value: 'word',
  field: 'name',
  description: 'Which of several keys of the provider; `default` when not given.',
}
const source: Flag = {
  name: 'source',
  value: 'source',
  field: 'source_id',
  description: 'Only this source: config, models_dev, builtin, provider_live:<provider> or extension:<slug>.',
}
const records: Flag = {
  name: 'output',
  short: 'o',
  choices: ['table', 'json', 'jsonl'],
  default: 'table',
  description: 'A table for people, the daemon’s JSON byte for byte, or one JSON object per line.',
}
const oneObject: Flag = {
  name: 'output',
  short: 'o',
  choices: ['table', 'json'],
  default: 'table',
  description: 'A table for people, or the daemon’s JSON byte for byte.',
}
const logLines: Flag = {
  name: 'output',
  short: 'o',
  choices: ['text', 'json'],
  default: 'text',
  description: 'Text for people, or the log’s own JSON lines.',
}

const listFlags: readonly Flag[] = [
  {
    name: 'query',
    short: 'q',
    value: 'text',
    field: 'q',
    description: 'Only models with this in provider id, model id or display name, in any case.',
  },
  {
    name: 'available',
    choices: ['true', 'false', 'unknown'],
    field: 'available',
    description: 'Only models of this availability.',
  },
  source,
  { name: 'refresh', field: 'refresh', description: 'Refresh the same scope first, and wait for it.' },
  { name: 'include-stale', field: 'include_stale', description: 'Let stale rows supply fields too.' },
  { name: 'limit', value: 'limit', field: 'limit', description: 'At most so many, after sorting.' },
  records,
]

export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: 'help', short: 'h', description: 'Show help for the command.' },
  { name: 'version', description: 'Print the version.' },
  { name: 'no-start', description: 'Fail instead of starting the daemon when none runs.' },
  { name: 'home', value: 'directory', description: 'The home to use instead of SIGNALBOX_HOME or ~/.signalbox.' },
]

const offline: Flag = { name: 'offline', description: 'Make no connection to anybody until it is stopped.' }

export const GROUPS: readonly Group[] = [
  { path: ['provider'], summary: 'Look at providers' },
  { path: ['provider', 'models'], summary: 'List models, refresh their sources, see how the sources are doing' },
  { path: ['auth'], summary: 'See, store, remove or test the keys of providers' },
  { path: ['daemon'], summary: 'Run, start, stop or look at the daemon' },
  { path: ['config'], summary: 'Find, show or check the configuration' },
  { path: ['api'], summary: 'The HTTP API, for people and for programs' },
]

export const COMMANDS: readonly Command[] = [
  {
    path: ['models'],
    summary: 'List models, and which of them you can run',
    about: 'The same as `signalbox provider models list`.',
    action: 'show',
    route: '/api/providers{/provider}/models',
    arguments: [provider],
    flags: listFlags,
    examples: [
      { line: 'signalbox models', does: 'every model of every provider' },
      { line: 'signalbox models openai --available true', does: 'what you can run at OpenAI right now' },
      { line: 'signalbox models -q sonnet -o json', does: 'the same, for a script' },
    ],
  },
  {
    path: ['explain'],
    summary: 'Say where each fact about a model comes from',
    about: 'Everything after the first "/" is the model id, so ids that hold "/" and ":" work as they are.',
    action: 'explain',
    route: '/api/explain',
    arguments: [{ name: 'provider/model', value: 'model', required: true, description: 'The model.' }],
    flags: [oneObject],
    examples: [
      { line: 'signalbox explain openai/gpt-5.2', does: 'which source won, field by field' },
      { line: 'signalbox explain openrouter/google/gemma-4-26b-a4b-it:free', does: 'a model id with "/" and ":"' },
    ],
  },
  {
    path: ['provider', 'models', 'list'],
    summary: 'List models, and which of them you can run',
    action: 'show',
    route: '/api/providers{/provider}/models',
    arguments: [provider],
    flags: listFlags,
    examples: [
      { line: 'signalbox provider models list anthropic', does: 'one provider’s models' },
      {
        line: 'signalbox provider models list --source models_dev -o jsonl',
        does: 'one source’s models, one per line',
      },
    ],
  },
  {
    path: ['provider', 'models', 'refresh'],
    summary: 'Ask the sources again, now',
    about: 'Prints how each source fared. Exits 0 when one succeeded or nothing had to be asked, otherwise 1.',
    action: 'refresh',
    route: '/api/providers{/provider}/models/refresh',
    arguments: [provider],
    flags: [
      source,
      { name: 'force', field: 'force', description: 'Ask even sources that are still fresh.' },
      {
        name: 'request-id',
        value: 'request',
        field: 'request_id',
        description: 'The id that this refresh has in events and logs; made up when not given.',
      },
      { name: 'quiet', description: 'No progress on stderr.' },
      records,
    ],
    examples: [
      { line: 'signalbox provider models refresh', does: 'every source that is due' },
      { line: 'signalbox provider models refresh openai --force', does: 'one provider, due or not' },
    ],
  },
  {
    path: ['provider', 'models', 'status'],
    summary: 'Show how each source is doing',
    action: 'show',
    route: '/api/providers{/provider}/models/status',
    arguments: [provider],
    flags: [source, records],
    examples: [
      { line: 'signalbox provider models status', does: 'every source: last refresh, rows, last error' },
      { line: 'signalbox provider models status --source models_dev', does: 'one source' },
    ],
  },
  {
    path: ['auth', 'list'],
    summary: 'Show which credential each provider is used with',
    about: 'Where it is from, whether the provider took it, and what to do if not. Never shows a key.',
    action: 'auth-list',
    route: '/api/auth',
    arguments: [provider],
    flags: [{ name: 'all', field: 'all', description: 'Also providers that nothing is set for.' }, records],
    examples: [
      { line: 'signalbox auth list', does: 'the providers that something is set for' },
      { line: 'signalbox auth list openai', does: 'one provider, and every place that was looked at' },
    ],
  },
  {
    path: ['auth', 'add'],
    summary: 'Store a key for a provider',
    about: 'The key is asked for without showing it, or read from standard input; it is never an argument.',
    action: 'auth-add',
    route: '/api/auth{/provider}',
    arguments: [theProvider],
    flags: [keyName, oneObject],
    examples: [
      { line: 'signalbox auth add openai', does: 'asks for the key' },
      { line: 'pass show openai | signalbox auth add openai', does: 'from a password manager' },
    ],
  },
  {
    path: ['auth', 'remove'],
    summary: 'Remove a stored key',
    about: 'Exits 1 when none of that name was stored.',
    action: 'auth-remove',
    route: '/api/auth{/provider}/remove',
    arguments: [theProvider],
    flags: [keyName, oneObject],
    examples: [{ line: 'signalbox auth remove openai', does: 'the key that `auth add openai` stored' }],
  },
  {
    path: ['auth', 'test'],
    summary: 'Ask a provider now whether it takes the credential',
    about: 'Exits 0 when it does, otherwise 1.',
    action: 'auth-test',
    route: '/api/auth{/provider}/test',
    arguments: [theProvider],
    flags: [oneObject],
    examples: [{ line: 'signalbox auth test openai', does: 'asks for its list of models' }],
  },
  {
    path: ['daemon', 'run'],
    summary: 'Run the daemon in this terminal',
    action: 'daemon-run',
    arguments: [],
    flags: [
      logLines,
      offline,
      {
        name: 'background',
        hidden: true,
        description: 'Started by another command: say on file descriptor 3 when ready.',
      },
    ],
    examples: [{ line: 'signalbox daemon run', does: 'until Ctrl-C, with its log on the screen' }],
  },
  {
    path: ['daemon', 'start'],
    summary: 'Start the daemon in the background',
    about: 'Commands that need the daemon start it themselves; this is for scripts that want it up first.',
    action: 'daemon-start',
    arguments: [],
    flags: [oneObject, offline],
    examples: [{ line: 'signalbox daemon start', does: 'returns when it answers' }],
  },
  {
    path: ['daemon', 'stop'],
    summary: 'Stop the daemon',
    action: 'daemon-stop',
    route: '/api/daemon/stop',
    arguments: [],
    flags: [],
    examples: [{ line: 'signalbox daemon stop', does: 'returns when it is gone' }],
  },
  {
    path: ['daemon', 'status'],
    summary: 'Show whether the daemon runs, and where',
    about: 'Never starts it. Exits 3 when none runs.',
    action: 'daemon-status',
    route: '/api/daemon',
    arguments: [],
    flags: [oneObject],
    examples: [{ line: 'signalbox daemon status -o json', does: 'pid, socket, URL, token file for a script' }],
  },
  {
    path: ['config', 'path'],
    summary: 'Print where config.toml is, or would be',
    action: 'config-path',
    arguments: [],
    flags: [],
    examples: [{ line: '$EDITOR "$(signalbox config path)"', does: 'edit it' }],
  },
  {
    path: ['config', 'show'],
    summary: 'Show the configuration in force, defaults included',
    action: 'show',
    route: '/api/config',
    arguments: [],
    flags: [oneObject],
    examples: [{ line: 'signalbox config show', does: 'what the daemon runs with' }],
  },
  {
    path: ['config', 'check'],
    summary: 'Check config.toml and name each mistake by line',
    about: 'Exits 1 when the file has a mistake.',
    action: 'config-check',
    route: '/api/config/check',
    arguments: [],
    flags: [oneObject],
    examples: [{ line: 'signalbox config check', does: 'after an edit' }],
  },
  {
    path: ['api', 'page'],
    summary: 'Print the HTTP API as a page',
    action: 'show',
    route: '/api/docs',
    arguments: [],
    flags: [],
    examples: [{ line: 'signalbox api page', does: 'every route and shape, as HTML to keep' }],
  },
  {
    path: ['api', 'spec'],
    summary: 'Print the HTTP API as an OpenAPI 3.1 document',
    action: 'show',
    route: '/api/openapi.json',
    arguments: [],
    flags: [],
    examples: [{ line: 'signalbox api spec', does: 'for a client generator' }],
  },
  {
    path: ['logs'],
    summary: 'Read the daemon’s log',
    about: 'Reads the file itself: needs no daemon.',
    action: 'logs',
    arguments: [],
    flags: [
      { name: 'follow', short: 'f', description: 'Keep printing what is added.' },
      { name: 'lines', short: 'n', value: 'lines', default: '50', description: 'How many of the last lines.' },
      logLines,
    ],
    examples: [
      { line: 'signalbox logs -f', does: 'watch it work' },
      { line: 'signalbox logs -n 1000 -o json', does: 'the records themselves' },
    ],
  },
  {
    path: ['completion'],
    summary: 'Print a completion script for your shell',
    action: 'completion',
    arguments: [
      { name: 'shell', value: 'word', required: true, choices: ['bash', 'zsh', 'fish'], description: 'Your shell.' },
    ],
    flags: [],
    examples: [
      { line: 'source <(signalbox completion bash)', does: 'in ~/.bashrc' },
      { line: 'source <(signalbox completion zsh)', does: 'in ~/.zshrc, after compinit' },
      { line: 'signalbox completion fish | source', does: 'in ~/.config/fish/config.fish' },
    ],
  },
  {
    path: ['version'],
    summary: 'Print the version',
    action: 'version',
    arguments: [],
    flags: [],
    examples: [{ line: 'signalbox version', does: 'the same as --version' }],
  },
  {
    path: ['help'],
    summary: 'Show help for a command',
    action: 'help',
    arguments: [{ name: 'command', value: 'word', required: false, many: true, description: 'The command.' }],
    flags: [],
    examples: [{ line: 'signalbox help provider models refresh', does: 'the same as --help' }],
  },
  {
    path: ['__complete'],
    summary: 'Print what may come next, for completion scripts',
    action: 'complete',
    arguments: [
      {
        name: 'words',
        value: 'word',
        required: false,
        many: true,
        description: 'The words so far; the last is being typed.',
      },
    ],
    flags: [],
    examples: [],
    hidden: true,
  },
]

/** The front page of `--help`: titles and the commands or groups under them. */
export const FRONT_PAGE = [
  { title: 'Models', entries: ['models', 'explain', 'provider models refresh', 'provider models status', 'auth'] },
  { title: 'Daemon', entries: ['daemon', 'config', 'logs', 'api'] },
  { title: 'Shell', entries: ['completion', 'help', 'version'] },
] as const
