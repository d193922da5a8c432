// Writes a mail to be sent: in the transaction of what it is about, so that neither is there without the other.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { cleanEmail, isEmail } from '../../../kernel/values/email.ts'
import { newId, timeOfId } from '../../../kernel/values/ids.ts'
import { type FieldFault, invalid, Problem } from '../../../kernel/values/problem.ts'
import { type MailTemplate, type Stream, type TemplateData, wordsFor } from '../templates/index.ts'
import { comparedAddress, headerFaults, limits, type Recipient, type RecipientKind, validityMs } from './rules.ts'
import { presentMail } from './schemas.ts'
import { dayMs, rateLeft } from './sending_store.ts'
import { type Attachment, findMail, findMailByDedupeKey, insertMail } from './store.ts'

/** An address, or one with the name beside it. */
export type Addressee = string | { address: string; name?: string | null }
type Addressees = Addressee | readonly Addressee[]

export type QueuedMail<Data = TemplateData> = {
  template: MailTemplate<Data> | string
  to: Addressees
  data: Data
  /** That of the template when left out. */
  stream?: Stream
  /** A second mail with the same key is not written: the first one is answered. At most 200 characters. */
  dedupeKey?: string
  /** BCP 47: `de-AT`; the organization's words for it, else those for `de`, else those for all. */
  locale?: string
}

/** A mail with its words, ready to be written. */
export type ReadyMail = {
  words: { subject: string; text: string; html: string }
  stream: Stream
  recipients: readonly Recipient[]
  template?: string | null
  locale?: string | null
  code?: string | null
  senderId?: string | null
  from?: { address: string; name: string | null } | null
  replyTo?: string | null
  dedupeKey?: string | null
  /** The lead or contact on whose timeline it stands. */
  recordId?: string | null
  /** Message-IDs that it answers, the nearest last. */
  answers?: readonly string[]
  userId?: number | null
  /** ISO 8601. */
  scheduledAt?: string | null
  attachments?: readonly Attachment[]
}

/**
 * Makes sure that one more mail may leave on the day that it is due.
 * @param perDay how many an organization may send a day where its operator says nothing else
 * @throws Problem `mail_rate_reached`
 */
export async function requireRate(
  tx: Tx,
  principal: Principal,
  asked: { perDay: number; dueMs: number; nowMs: number },
): Promise<void> {
  if (principal.mode !== 'live' || (await rateLeft(tx, principal, asked)) > 0) return
  const { dueMs, nowMs } = asked
  const nextDayMs = dueMs - (dueMs % dayMs) + dayMs
  throw new Problem('mail_rate_reached', { headers: { 'retry-after': String(Math.ceil((nextDayMs - nowMs) / 1_000)) } })
}

/**
 * Writes a mail made of a template, with its event and job, in the caller's transaction; a worker sends it after the commit.
 * @throws Problem `validation_failed` for recipients that are no addresses, `mail_template_not_found`, `template_invalid`
 */
export async function queueMail<Data extends TemplateData>(
  tx: Tx,
  scope: Scope,
  { template, to, data, stream, dedupeKey, locale }: QueuedMail<Data>,
): Promise<{ mailId: string }> {
  const words = await wordsFor(tx, scope, { template: template as MailTemplate | string, data, locale })
  const { subject, text, html } = words
  return writeMail(tx, scope, {
    words: { subject, text, html },
    stream: stream ?? words.template?.stream ?? 'transactional',
    recipients: recipientsOf({ to }),
    template: words.key,
    locale: locale ?? null,
    code: words.isFallback ? 'template_invalid' : null,
    dedupeKey: dedupeKey ?? null,
  })
}

/** Somebody a mail is written to; the locale is BCP 47. */
export type Person = { email: string; name: string; locale: string | null }

/**
 * Writes the same mail to each of several people, in their own language; `name` in its words is theirs.
 * @param mail.dedupeKey nobody gets a second mail with the same key
 * @throws as `queueMail`
 */
