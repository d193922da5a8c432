// Asks a customer's address for instructions: one signed request, answered with a list, tried up to three times. Unlike events
// it is not stored and not sent again later: the caller waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackKeys, sign } from '../../../kernel/data/signature.ts'
import { apiVersion } from '../../../kernel/documents/sent_request.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { OutboundReply } from '../../../kernel/outbound/outbound.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { faultMessage } from '../../../kernel/values/problem.ts'
import { presentCall } from '../call_records/index.ts'
import type { Asked, AskReason } from '../control/index.ts'
import { type ListKind, readInstructions, readingContext } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { requestType } from './request.ts'

/** How long a caller waits for instructions: to connect, then for the answer; and between the tries, three in all. */
export const askLimits = { connectMs: 3_000, answerMs: 5_000, pausesMs: [250, 1_000] }

export type Asker = (
  held: HeldLeg,
  url: string,
  reason: AskReason,
  data: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<Asked>

/**
 * Asks by a request of the type `instructions.requested`, whose data is the call, why instructions are wanted and what belongs
 * to that. An attempt that cannot connect within 3 s is given up then; from then on there are 5 s to answer. It is signed like an event (Standard Webhooks), bears `expectsInstructions: true`, and is answered with
 * `{"instructions": […]}`, a bare list, or nothing. Only answers of 2xx count; others and silence are tried again twice, with
 * the same `webhook-id`.
 */
export function createAsker(
  { db, outbound, egress, clock, keyring }: Services,
  { connectMs, answerMs, pausesMs } = askLimits,
): Asker {
  return async (held, url, reason, data, signal) => {
    const { ref, call } = held
    const target = URL.parse(url)
    if (target === null) return { ok: false, why: 'the address is none' }
    const keys = await db.inTenant(ref, tx => callbackKeys(tx, ref, keyring))
    const { mode } = held
    const id = newId('evt', clock.now())
    const body = Buffer.from(
      JSON.stringify({
        id,
        type: requestType,
        timestamp: isoMs(clock.now()),
        apiVersion,
        livemode: mode === 'live',
        organizationId: ref.organizationId,
        expectsInstructions: true,
        data: { ...presentCall(call), state: held.isAnswered ? 'answered' : call.state, ...data, reason },
      }),
    )
    const kind: ListKind = reason === 'waiting' ? 'wait' : 'any'
    const context = { ...readingContext({ egress, mode, baseUrl: url }), kind }
    let failed: Extract<Asked, { ok: false }> = { ok: false, why: '' }
    for (let tries = 0; tries <= pausesMs.length; tries++) {
      if (tries > 0) await sleep(pausesMs[tries - 1], undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      const timestamp = Math.floor(clock.now() / 1_000)
      const reply = await outbound.send({
        url: target,
        headers: [
          'content-type',
          'application/json',
          'user-agent',
          'Tandem-Calls/1.0',
          'accept',
          'application/json',
          'webhook-id',
          id,
          'webhook-timestamp',
          String(timestamp),
          'webhook-signature',
          sign(keys, id, timestamp, body),
        ],
        body,
        timeoutMs: connectMs + answerMs,
        connectTimeoutMs: connectMs,
        answerTimeoutMs: answerMs,
        signal,
      })
      const read = readReply(reply, context)
      if (read.ok) return read
      failed = { ok: false, why: read.why, ...(read.code && { code: read.code }) }
      // What is understood and wrong stays wrong.
      if (read.isFinal) break
    }
    return failed
  }
}

type Read = Extract<Asked, { ok: true }> | (Extract<Asked, { ok: false }> & { isFinal: boolean })

function readReply(reply: OutboundReply, context: Parameters<typeof readInstructions>[1]): Read {
  if (!reply.ok) return { ok: false, why: reply.error, isFinal: reply.error === 'blocked_address' }
  const { status, body, cut } = reply
  if (status < 200 || status >= 300)
    return { ok: false, why: `answered ${status}`, isFinal: status >= 400 && status < 500 && status !== 429 }
  if (cut !== undefined) return { ok: false, why: `the answer was cut: ${cut}`, isFinal: cut === 'reply_too_large' }
  const text = body.toString('utf8').trim()
  if (status === 204 || text === '') return { ok: true, list: [] }
  const list = listOf(text)
  if (list === undefined) return { ok: false, why: 'the answer is not JSON', isFinal: true }
  if (Array.isArray(list) && list.length === 0) return { ok: true, list: [] }
  const read = readInstructions(list, context)
  return 'faults' in read
    ? {
        ok: false,
        code: 'invalid_instructions',
        why: `invalid_instructions: ${faultMessage(read.faults)}`,
        isFinal: true,
      }
    : { ok: true, list: read.instructions }
}

/** The list of an answer; an object without one says nothing. */
function listOf(text: string): unknown {
  try {
    // What PostgreSQL cannot store must not come in: it may be reported in an event.
    const parsed: unknown = JSON.parse(text, (key, value) => {
      if (key.includes('\0') || (typeof value === 'string' && value.includes('\0'))) throw new Error('holds a NUL')
      return value
    })
    if (typeof parsed !== 'object' || parsed === null) return undefined
    return Array.isArray(parsed) ? parsed : ((parsed as { instructions?: unknown }).instructions ?? [])
  } catch {
    return undefined
  }
}
