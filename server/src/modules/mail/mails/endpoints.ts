// Mails over HTTP: sending one, taking it back, sending it again. Reading them stands in read_endpoints.ts.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Email, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { requirePerson } from '../records/index.ts'
import { type SenderRow, senders } from '../senders/index.ts'
import { htmlOfText, organizationName, pageOf, wordsFor } from '../templates/index.ts'
import { Attachments, attachedBodyLimit, attachmentsIn } from './attached.ts'
import { recipientsOf, requireRate, writeMail } from './queue_mail.ts'
import { mailParams, readEndpoints, requireSeen } from './read_endpoints.ts'
import { limits, type MailRow, nextMail, retriable, validityMs } from './rules.ts'
import { Mail, presentMail, sampleMail } from './schemas.ts'
import { mailQueue } from './sending_store.ts'
import { findAnsweredMail, findMail, lockMail, moveMail, queueAgain, removeJob } from './store.ts'

const Recipient = Type.Object({
  address: Email,
  name: Type.Optional(Nullable(Type.String({ maxLength: 200, description: 'As it stands beside the address.' }))),
})
const recipients = (description: string) =>
  Type.Optional(Type.Array(Recipient, { maxItems: limits.recipients, description }))

const Body = Type.Object({
  to: Type.Array(Recipient, { minItems: 1, maxItems: limits.recipients, description: 'Who gets it.' }),
  cc: recipients('Who gets a copy that all see.'),
  bcc: recipients('Who gets a copy that nobody else sees.'),
  subject: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.subject, pattern: '\\S', description: 'Needed without a template.' }),
  ),
  text: Type.Optional(Type.String({ maxLength: 1_000_000, description: 'Needed without a template.' })),
  html: Type.Optional(
    Type.String({
      maxLength: 2_000_000,
      description: 'Made of the text when left out: paragraphs, and addresses as links.',
    }),
  ),
  template: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Key of a template, instead of subject, text and html.' }),
  ),
  data: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Any(), { description: 'Values for the template.' }),
  ),
  locale: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description: 'BCP 47: `de-AT`.' }),
  ),
  stream: Type.Optional(
    OneOf(['transactional', 'conversation', 'marketing'], {
      description:
        'Of what sort it is; transactional when left out. Marketing can be unsubscribed from with one click.',
    }),
  ),
  senderId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Who it is from; the sender of its sort when left out.' }),
  ),
  replyTo: Type.Optional(Nullable(Type.Unsafe<string>({ ...Email, description: 'Where answers go.' }))),
  recordId: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 60,
      description: 'The lead (`lead:17`) or contact (`con_…`) that it is written to: it stands on the timeline there.',
    }),
  ),
  answersInboundId: Type.Optional(
    Type.String({
      minLength: 5,
      maxLength: 60,
      description: 'The mail that came in and is answered, `inm_…`: mail programs show both as one conversation.',
    }),
  ),
  scheduledAt: Type.Optional(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'When it is sent; at most 30 days ahead. At once when left out.',
    }),
  ),
  dedupeKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.dedupeKey,
      description: 'A second mail with the same key is not sent, however much later: the first one is answered.',
    }),
  ),
  attachments: Type.Optional(Attachments),
})

const aheadMs = 30 * 24 * 3_600_000

/** What it says: its own words, or those of the template. @throws Problem */
async function wordsOf(tx: Tx, principal: Principal, body: Static<typeof Body>) {
  const { template, data = {}, locale, subject = '', text = '', html } = body
  if (template !== undefined) return wordsFor(tx, principal, { template, data, locale })
  const organization = await organizationName(tx, principal)
  return { subject, text, html: pageOf(html ?? htmlOfText(text), organization), key: null, isFallback: false }
}

async function senderNamed(tx: Tx, scope: Scope, id: string | undefined): Promise<SenderRow | undefined> {
  if (id === undefined) return undefined
  const sender = await senders.find(tx, scope, id)
  if (sender !== undefined) return sender
  throw invalid({ field: 'senderId', code: 'not_found', message: 'is no mail sender of this tenant' })
}

/** The record that it stands on, and the Message-IDs that it answers. @throws Problem `record_not_found`, `validation_failed` */
async function placeOf(tx: Tx, principal: Principal, { recordId, answersInboundId }: Static<typeof Body>) {
  if (recordId !== undefined) await requirePerson(tx, principal, recordId)
  if (answersInboundId === undefined) return { recordId: recordId ?? null, answers: [] }
  const answered = await findAnsweredMail(tx, principal, answersInboundId)
  if (answered === undefined)
    throw invalid({ field: 'answersInboundId', code: 'not_found', message: 'is no mail that came in and that you see' })
  const ids = [...answered.answers.toReversed(), answered.messageId].filter(id => id !== null)
  return { recordId: recordId ?? answered.recordId, answers: ids.slice(-20) }
}

