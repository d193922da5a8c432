// One attempt: the request that goes out, and what is kept of what came back.

import { sign } from '../../kernel/data/signature.ts'
import type { OutboundReply, OutboundRequest } from '../../kernel/outbound/outbound.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { isCallbackLane } from './delivery_id.ts'
import type { Item, Lane } from './lane.ts'
import { bodyOf, fixedHeaders, secondsOf } from './present.ts'
import { chanceOf, maxTries, type Outcome, parseRetryAfter, retryDelayMs, succeeded } from './rules.ts'
import type { Result } from './sender_store.ts'

const replyBytes = 4_096
const headerList = [...Object.entries(fixedHeaders).flat(), 'accept-encoding', 'identity']

/** The signed request of an attempt at `atMs`; undefined when it has no address that could be called. */
export function requestOf({ target }: Lane, item: Item, atMs: number): OutboundRequest | undefined {
  const { url = URL.parse(item.callback_url ?? ''), keys, mode, organizationId } = target!
  if (url === null) return undefined
  const body = Buffer.from(bodyOf({ ...item, event_type: item.type as string }, { mode, organizationId }))
  const timestamp = secondsOf(atMs)
  const signature = sign(keys, item.event_id, timestamp, body)
  const own = ['webhook-id', item.event_id, 'webhook-timestamp', String(timestamp), 'webhook-signature', signature]
  return { url, headers: [...headerList, ...own], body }
}

/** @param ms how long the attempt took */
export function outcomeOf(reply: OutboundReply, ms: number, nowMs: number): Outcome {
  if (!reply.ok) return { error: reply.error, ms }
  const header = reply.headers['retry-after']
  const retryAfterMs = parseRetryAfter(typeof header === 'string' ? header : undefined, nowMs)
  return { status: reply.status, retryAfterMs, ms }
}

/** What an attempt makes of its delivery. What said that it is gone is no end where the webhook has `moved` from there. */
export function resultOf(
  { lane }: Pick<Lane, 'lane'>,
  item: Item,
  attempt: { reply: OutboundReply; outcome: Outcome; atMs: number; nowMs: number; moved: boolean },
): Omit<Result, 'lane'> {
  const { reply, outcome, atMs, nowMs, moved } = attempt
  const tries = Math.min(item.job.tries + 1, maxTries)
  const isOver = succeeded(outcome) || outcome.status === 410
  const retryMs = () => retryDelayMs(tries, chanceOf(`${item.event_id} ${lane} ${tries}`), outcome.retryAfterMs)
  const delayMs = moved ? 0 : isOver ? undefined : retryMs()
  return {
    eventId: item.event_id,
    eventType: item.type as string,
    url: isCallbackLane(lane) ? item.callback_url : null,
    status: succeeded(outcome) ? 'delivered' : delayMs === undefined ? 'failed' : 'pending',
    tries,
    atMs,
    nextAtMs: delayMs === undefined ? null : nowMs + delayMs,
    httpStatus: outcome.status ?? null,
    error: outcome.error ?? null,
    entry: entryOf(reply, atMs, outcome.ms),
  }
}

/** An attempt as the log keeps it, a `LogEntry` in JSON; its milliseconds alone where it succeeded and there is no text. */
function entryOf(reply: OutboundReply, atMs: number, ms: number): string {
  const head = `{"at":"${isoMs(atMs)}","ms":${ms}`
  if (!reply.ok) return `${head},"error":"${reply.error}"}`
  const text = excerptOf(reply)
  if (text === undefined && succeeded(reply)) return String(ms)
  return `${head},"status":${reply.status}${text === undefined ? '' : `,"reply":${JSON.stringify(text)}`}}`
}

/** The beginning of a reply, when it is text. */
function excerptOf({ body, cut }: Extract<OutboundReply, { ok: true }>): string | undefined {
  if (body.length === 0 || cut === 'encoded') return undefined
  // The last character may be cut in two.
  const text = body.toString('utf8', 0, replyBytes).replace(/\ufffd$/, '')
  return /[\0\ufffd]/.test(text) ? undefined : text
}
