// Defects in mail given to a copy of the sources on purpose, each with the faults that bring it to light.
import { type CatchOptions, catchDefects, type DefectOf } from '../defects.ts'
import { type MailFault, runMailScenario } from './scenario.ts'

const mails = 'server/src/modules/mail/mails'

export const mailDefects: readonly DefectOf<MailFault>[] = [
  {
    name: 'what a dead worker had in hand is sent again',
    breaks: /was submitted \d+ times/,
    edits: [
      {
        file: `${mails}/decide.ts`,
        find: "if (row.state === 'sending' && row.transport !== 'outbox')",
        replace: "if (row.state === 'sending' && row.transport === 'nothing')",
      },
    ],
    faults: [{ kind: 'die_at', role: 'worker', point: 'mail.sent', passes: 10 }],
  },
  {
    name: 'a mail that is begun leaves the queue',
    breaks: /has not come to its end/,
    edits: [
      {
        file: `${mails}/sending.ts`,
        find: "  if (beginning.kind === 'send')\n",
        replace:
          "  if (beginning.kind === 'send') await removeJob(tx, scope, row.id)\n  if (beginning.kind === 'send')\n",
      },
    ],
    faults: [{ kind: 'die_at', role: 'worker', point: 'mail.claimed', passes: 3 }],
  },
]

/** A defect shows soon, or the time until it would have to is over. */
const restLimitMs = 10_000

/** Runs the defects of mails; the names of those that were not caught. */
export const catchMailDefects = (options: Omit<CatchOptions<MailFault>, 'defects' | 'run'>) =>
  catchDefects({
    ...options,
    defects: mailDefects,
    run: ({ tree, seed, faults, damage }) => runMailScenario({ tree, seed, faults, damage, restLimitMs }),
  })