const send = endpoint({
  id: 'mails.create',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mails',
  name: 'Send a mail',
  description:
    'Queues a mail, with words of its own or of a template. It is sent at once, or when scheduledAt says; in the test mode, and where nothing is set up to send by, it is kept in the outbox. Writes the event mail.queued; mail.sent, mail.failed and others follow.',
  permission: 'mail:send',
  status: 201,
  bodyLimit: attachedBodyLimit,
  logBody: 'never',
  body: Body,
  reply: Mail,
  envelope: 'data',
  problems: ['record_not_found', 'mail_template_not_found', 'template_invalid', 'mail_too_large', 'mail_rate_reached'],
  check({ body }) {
    const words = (['subject', 'text', 'html'] as const).filter(name => body[name] !== undefined)
    if (body.stream === 'marketing' && body.to.length + (body.cc?.length ?? 0) + (body.bcc?.length ?? 0) > 1)
      return [
        {
          field: 'to',
          code: 'too_many',
          message: 'must be one for a marketing mail, so that this one can unsubscribe',
        },
      ]
    const own = ['subject', 'text'].filter(name => body[name as 'text'] === undefined)
    if (body.template === undefined)
      return own.map(field => ({ field, code: 'required', message: 'is needed where no template is named' }))
    return words.map(field => ({ field, code: 'not_allowed', message: 'comes from the template; leave it out' }))
  },
  sample: {
    body: {
      to: [{ address: 'ada@example.com', name: 'Ada Park' }],
      subject: 'Your appointment on Monday',
      text: 'Dear Ada,\n\nsee you on Monday.',
    },
    reply: { ...sampleMail, state: 'queued', code: null, from: null, messageId: null, attempts: 0, sentAt: null },
  },
  async handle({ tx, principal, body, now, services, afterCommit }) {
    const dueMs = body.scheduledAt === undefined ? now : Date.parse(body.scheduledAt)
    if (dueMs > now + aheadMs)
      throw invalid({ field: 'scheduledAt', code: 'too_large', message: 'must be within the next 30 days' })
    await requireRate(tx, principal, { perDay: services.mail.perDay, dueMs: Math.max(dueMs, now), nowMs: now })
    const sender = await senderNamed(tx, principal, body.senderId)
    const place = await placeOf(tx, principal, body)
    const words = await wordsOf(tx, principal, body)
    const attachments = attachmentsIn(body.attachments, words)
    const { mailId } = await writeMail(tx, principal, {
      words: { subject: words.subject, text: words.text, html: words.html },
      stream: body.stream ?? 'transactional',
      recipients: recipientsOf(body),
      template: words.key,
      locale: body.locale ?? null,
      code: words.isFallback ? 'template_invalid' : null,
      senderId: sender?.id ?? null,
      from: sender === undefined ? null : { address: sender.address, name: sender.name },
      replyTo: body.replyTo ?? sender?.reply_to ?? null,
      dedupeKey: body.dedupeKey ?? null,
      ...place,
      userId: principal.userId,
      scheduledAt: dueMs > now ? isoMs(dueMs) : null,
      attachments,
    })
    services.tracer.remember(mailId)
    afterCommit(() => services.wake(mailQueue))
    return presentMail((await findMail(tx, principal, mailId))!)
  },
})

/** The mail as it stands now. */
async function shown(tx: Tx, scope: Scope, { id }: Pick<MailRow, 'id'>) {
  return presentMail((await findMail(tx, scope, id))!)
}

const cancel = endpoint({
  id: 'mails.cancel',
  rowKind: 'mails',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mails/{mailId}/cancel',
  name: 'Cancel a mail',
  description: 'Takes back a mail that waits: one that is scheduled, or was put off. Writes the event mail.canceled.',
  permission: 'mail:send',
  params: mailParams,
  reply: Mail,
  envelope: 'data',
  problems: ['not_found', 'mail_not_waiting'],
  sample: {
    params: { mailId: sampleMail.mailId },
    reply: { ...sampleMail, state: 'canceled', code: null, sentAt: null },
  },
  async handle({ tx, principal, params, now }) {
    const row = await requireSeen(tx, await lockMail(tx, principal, params.mailId), principal)
    const state = nextMail(row.state, 'canceled')
    if (state === undefined) throw new Problem('mail_not_waiting')
    await moveMail(tx, principal, row.id, { state, code: null, nowMs: now })
    await removeJob(tx, principal, row.id)
    const record = await shown(tx, principal, row)
    await emit(tx, principal, { type: 'mail.canceled', resourceId: row.id, sequence: row.version + 1, data: record })
    return record
  },
})

const retry = endpoint({
  id: 'mails.retry',
  rowKind: 'mails',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mails/{mailId}/retry',
  name: 'Send a mail again',
  description:
    'Sends a mail again that failed, expired, bounced, was canceled or suppressed, or whose answer was lost, to those who do not have it yet. It keeps its Message-ID, so that who got it before sees one mail. Writes the event mail.queued.',
  permission: 'mail:send',
  params: mailParams,
  reply: Mail,
  envelope: 'data',
  problems: ['not_found', 'mail_not_repeatable', 'mail_rate_reached'],
  sample: {
    params: { mailId: sampleMail.mailId },
    reply: { ...sampleMail, state: 'queued', code: null, sentAt: null },
  },
  async handle({ tx, principal, params, now, services, afterCommit }) {
    const row = await requireSeen(tx, await lockMail(tx, principal, params.mailId), principal)
    if (!retriable.includes(row.state) || (row.text === null && row.html === null))
      throw new Problem('mail_not_repeatable')
    await requireRate(tx, principal, { perDay: services.mail.perDay, dueMs: now, nowMs: now })
    await queueAgain(tx, principal, row, { expiresAt: isoMs(now + validityMs(row.stream)), nowMs: now })
    const record = await shown(tx, principal, row)
    await emit(tx, principal, { type: 'mail.queued', resourceId: row.id, sequence: row.version + 1, data: record })
    afterCommit(() => services.wake(mailQueue))
    return record
  },
})

export const endpoints = [...readEndpoints.slice(0, 1), send, ...readEndpoints.slice(1), cancel, retry]
