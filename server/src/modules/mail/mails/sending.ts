// One tenant's mails from the lease to the last answer: begun in one transaction, handed over, and what came of them written down.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit, type NewEvent } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import type { Given, Route, SendResult } from '../transports/index.ts'
import { compose } from './compose.ts'
import {
  beginningOf,
  conclusionOf,
  isForNow,
  isPartlySent,
  keptResult,
  openRecipients,
  type Suppressed,
} from './decide.ts'
import { type Departure, departures } from './departure.ts'
import { comparedAddress, eventTypes, isUrgent, type MailRow, nextMail } from './rules.ts'
import { presentMail } from './schemas.ts'
import {
  abandonAttempt,
  beginMails,
  type ClaimedMail,
  type Ended,
  endMails,
  findSuppressed,
  holdJobs,
  postponeJobs,
  takeRate,
} from './sending_store.ts'
import { type Attachment, countAttachments, listAttachments, lockMails, moveMail, removeJob } from './store.ts'

/** A mail that is to be handed over now, once. */
export type Outgoing = Departure & {
  row: MailRow
  /** How many there are: they are read when it is made. */
  attachments: number
  /** Who it goes to in this attempt. */
  to: readonly string[]
  suppressed: readonly string[]
}

type Tools = Pick<Services, 'db' | 'clock' | 'mail' | 'keyring' | 'log'>

/** Of one tenant, leased under one token. */
export type Batch = { scope: Scope; mode: 'live' | 'test'; token: string; ids: readonly string[] }

export function batchesOf(rows: readonly ClaimedMail[], token: string): Batch[] {
  return [...Map.groupBy(rows, row => row.tenant_id).values()].map(own => ({
    scope: { tenantId: own[0]!.tenant_id, organizationId: own[0]!.organization_id },
    mode: own[0]!.mode,
    token,
    ids: own.map(row => row.mail_id),
  }))
}

/** Decides about leased mails and marks those that are to be handed over. */
export function beginBatch(tools: Tools, { scope, mode, token, ids }: Batch): Promise<Outgoing[]> {
  return tools.db.inTenant(scope, async tx => {
    const nowMs = tools.clock.now()
    const rows = await lockMails(tx, scope, await holdJobs(tx, scope, token, ids))
    const addresses = rows.flatMap(row => row.recipients.map(one => comparedAddress(one.address)))
    const suppressions = await findSuppressed(tx, scope, [...new Set(addresses)])
    const leave = await departures(tx, scope, { tools, mode })
    const attached = await countAttachments(
      tx,
      scope,
      rows.map(({ id }) => id),
    )
    const outgoing: Outgoing[] = []
    for (const row of rows) {
      const sending = await begin(tx, scope, row, suppressions, nowMs)
      if (sending === undefined) continue
      const departure = leave(row)
      if (departure.kind === 'unusable') await end(tx, scope, row, { event: 'unusable', code: departure.code, nowMs })
      else outgoing.push({ ...departure, ...sending, attachments: attached.get(row.id) ?? 0 })
    }
    const allowed = await withinRate(tx, scope, { tools, token, outgoing, nowMs })
    await beginMails(tx, scope, allowed.map(begunOf), nowMs)
    return allowed.map(one => ({ ...one, row: { ...one.row, ...begunOf(one), state: 'sending' as const } }))
  })
}

const begunOf = ({ row, from, messageId, route }: Outgoing) => ({
  id: row.id,
  from_address: from.address,
  from_name: from.name,
  message_id: messageId,
  transport: route.key,
  attempts: row.attempts + 1,
})

/** Undefined where the mail is not to be sent; that is written down here. */
async function begin(tx: Tx, scope: Scope, row: MailRow, suppressions: readonly Suppressed[], nowMs: number) {
  const beginning = beginningOf(row, suppressions, nowMs)
  if (beginning.kind === 'send')
    return { row, suppressed: beginning.suppressed, to: openRecipients(row, beginning.suppressed) }
  if (beginning.kind === 'drop') await removeJob(tx, scope, row.id)
  else await end(tx, scope, row, { ...beginning, nowMs })
  return undefined
}

