// A mail as it travels: MIME of its words and attachments (RFC 5322, RFC 2045). Nothing is read from files or addresses, and no text of
// a mail becomes a header of its own.
import MailComposer from 'nodemailer/lib/mail-composer'
import { headerFaults, type MailRow, type RecipientRow } from './rules.ts'
import type { Attachment } from './store.ts'

export type Composition = {
  row: MailRow
  attachments: readonly Attachment[]
  from: { address: string; name: string | null }
  messageId: string
  /** Where answers go, where not to the sender. */
  replyTo: string | null
  /** An https address that takes the recipient off the list by one POST (RFC 8058 §3). */
  unsubscribeUrl?: string | undefined
}

const mailbox = ({ address, name }: { address: string; name: string | null }) => ({ address, name: name ?? '' })

/** @throws Error where a header would be more than one line */
export async function compose({
  row,
  attachments,
  from,
  messageId,
  replyTo,
  unsubscribeUrl,
}: Composition): Promise<Buffer> {
  const of = (kind: RecipientRow['kind']) => row.recipients.filter(one => one.kind === kind).map(mailbox)
  const names = Object.fromEntries(row.recipients.map(({ name, place }) => [`name ${place}`, name]))
  const [fault] = headerFaults({
    subject: row.subject,
    from: from.name,
    replyTo,
    messageId,
    answers: row.answers.join(' '),
    ...names,
  })
  if (fault !== undefined) throw new Error(`${fault.field} ${fault.message}`)
  const composer = new MailComposer({
    from: mailbox(from),
    to: of('to'),
    cc: of('cc'),
    ...(replyTo !== null && { replyTo: { address: replyTo, name: '' } }),
    subject: row.subject,
    date: new Date(row.created_at),
    messageId: `<${messageId}>`,
    // RFC 5322 §3.6.4.
    ...(row.answers.length > 0 && {
      inReplyTo: `<${row.answers.at(-1)}>`,
      references: row.answers.map(id => `<${id}>`),
    }),
    ...(row.text !== null && { text: row.text }),
    ...(row.html !== null && { html: row.html }),
    attachments: attachments.map(({ fileName, mediaType, content }) => ({
      filename: fileName,
      contentType: mediaType,
      content,
      contentDisposition: 'attachment',
    })),
    headers: {
      // RFC 3834 §5: machines do not answer it.
      ...(row.stream !== 'conversation' && { 'Auto-Submitted': 'auto-generated' }),
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // The same mail has the same bytes each time.
    baseBoundary: row.id,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
