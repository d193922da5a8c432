// The commands, their options, and what `--help` says of them.
import type { ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

const common = {
  key: { type: 'string' },
  server: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options

export const commands = {
  listen: {
    options: {
      'forward-to': { type: 'string', short: 'f' },
      events: { type: 'string', short: 'e' },
      webhook: { type: 'string' },
      'skip-verify': { type: 'boolean' },
      ...common,
    },
  },
  trigger: { options: common },
} as const satisfies Record<string, { options: Options }>

export type CommandName = keyof typeof commands

const commonHelp = `  --key <key>           API key with the scope webhooks:manage; its mode decides which events
                        come. Default: the environment variable TANDEM_KEY
  --server <address>    Where Tandem runs. Default: TANDEM_URL, or http://127.0.0.1:3000
  --json                One JSON object a line, for programs
  -h, --help            This text
`

const exits = `Exit codes
  0  done, also by Ctrl-C     2  wrong arguments              4  Tandem does not answer
  1  anything else            3  key missing or refused
`

const texts: Record<CommandName | '', string> = {
  '': `tandem: webhooks on your own machine

Usage
  tandem listen --forward-to http://localhost:4242/hooks
  tandem trigger message.delivered

Commands
  listen     Forward webhooks to a server on this machine
  trigger    Make an event happen, with test data

tandem <command> --help says more.
`,
  listen: `tandem listen: forward webhooks to a server on this machine

Each event is posted to your server with the headers and the body that a webhook would have been
sent, signature included. What your server answers is shown here and on the page Webhooks of the
portal, where you can send any of them again. Ctrl-C ends it.

Usage
  tandem listen --forward-to http://localhost:4242/hooks
  tandem listen -f 4242/hooks -e 'message.*,call.completed'

Options
  -f, --forward-to <address>
                        Your server. Left out of it: http:// and localhost
  -e, --events <types>  Only these, with commas between: message.*,call.completed. Default: all
  --webhook <whk_…>     Sign with the secret of this webhook and hear of what it hears of. It goes on
                        receiving events itself. Default: a secret of its own, printed at the start
  --skip-verify         Take any certificate of an https server on this machine
${commonHelp}
${exits}`,
  trigger: `tandem trigger: make an event happen

What causes the event is done for real, with test data: a text is sent, a call made, a lead created.
So the event is one like any other, and those before it come too. It takes a test key.

Usage
  tandem trigger message.delivered
  tandem trigger                   which events it can make

Options
${commonHelp}
${exits}`,
}

/** What to print about a command, or about all of them. */
export function help(name = ''): string {
  return texts[name in commands ? (name as CommandName) : '']
}
