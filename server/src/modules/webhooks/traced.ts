// An attempt as a span, within the trace in which what the event is about was accepted.
import type { Tracer } from '../../kernel/observe/tracing.ts'
import type { OutboundReply } from '../../kernel/outbound/outbound.ts'
import { isCallbackLane } from './delivery_id.ts'
import type { Item, Lane } from './lane.ts'

/** Runs `send` within the span of the attempt. */
export async function traced(
  tracer: Tracer,
  { lane }: Pick<Lane, 'lane'>,
  { event_id, type, data, tries }: Pick<Item, 'event_id' | 'type' | 'data' | 'tries'>,
  send: () => Promise<OutboundReply>,
): Promise<OutboundReply> {
  if (!tracer.isOn) return send()
  const [, about] = /"(?:messageId|mailId|callId)":"(\w+)"/.exec(data) ?? []
  const span = tracer.begin('webhooks.deliver', {
    kind: 'consumer',
    of: about,
    attributes: {
      'tandem.event_id': event_id,
      'tandem.event_type': type ?? '',
      'tandem.target': isCallbackLane(lane) ? 'callback' : 'webhook',
      'tandem.attempt': tries + 1,
    },
  })
  const reply = await tracer.within(span, send)
  if (reply.ok) span.set({ 'http.response.status_code': reply.status })
  else span.fail(reply.error)
  span.end()
  return reply
}
