// Answers by text and by mail, in conversations that are locked for them.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { parsePhone } from '../../kernel/values/phone.ts'
import { invalid, Problem } from '../../kernel/values/problem.ts'
import { type MailAnswer, writeAnswer } from '../mail/mails/index.ts'
import { acceptTextIn } from '../messaging/sms/index.ts'
import { noteAnswer } from './answering.ts'
import { mailKey, ofText } from './exchanges.ts'
import { namesOfUsers } from './people_store.ts'
import { replyOf } from './present_one.ts'
import { previewOf } from './rules.ts'
import { blankItem, type ShownItem } from './schemas.ts'
import type { ConversationRow } from './store.ts'
import { reachOf } from './thread.ts'

async function authorOf(tx: Tx, principal: Principal) {
  const names = await namesOfUsers(tx, principal, [principal.userId])
  return { userId: principal.userId, name: names.get(principal.userId) ?? principal.email }
}

/** @throws Problem as POST /v2/messages/sms answers it, `conversation_not_reachable` */
export async function answerByText(
  tx: Tx,
  principal: Principal,
  row: ConversationRow,
  { body, from, to }: { body: string; from: string | undefined; to: string | undefined },
  { services, nowMs }: { services: Pick<Services, 'db' | 'egress'>; nowMs: number },
): Promise<{ item: ShownItem; carrier: string }> {
  const { phones } = await reachOf(tx, principal, row)
  const known = (await replyOf(tx, principal, row)).text
  const { tenantId, mode, keyId, settings } = principal
  const recipient = to === undefined ? known?.to : (parsePhone(to, settings.defaultCountry ?? undefined) ?? to)
  if (recipient === undefined) throw new Problem('conversation_not_reachable')
  if (!phones.includes(recipient))
    throw invalid({ field: 'to', code: 'not_found', message: 'must be a number of the conversation' })
  const sender = from ?? known?.from
  if (sender == null)
    throw invalid({
      field: 'from',
      code: 'required',
      message: 'is needed: no text was exchanged yet whose number could be used',
    })
  const sending = { services, tenantId, mode, keyId, defaultCountry: settings.defaultCountry, nowMs }
  const message = await acceptTextIn(tx, { from: sender, to: recipient, body }, sending)
  const { id: messageId, from_address, to_address, created_at: at } = message
  const facts = { messageId, direction: 'outbound', from: from_address, to: to_address, body: message.body } as const
  await noteAnswer(tx, principal, row, ofText({ ...facts, createdAt: at }), nowMs)
  const item: ShownItem = {
    ...blankItem,
    itemId: messageId,
    kind: 'text',
    at,
    direction: 'outbound',
    author: await authorOf(tx, principal),
    from: from_address,
    to: to_address,
    body: message.body,
    status: message.status,
  }
  return { item, carrier: message.carrier }
}

type MailAsked = Pick<MailAnswer, 'text' | 'attachments'> & { subject?: string; to?: string; senderId?: string }

/** @throws Problem as POST /v2/mails answers it, `conversation_not_reachable` */
export async function answerByMail(
  tx: Tx,
  principal: Principal,
  row: ConversationRow,
  asked: MailAsked,
  { perDay, nowMs }: { perDay: number; nowMs: number },
): Promise<ShownItem> {
  const { mails } = await reachOf(tx, principal, row)
  const known = (await replyOf(tx, principal, row)).mail
  const to = asked.to === undefined ? known?.to : mailKey(asked.to)
  if (to === undefined) throw new Problem('conversation_not_reachable')
  if (asked.to !== undefined && !mails.includes(to) && to !== known?.to)
    throw invalid({ field: 'to', code: 'not_found', message: 'must be an address of the conversation' })
  const subject = asked.subject ?? known?.subject
  if (subject == null)
    throw invalid({ field: 'subject', code: 'required', message: 'is needed: there is no mail that is answered' })
  const mail = await writeAnswer(
    tx,
    principal,
    {
      to,
      subject,
      text: asked.text,
      senderId: asked.senderId,
      recordId: row.record_id,
      answersInboundId: known?.answersInboundId ?? null,
      attachments: asked.attachments,
    },
    { perDay, nowMs },
  )
  await noteAnswer(
    tx,
    principal,
    row,
    {
      itemId: mail.id,
      kind: 'mail',
      direction: 'outbound',
      at: mail.created_at,
      preview: previewOf(subject),
      effect: 'answers',
      address: { channel: 'mail', address: to },
      recordId: row.record_id,
      userId: principal.userId,
    },
    nowMs,
  )
  return {
    ...blankItem,
    itemId: mail.id,
    kind: 'mail',
    at: mail.created_at,
    direction: 'outbound',
    author: await authorOf(tx, principal),
    to,
    subject,
    body: asked.text,
    status: mail.state,
  }
}
