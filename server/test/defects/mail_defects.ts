// Defects of mail: what leaves without its signature, to somebody who is suppressed, or twice.
import type { Defect } from './defect.ts'

export const mailDefects: readonly Defect[] = [
  {
    name: 'a mail of a domain with a key has no DKIM header',
    kind: 'mail',
    edits: [
      { find: 'sign: async raw => (domain === undefined ? raw', replace: 'sign: async raw => (domain !== null ? raw' },
    ],
    tests: ['mails/signed.test'],
  },
  {
    name: 'the header of one-click unsubscribing is not signed',
    kind: 'mail',
    edits: [{ find: "  'List-Unsubscribe-Post',\n  'Auto-Submitted',", replace: "  'Auto-Submitted'," }],
    tests: ['mails/signed.test'],
  },
  {
    name: 'the suppression list is not asked',
    kind: 'mail',
    edits: [
      {
        find: 'suppressions.filter(entry => holdsFor(row.stream, entry)).map(entry => entry.address)',
        replace: 'suppressions.filter(() => false).map(entry => entry.address)',
      },
    ],
    tests: ['mails/smtp.test', 'portal/unsubscribe.test'],
  },
  {
    name: 'a mail whose answer was lost is tried again',
    kind: 'mail',
    edits: [
      {
        find: "{ ...none, ...parts, reply, outcome: 'unconfirmed', code: 'mail_unconfirmed' }",
        replace: "{ ...none, ...parts, reply, outcome: 'deferred', code: 'mail_deferred' }",
      },
    ],
    tests: ['mails/smtp.test'],
  },
  {
    name: 'a mail whose worker died is sent again',
    kind: 'mail',
    edits: [{ find: "if (row.state === 'sending' && row.transport !== 'outbox')", replace: 'if (nowMs < 0)' }],
    tests: ['mails/smtp.test'],
  },
  {
    name: 'a mail that comes again is another',
    kind: 'mail',
    edits: [
      { find: 'const identity = { messageId: mail.messageId,', replace: "const identity = { messageId: newId('inm')," },
    ],
    tests: ['inbound/inbound.test'],
  },
  {
    name: 'a sender who failed DMARC is matched by the address',
    kind: 'mail',
    edits: [
      { find: "if (check === 'unverified') return base", replace: "if (check === ('never' as string)) return base" },
    ],
    tests: ['inbound/inbound.test'],
  },
  {
    name: 'the cursor of a mailbox moves before its mails are stored',
    kind: 'mail',
    edits: [
      {
        find: "  crashPoint('fetch.kept')\n  const all =",
        replace:
          '  await look.reading.services.db.inTenant(look.reading.scope, tx => moveCursor(tx, look.reading.scope, { id: look.row.id, token: look.reading.token }, { uidValidity: look.cursor.uidValidity, lastUid }))\n  const all =',
      },
    ],
    tests: ['mailboxes/mailboxes.test'],
  },
]