type Ending = {
  event: 'outlived' | 'all_suppressed' | 'answer_lost' | 'unusable'
  code: string
  nowMs: number
}

/** Ends a mail that is not handed over (again), with its event. */
async function end(tx: Tx, scope: Scope, row: MailRow, { event, code, nowMs }: Ending): Promise<void> {
  const state = nextMail(row.state, event)
  if (state !== undefined) {
    const moved = { ...row, state, code, version: row.version + 1, updated_at: isoMs(nowMs) }
    await moveMail(tx, scope, row.id, { state, code, nowMs })
    if (event === 'answer_lost') await abandonAttempt(tx, scope, row, nowMs)
    await emit(tx, scope, eventFor(moved))
  }
  await removeJob(tx, scope, row.id)
}

function eventFor(row: MailRow): NewEvent {
  const type = eventTypes[row.state as keyof typeof eventTypes]
  return { type, resourceId: row.id, sequence: row.version, data: presentMail(row) }
}

/** What may leave in this minute and day, urgent mails by themselves; the rest waits for the next minute. What stays in the outbox is not counted. */
async function withinRate(
  tx: Tx,
  scope: Scope,
  { tools, token, outgoing, nowMs }: { tools: Tools; token: string; outgoing: readonly Outgoing[]; nowMs: number },
): Promise<Outgoing[]> {
  const leaving = outgoing.filter(one => one.route.kind !== 'outbox')
  if (leaving.length === 0) return [...outgoing]
  const { perMinute, perDay } = tools.mail
  const late: Outgoing[] = []
  for (const urgent of [true, false]) {
    const some = leaving.filter(({ row }) => isUrgent(row) === urgent)
    const asked = { isUrgent: urgent, wanted: some.length, perMinute, perDay, nowMs }
    if (some.length > 0) late.push(...some.slice(await takeRate(tx, scope, asked)))
  }
  if (late.length > 0) {
    const dueAt = isoMs(nowMs - (nowMs % 60_000) + 60_000)
    await postponeJobs(tx, scope, { token, ids: late.map(one => one.row.id), dueAt })
  }
  return outgoing.filter(one => !late.includes(one))
}

export type Answered = { mail: Outgoing; result: SendResult; sizeBytes: number | null }

/** The mail as it travels, or why it is not handed over. Never rejects. */
async function makeMail(mail: Outgoing, { db, log }: Pick<Services, 'db' | 'log'>) {
  const { row, from, messageId, returnPath, replyTo, unsubscribeUrl, sign, scope } = mail
  const unmade = (outcome: 'refused' | 'deferred', code: string) => ({ result: { ...keptResult, outcome, code } })
  let attachments: readonly Attachment[] = []
  try {
    if (mail.attachments > 0) attachments = await db.inTenant(scope, tx => listAttachments(tx, scope, row.id))
    if (attachments.length !== mail.attachments) throw new Error('its attachments are not all there')
  } catch (error) {
    log.warn({ err: error, mailId: row.id }, 'attachments of a mail could not be read')
    return unmade('deferred', 'mail_deferred')
  }
  let raw: Buffer
  try {
    raw = await compose({ row, attachments, from, messageId, replyTo, unsubscribeUrl })
  } catch (error) {
    log.error({ err: error, mailId: row.id }, 'a mail could not be composed')
    return unmade('refused', 'internal_error')
  }
  try {
    raw = await sign(raw)
  } catch (error) {
    log.error({ err: error, mailId: row.id }, 'a mail could not be signed, and is not sent')
    return unmade('refused', 'mail_unsigned')
  }
  return { handover: { tenantId: scope.tenantId, envelopeId: row.id, from: returnPath, to: mail.to, raw } }
}

/** By what mails leave. What stays in the outbox is made as well, a few at a time. */
export type Ways = {
  send(route: Route, mail: Given): Promise<SendResult>
  keep<T>(work: () => Promise<T>): Promise<T>
}

