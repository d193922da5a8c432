// What mail adds to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports nothing
// but the kernel.
import { addRowKind } from '../../../kernel/noun/registry.ts'
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

/** Mails are theirs who had them sent. */
export const mailRows = { owner: 'user_id', unassigned: 'hidden', own: ['Sales Executive'] } as const
addRowKind({ many: 'mails', own: mailRows.own })

export const mail = declareNoun({
  permissions: {
    'mail:read': {
      allows:
        'List and read mails and how mail is set up; Sales Executives see the mails that they had sent. What opens something, such as a reset, takes the right to set mail up.',
      roles: everyone,
    },
    'mail:send': { allows: 'Send mails, take them back, and send them again.', roles: everyone },
    'mail:receive': {
      allows:
        'Hand in mail as it arrived: what people wrote, and bounces and complaints, which may stop further mail to an address.',
      roles: [],
    },
    'mail:manage': {
      allows: 'Set mail up: templates, senders, domains, transports and suppressions. Read mails that open something.',
      roles: [],
    },
    'mail:erase': { allows: 'Delete mails, and let suppressed recipients get mail again.', roles: [] },
  },
  events: {
    readWith: 'mail:read',
    types: {
      'mail.queued': 'A mail is to be sent.',
      'mail.sent': 'The next server took a mail on, or it is kept in the outbox.',
      'mail.delivered': 'A report says that a mail was delivered.',
      'mail.bounced': 'A report says that a mail could not be delivered.',
      'mail.complained': 'A recipient called a mail unwanted.',
      'mail.suppressed': 'A mail was not sent, for all its recipients are suppressed.',
      'mail.canceled': 'A mail was taken back before it was sent.',
      'mail.expired': 'A mail could not be sent while it was of use.',
      'mail.failed': 'A mail was refused for good.',
      'mail.unconfirmed': 'A mail was handed over, and the answer was lost. It is not repeated by itself.',
      'mail.unsubscribed': 'A recipient of a mail unsubscribed from mails like it.',
    },
  },
  problems: {
    mail_not_waiting: problem(
      409,
      'Mail does not wait',
      'Only a mail that waits can be taken back; this one is on its way, or its way has ended.',
      'Read its state with GET /v2/mails/{mailId}.',
    ),
    mail_not_repeatable: problem(
      409,
      'Mail cannot be repeated',
      'A mail that waits, is on its way or was sent is not sent again; nor is one whose words are not kept.',
      'Send a new mail, or ask for a new link where it held one.',
    ),
    mail_too_large: problem(
      422,
      'Mail too large',
      'With its attachments the mail has more than 10 MB, or more than the mail server takes.',
      'Send less in one mail, or a link to the file.',
    ),
    mail_suppressed: problem(
      422,
      'Recipients suppressed',
      'Every recipient of the mail is on the suppression list.',
      'See why with GET /v2/mail/suppressions?address=…, and take it away only when the recipient asked for that.',
    ),
    mail_rate_reached: problem(
      429,
      'Too many mails today',
      'The organization has sent as many mails as it may in a day.',
      'Wait until midnight UTC, or have the operator raise TANDEM_MAIL_PER_DAY.',
      true,
    ),
    mail_expired: problem(
      0,
      'Mail expired',
      'The mail could not be sent while it was of use: 30 minutes for security mails, otherwise 48 hours.',
      'See what its attempts said, correct the transport, and send it again.',
    ),
    mail_no_unsubscribe: problem(
      0,
      'No way to unsubscribe',
      'A marketing mail holds a link to unsubscribe with, and nobody said under which address this server is reached.',
      'Have the operator set TANDEM_PUBLIC_URL, then send the mail again.',
    ),
    mail_deferred: problem(
      0,
      'Mail deferred',
      'The next server cannot take the mail now (a reply 4yz, or no connection).',
      'Nothing: it is tried again after 1, 5 and 15 minutes, 1, 2, 4, 8 and 12 hours.',
      true,
    ),
    mail_refused: problem(
      0,
      'Mail refused',
      'The next server refused the mail for good (a reply 5yz).',
      'Its reply stands in the attempt: correct the address, the sender or the domain.',
    ),
    mail_bounced: problem(
      0,
      'Mail bounced',
      'A report says that the address takes no mail (5.x.x). It is on the suppression list now.',
      'Correct the address; where it was mended, take it off with DELETE /v2/mail/suppressions/{suppressionId}.',
    ),
    mail_bounced_for_now: problem(
      0,
      'Mail bounced for now',
      'A report says that the mail was given up, for a reason that may pass (4.x.x).',
      'Send it again later with POST /v2/mails/{mailId}/retry; five within 7 days put the address on the suppression list.',
    ),
    mail_complained: problem(
      0,
      'Recipient complained',
      'The recipient called the mail unwanted. The address is on the suppression list now.',
      'Send nothing more there unless its holder asks for it.',
    ),
    mail_unconfirmed: problem(
      0,
      'Mail unconfirmed',
      'The mail was handed over, and the connection ended before the answer.',
      'Ask the recipient whether it arrived; POST /v2/mails/{mailId}/retry sends it again with the same Message-ID.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mail: typeof mail
  }
}
