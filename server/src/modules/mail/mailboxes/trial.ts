// Tries a mailbox out: the conversation up to the folder, written down line by line.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { openImap, reasonOf } from './imap.ts'
import { type MailboxRow, type MailboxSettings, settingsOf } from './settings.ts'

type Line = { who: 'client' | 'server' | 'note'; text: string }
const maxLines = 200
const answerMs = 15_000

export async function tryOut(
  row: MailboxRow,
  { services, tenantId }: { services: Pick<Services, 'keyring' | 'egress'>; tenantId: number },
) {
  const trace: Line[] = []
  const note = (who: Line['who'], text: string) => {
    const shown = text
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 1_000)
    if (trace.length < maxLines) trace.push({ who, text: shown })
  }
  const done = (reason: string | null, mails: number | null = null) => ({ ok: reason === null, reason, mails, trace })
  let settings: MailboxSettings
  try {
    settings = settingsOf(row, services.keyring, tenantId)
  } catch {
    return done('The password cannot be read by this server: enter it again.')
  }
  try {
    const client = await openImap(settings, services, { trace: note, connectMs: 8_000 })
    // What is asked is answered with that then.
    const patience = setTimeout(() => client.close(), answerMs)
    try {
      const folder = await client.mailboxOpen(settings.folder, { readOnly: true })
      return done(null, folder.exists)
    } catch (error) {
      return done(`The folder ${settings.folder} cannot be opened: ${reasonOf(error, settings)}`)
    } finally {
      await client.logout().catch(() => client.close())
      clearTimeout(patience)
    }
  } catch (error) {
    return done((error as Error).message)
  }
}