/** Hands one mail over, or keeps it. Never throws: what cannot be composed is refused. */
export async function handOver(
  mail: Outgoing,
  services: Ways & Pick<Services, 'db' | 'log' | 'tracer'>,
): Promise<Answered> {
  const { row, route } = mail
  let sizeBytes: number | null = null
  const make = async () => {
    const made = await makeMail(mail, services)
    if ('handover' in made) sizeBytes = made.handover.raw.length
    return made
  }
  const span = services.tracer.begin('mails.send', {
    kind: 'consumer',
    of: row.id,
    attributes: { 'tandem.mail_id': row.id, 'tandem.attempt': row.attempts, 'tandem.transport': route.kind },
  })
  const kept = async () => {
    const made = await make()
    return 'result' in made ? made.result : keptResult
  }
  const result =
    route.kind === 'outbox' ? await services.keep(kept) : await services.send(route, { make, isUrgent: isUrgent(row) })
  span.set({ 'tandem.outcome': result.outcome })
  span.end()
  return { mail, result, sizeBytes }
}

/** Writes answers of one tenant down, with their events. */
export function endBatch(
  { db, clock }: Tools,
  { scope, token }: Pick<Batch, 'scope' | 'token'>,
  answers: readonly Answered[],
): Promise<void> {
  return db.inTenant(scope, async tx => {
    const nowMs = clock.now()
    const locked = await lockMails(
      tx,
      scope,
      answers.map(({ mail }) => mail.row.id),
    )
    const ended: Ended[] = []
    const events: NewEvent[] = []
    for (const { mail, result, sizeBytes } of answers) {
      const row = locked.find(one => one.id === mail.row.id)
      // A later attempt is under way, or it was deleted.
      if (row === undefined || row.attempts !== mail.row.attempts) continue
      const conclusion = conclusionOf(row, mail.route, result, nowMs)
      if (conclusion === undefined) continue
      const { state, code, hasLeft } = conclusion
      const isNews = state !== 'queued'
      const version = row.version + (isNews ? 1 : 0)
      const recipients = recipientsAfter(mail, result)
      ended.push({
        ...conclusion,
        id: row.id,
        version,
        sizeBytes,
        dueAt: conclusion.dueAtMs === null ? null : isoMs(conclusion.dueAtMs),
        attempt: { ...result, number: row.attempts, outcome: conclusion.outcome },
        recipients,
      })
      if (!isNews) continue
      const sentAt = hasLeft ? (row.sent_at ?? isoMs(nowMs)) : row.sent_at
      const known = row.recipients.map(one => ({ ...one, ...recipients.find(({ place }) => place === one.place) }))
      const fresh = {
        state,
        code,
        version,
        sent_at: sentAt,
        recipients: known,
        size_bytes: sizeBytes ?? row.size_bytes,
      }
      events.push(eventFor({ ...row, ...fresh, updated_at: isoMs(nowMs) }))
    }
    crashPoint('mail.known')
    await endMails(tx, scope, { token, ended, nowMs })
    await emit(tx, scope, ...events)
  })
}

/** What an attempt says of each recipient. */
function recipientsAfter({ row, to, suppressed }: Outgoing, result: SendResult): Ended['recipients'] {
  const isRest = result.outcome === 'refused' && isPartlySent(row)
  return row.recipients.flatMap(({ place, address }): Ended['recipients'][number][] => {
    if (suppressed.includes(address)) return [{ place, outcome: 'suppressed', code: 'mail_suppressed', reply: null }]
    const refusal = result.rejected.find(one => one.address === address)
    if (refusal !== undefined) {
      const { reply } = refusal
      // Such as by greylisting: this one is tried again.
      if (isForNow(refusal)) return [{ place, outcome: null, code: 'mail_deferred', reply }]
      return [{ place, outcome: 'rejected', code: 'mail_refused', reply }]
    }
    if (!to.includes(address)) return []
    if (isRest) return [{ place, outcome: 'rejected', code: result.code, reply: result.reply }]
    return result.outcome === 'accepted' ? [{ place, outcome: 'accepted', code: null, reply: null }] : []
  })
}
