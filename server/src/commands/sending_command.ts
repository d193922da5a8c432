// Holds all that would leave the installation, and lets it go again.
import type { Waiting } from '../kernel/backup/backup_store.ts'
import { startFault } from '../kernel/values/start_fault.ts'
import { type Call, type Command, type ExitCode, readWords, usageFault } from './command.ts'

export const sending: Command = {
  name: 'sending',
  parameters: 'status|hold|release [options]',
  summary: 'whether anything leaves the installation; after a restore nothing does',
  help: () => `  tandem sending status     whether anything is held, and what waits
  tandem sending hold       nothing leaves any more: texts, mails, webhooks, calls; but mails that people
                            ask for from then on to log in, such as a reset of a password
  tandem sending release    it is sent as usual again

  --reason <text>           why it is held
  --waiting send            all that waits is sent
  --waiting expire          texts and mails from before the hold end as expired; the rest is sent
  --json                    print one JSON document

After a restore some of what waits may have been sent already, by the server that the backup is of. It works beside a
server that runs, and without one.

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  async run(call) {
    const { flags, verb } = read(call.args)
    const { loadConfig } = await import('../config/config.ts')
    const { withOwner } = await import('../operator.ts')
    const { engineOf } = await import('../kernel/boot/instance.ts')
    const { holdSending, readHold, releaseSending } = await import('../kernel/backup/backup_store.ts')
    const run = <T>(work: (engine: ReturnType<typeof engineOf>) => Promise<T>) =>
      withOwner(loadConfig(call.env), owner => work(engineOf(owner)))
    if (verb === 'status') {
      const { hold, waiting } = await run(readHold)
      return show(call, flags, { held: hold !== undefined, hold: hold ?? null, waiting }, [
        hold === undefined ? 'Everything is sent as usual.' : `Nothing is sent since ${hold.since}. ${hold.because}`,
        waitingText(waiting),
      ])
    }
    if (verb === 'hold') {
      await run(engine => holdSending(engine, flags.reason ?? 'Held by hand.'))
      return show(call, flags, { held: true }, ['Nothing is sent any more, until: tandem sending release'])
    }
    const { waiting: choice } = flags
    if (choice !== 'send' && choice !== 'expire')
      throw startFault(
        'say what becomes of what waits: --waiting send, or --waiting expire for texts and mails from before the hold. After a restore ' +
          'some of them may have been sent already by the server that the backup is of',
      )
    const released = await run(engine => releaseSending(engine, choice === 'expire'))
    return show(call, flags, { held: false, released }, [
      released ? 'Everything is sent as usual again.' : 'Nothing was held.',
    ])
  },
}

type Flags = { reason?: string; waiting?: string; json?: boolean }

function read(args: readonly string[]): { flags: Flags; verb: 'status' | 'hold' | 'release' } {
  const text = { type: 'string' } as const
  const { values, positionals } = readWords(args, { reason: text, waiting: text, json: { type: 'boolean' } })
  const [verb, ...more] = positionals
  if (more.length > 0 || (verb !== 'status' && verb !== 'hold' && verb !== 'release'))
    throw usageFault('sending takes status, hold or release.')
  return { flags: values, verb }
}

function show({ print }: Call, { json }: Flags, result: object, lines: readonly string[]): ExitCode {
  if (json === true) print(JSON.stringify(result))
  else for (const line of lines) print(line)
  return 0
}

export function waitingText(waiting: readonly Waiting[]): string {
  const words = { messages: 'texts', mails: 'mails', events: 'events for webhooks', calls: 'calls' }
  return `Waiting: ${waiting.map(({ kind, waiting: count }) => `${count} ${words[kind]}`).join(', ')}.`
}
