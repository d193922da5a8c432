// Requests of who has proved nothing (RFC 3261 §26.3.2.4): one answer each, without a transaction, and of each source no more than a
// budget, so that whoever forges sources gets little out of us, for others or in our memory.
import { createHmac } from 'node:crypto'
import type { MessageCore } from '../core.ts'
import type { SipRequest, SipResponse } from '../message.ts'
import { createResponse } from '../replies.ts'
import type { SipFlow } from '../transport/types.ts'
import type { SipAgentOptions, SipReply } from './types.ts'

export type Strangers = {
  /** Whether the request was dealt with: answered, or passed over as one too many. */
  answered(request: SipRequest, core: MessageCore, flow: SipFlow): boolean
}

export type StrangersOptions = Pick<SipAgentOptions, 'screen' | 'strangers' | 'product'> & {
  /** Seals To tags; any 16 random octets. */
  key: Buffer
  now(): number
  /** Whether the request is of a transaction or a call that there is. */
  isKnown(request: SipRequest, core: MessageCore): boolean
  /** What the agent answers by itself to a request outside of calls. */
  usual(request: SipRequest): SipReply
  send(response: SipResponse, flow: SipFlow): void
}

/** Of so many sources is counted what they were answered; the one that was quiet longest gives way. */
const mostSources = 10_000

export function createStrangers(options: StrangersOptions): Strangers {
  const { key, now, isKnown, send } = options
  const budgets = new Map<string, { left: number; atMs: number }>()

  /** One more answer to a source: a bucket that fills again. */
  function mayAnswer({ remote: { address } }: SipFlow): boolean {
    const { strangers } = options
    if (strangers === undefined || strangers.isExempt?.(address) === true) return true
    // Of IPv6 a customer has a whole network.
    const source = address.includes(':') ? address.split(':').slice(0, 4).join(':') : address
    const { perSecond, burst } = strangers
    const nowMs = now()
    const { left, atMs } = budgets.get(source) ?? { left: burst, atMs: nowMs }
    const filled = Math.min(burst, left + ((nowMs - atMs) / 1_000) * perSecond)
    budgets.delete(source)
    budgets.set(source, { left: filled >= 1 ? filled - 1 : filled, atMs: nowMs })
    if (budgets.size > mostSources) budgets.delete(budgets.keys().next().value as string)
    return filled >= 1
  }

  /** §8.2.7: without a state the same tag for the same request, however often it comes. */
  function reply(request: SipRequest, core: MessageCore, flow: SipFlow, { status, ...parts }: SipReply): true {
    if (!mayAnswer(flow)) return true
    const { callId, fromTag = '', cseq } = core
    const toTag = createHmac('sha256', key).update(`${callId} ${fromTag} ${cseq.number}`).digest('hex').slice(0, 12)
    const headers = [...(parts.headers ?? []), { name: 'Server', value: options.product }]
    send(createResponse(request, status, { ...parts, toTag, headers }), flow)
    return true
  }

  return {
    answered(request, core, flow) {
      // An ACK has no answer, and means something to what is known only.
      if (request.method === 'ACK' || isKnown(request, core)) return false
      if (core.toTag !== undefined || request.method === 'CANCEL') return reply(request, core, flow, { status: 481 })
      const screened = options.screen?.(request, core, flow)
      if (screened === undefined) return false
      return reply(request, core, flow, screened === 'usual' ? options.usual(request) : screened)
    },
  }
}
