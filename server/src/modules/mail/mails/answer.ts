// A mail that somebody writes to a person in their conversation, in the transaction of what goes with it.
import type { Static } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { senders } from '../senders/index.ts'
import { htmlOfText, organizationName, pageOf } from '../templates/index.ts'
import { type Attachments, attachmentsIn } from './attached.ts'
import { recipientsOf, requireRate, writeMail } from './queue_mail.ts'
import type { MailRow } from './rules.ts'
import { findMail, messageIdsOf } from './store.ts'

export type MailAnswer = {
  to: string
  subject: string
  text: string
  senderId?: string | undefined
  /** The lead or contact that it is written to. */
  recordId: string | null
  /** The mail that came in and is answered, which the writer sees. */
  answersInboundId: string | null
  attachments?: Static<typeof Attachments> | undefined
}

/**
 * Queues the mail. Wake `mailQueue` after the commit.
 * @param perDay how many mails the organization may send a day
 * @throws Problem `mail_rate_reached`, `mail_too_large`, `validation_failed`
 */
export async function writeAnswer(
  tx: Tx,
  principal: Principal,
  { to, subject, text, senderId, recordId, answersInboundId, attachments: asked }: MailAnswer,
  { perDay, nowMs }: { perDay: number; nowMs: number },
): Promise<MailRow> {
  await requireRate(tx, principal, { perDay, dueMs: nowMs, nowMs })
  const sender = senderId === undefined ? undefined : await senders.find(tx, principal, senderId)
  if (senderId !== undefined && sender === undefined)
    throw invalid({ field: 'senderId', code: 'not_found', message: 'is no mail sender of this tenant' })
  const html = pageOf(htmlOfText(text), await organizationName(tx, principal))
  const attachments = attachmentsIn(asked, { html, text })
  const { mailId } = await writeMail(tx, principal, {
    words: { subject, text, html },
    stream: 'conversation',
    recipients: recipientsOf({ to }),
    senderId: sender?.id ?? null,
    from: sender === undefined ? null : { address: sender.address, name: sender.name },
    replyTo: sender?.reply_to ?? null,
    recordId,
    answers: answersInboundId === null ? [] : await messageIdsOf(tx, principal, answersInboundId),
    userId: principal.userId,
    attachments,
  })
  return (await findMail(tx, principal, mailId))!
}
