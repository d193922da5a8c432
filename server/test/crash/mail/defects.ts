// Defects in mail given to a copy of the sources on purpose, each with the faults that bring it to light.
import { noDovecot } from '../../dovecot.ts'
import { type CatchOptions, catchDefects, type DefectOf } from '../defects.ts'
import { type MailFault, runMailScenario } from './scenario.ts'

const mails = 'server/src/modules/mail/mails'
const inbound = 'server/src/modules/mail/inbound'
const mailboxes = 'server/src/modules/mail/mailboxes'

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
  {
    name: 'a mail is answered before it is stored',
    breaks: /was acknowledged \d+ times, and is lost/,
    edits: [
      {
        file: `${inbound}/smtp_door.ts`,
        find: '    const { taken } = await storeOrKeep(services, prepared, one =>\n      db.inTenant(scope, tx => storeMail(tx, scope, one, { keyring, nowMs: clock.now() })),\n    )\n',
        replace:
          '    const store = () => db.inTenant(scope, tx => storeMail(tx, scope, prepared, { keyring, nowMs: clock.now() }))\n    setTimeout(() => void store().catch(() => {}), 1_000)\n    if (true as boolean) continue\n    const { taken } = await storeOrKeep(services, prepared, store)\n',
      },
    ],
    faults: [{ kind: 'die_at', role: 'worker', point: 'arrival.kept', passes: 6 }],
  },
  {
    name: 'a mail that is sent again is another one',
    breaks: /the mail \w+ is there [2-9] times: /,
    edits: [
      {
        file: `${inbound}/intake.ts`,
        find: "from: mail.from?.address ?? '', body }",
        replace: "from: mail.from?.address ?? '', body: Buffer.from(newId('inm')) }",
      },
    ],
    faults: [{ kind: 'die_at', role: 'worker', point: 'arrival.committed', passes: 3 }],
  },
  ...ofMailboxes(),
]

/** Those of mailboxes, where there is an IMAP server to read one of. */
function ofMailboxes(): DefectOf<MailFault>[] {
  if (noDovecot !== false) return []
  return [
    {
      name: 'a mailbox counts as read before its mails are stored',
      breaks: /lay in the mailbox, and is lost/,
      edits: [
        {
          file: `${mailboxes}/reading.ts`,
          find: "  crashPoint('fetch.kept')\n",
          replace:
            "  await look.reading.services.db.inTenant(look.reading.scope, tx => moveCursor(tx, look.reading.scope, { id: look.row.id, token: look.reading.token }, { uidValidity: look.cursor.uidValidity, lastUid }))\n  crashPoint('fetch.kept')\n",
        },
      ],
      faults: [{ kind: 'die_at', role: 'worker', point: 'fetch.kept', passes: 1 }],
    },
  ]
}

/** A defect shows soon, or the time until it would have to is over. */
const restLimitMs = 10_000

/** Runs the defects of mails; the names of those that were not caught. */
export const catchMailDefects = (options: Omit<CatchOptions<MailFault>, 'defects' | 'run'>) =>
  catchDefects({
    ...options,
    defects: mailDefects,
    run: ({ tree, seed, faults, damage }) => runMailScenario({ tree, seed, faults, damage, restLimitMs }),
  })