export async function queueToEach<Data extends TemplateData>(
  tx: Tx,
  scope: Scope,
  people: readonly Person[],
  { template, data, dedupeKey }: { template: MailTemplate<Data & { name: string }>; data: Data; dedupeKey?: string },
): Promise<void> {
  for (const { email, name, locale } of people)
    await queueMail(tx, scope, {
      template,
      to: { address: email, name },
      data: { ...data, name },
      ...(locale === null ? {} : { locale }),
      ...(dedupeKey === undefined ? {} : { dedupeKey: `${dedupeKey} ${email}`.slice(0, 200) }),
    })
}

/** @throws Problem `validation_failed` */
export async function writeMail(tx: Tx, scope: Scope, mail: ReadyMail): Promise<{ mailId: string }> {
  const { words, stream, recipients, scheduledAt = null, dedupeKey = null } = mail
  const { from = null, replyTo = null } = mail
  refuseUnsafe(mail)
  const id = newId('mail')
  const nowMs = timeOfId(id)
  const dueMs = scheduledAt === null ? nowMs : Date.parse(scheduledAt)
  const isNew = await insertMail(tx, scope, {
    id,
    stream,
    template: mail.template ?? null,
    locale: mail.locale ?? null,
    code: mail.code ?? null,
    sender_id: mail.senderId ?? null,
    from_address: from?.address ?? null,
    from_name: from?.name ?? null,
    reply_to: replyTo,
    // What came with the words, such as the template itself, is no column.
    subject: words.subject,
    text: words.text,
    html: words.html,
    dedupe_key: dedupeKey,
    record_id: mail.recordId ?? null,
    answers: mail.answers ?? [],
    user_id: mail.userId ?? null,
    scheduled_at: scheduledAt,
    expires_at: isoMs(dueMs + validityMs(stream)),
    created_at: isoMs(nowMs),
    recipients,
    attachments: mail.attachments ?? [],
  })
  if (!isNew) return { mailId: (await findMailByDedupeKey(tx, scope, dedupeKey!))!.id }
  const row = await findMail(tx, scope, id)
  await emit(tx, scope, { type: 'mail.queued', resourceId: id, sequence: 1, data: presentMail(row!) })
  return { mailId: id }
}

function refuseUnsafe({ words, from, replyTo, recipients, dedupeKey }: ReadyMail): void {
  const names = Object.fromEntries(recipients.map(({ name }, index) => [`to[${index}].name`, name]))
  const faults = headerFaults({ subject: words.subject, from: from?.name, replyTo, dedupeKey, ...names })
  if (words.subject.length > limits.subject)
    faults.push({ field: 'subject', code: 'too_long', message: `must have at most ${limits.subject} characters` })
  if (dedupeKey != null && dedupeKey.length > limits.dedupeKey)
    faults.push({ field: 'dedupeKey', code: 'too_long', message: `must have at most ${limits.dedupeKey} characters` })
  if (faults.length > 0) throw invalid(...faults)
  const bytes = Buffer.byteLength(words.text) + Buffer.byteLength(words.html)
  if (bytes > limits.bytes) throw new Problem('mail_too_large')
}

/**
 * Recipients in their order, each address once.
 * @throws Problem `validation_failed`
 */
export function recipientsOf(asked: Partial<Record<RecipientKind, Addressees>>): Recipient[] {
  const faults: FieldFault[] = []
  const known = new Map<string, Recipient>()
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    const given = asked[kind] ?? []
    const list = (Array.isArray(given) ? given : [given]) as readonly Addressee[]
    for (const [index, one] of list.entries()) {
      const { address, name = null } = typeof one === 'string' ? { address: one } : one
      const clean = cleanEmail(address)
      if (!isEmail(clean))
        faults.push({
          field: `${kind}[${index}]`,
          code: 'wrong_format',
          message: 'must be an e-mail address, such as ada@example.com',
        })
      const compared = comparedAddress(clean)
      if (!known.has(compared)) known.set(compared, { kind, address: clean, name })
    }
  }
  const recipients = [...known.values()]
  if (recipients.length === 0)
    faults.push({ field: 'to', code: 'too_few', message: 'must name at least one recipient' })
  if (recipients.length > limits.recipients)
    faults.push({ field: 'to', code: 'too_many', message: `must be at most ${limits.recipients} with cc and bcc` })
  if (faults.length > 0) throw invalid(...faults)
  return recipients
}
