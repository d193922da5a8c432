// Mails of which the database refuses something, whatever it is: no crafted mail may stop a mailbox, or be offered again for ever. Their
// bytes are kept all the same, with a row in the tray that says so.
import { isRefusedRow } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type Prepared, unchecked } from './intake.ts'
import type { ReadMail } from './read_mime.ts'

const nothing: ReadMail = {
  isMail: true,
  messageId: null,
  answeredIds: [],
  from: null,
  hasOneSender: false,
  to: [],
  cc: [],
  subject: '(a mail that cannot be shown)',
  date: '',
  writtenAt: null,
  text: 'This mail holds something that cannot be stored. Its source is kept as it came.',
  html: null,
  isAutomatic: true,
  deliveredTo: [],
  authResults: [],
  attachments: [],
}

const bareOf = (prepared: Prepared): Prepared => ({
  ...prepared,
  mail: nothing,
  report: undefined,
  checked: unchecked,
})

/**
 * Stores a mail by `store`, a transaction of its own; what is refused again, by its bytes alone. `isBare` says that it was.
 * @throws what is not about the mail, and `isRefusedRow` where even its bytes are refused
 */
export async function storeOrKeep<T>(
  { log }: Pick<Services, 'log'>,
  prepared: Prepared,
  store: (one: Prepared) => Promise<T>,
): Promise<{ taken: T; isBare: boolean }> {
  // Twice as it is: another transaction may have come first.
  for (let tries = 1; ; tries++)
    try {
      return { taken: await store(prepared), isBare: false }
    } catch (error) {
      if (!isRefusedRow(error)) throw error
      if (tries < 2) continue
      log.warn({ key: prepared.stored?.key, err: error }, 'a mail that came in holds what the database refuses')
      return { taken: await store(bareOf(prepared)), isBare: true }
    }
}
