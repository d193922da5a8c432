// Deliveries: what was sent where, what came of each attempt, and sending again.
import { Type } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { cursorId, encodeCursor, type Page, v2PageQuery } from '../../kernel/endpoint/page.ts'
import { MomentInput, Nullable, OneOf } from '../../kernel/endpoint/schema.ts'
import { type FieldFault, Problem } from '../../kernel/values/problem.ts'
import { callbackTarget } from './delivery_id.ts'
import { type DeliveryFilter, type FoundDelivery, findDelivery, listDeliveries } from './delivery_store.ts'
import { presentDelivery, presentDetail } from './present.ts'
import { maxReplay, replayOne, replayRange, replayScopes } from './replay_store.ts'
import { deliveryStatuses } from './rules.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryParams,
  sampleDelivery,
  sampleDetail,
  sampleWebhook,
  WebhookParams,
} from './schemas.ts'
import { queueName } from './sender_store.ts'
import { findWebhook, type WebhookRow } from './store.ts'

const own = { version: 'v2', category: 'Organization' } as const

const ListQuery = Type.Object({
  status: Type.Optional(OneOf(deliveryStatuses, { description: 'Only those that are so far.' })),
  eventType: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_]+\\.(?:[a-z_]+|\\*)$',
      errorMessage: 'must be a type such as message.sent, or message.* for all of messages',
      description: 'A type, such as message.sent, or message.* for all of messages.',
    }),
  ),
  eventId: Type.Optional(
    Type.String({
      pattern: '^evt_[0-9a-hjkmnp-tv-z]{26}$',
      errorMessage: 'must be the id of an event, such as evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
      description: 'The delivery of one event.',
    }),
  ),
  resourceId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Deliveries of all events about one resource: the id of a message, a call, a lead.',
    }),
  ),
  createdAfter: Type.Optional(MomentInput),
  createdBefore: Type.Optional(MomentInput),
  ...v2PageQuery,
})

type ListInput = DeliveryFilter & { cursor?: string; limit?: number }

async function pageOf(tx: Tx, principal: Principal, webhook: WebhookRow | undefined, query: ListInput) {
  const { cursor, limit = 50, ...filter } = query
  const target = webhook?.id ?? callbackTarget
  const behindId = cursorId('evt', cursor, [target, filter])
  const { rows, reached } = await listDeliveries(tx, principal, target, filter, { limit, behindId })
  const goOnBehind = rows.length > limit ? rows[limit - 1]!.event_id : reached
  const items = rows.slice(0, limit).map(row => presentDelivery(row, webhook, principal))
  const nextCursor = goOnBehind === undefined ? null : encodeCursor([goOnBehind], [target, filter])
  return { items, limit, nextCursor } satisfies Page<unknown>
}

const onPages = 'With a type that matches little, a page may hold fewer than the limit while hasMore is true.'

export const listWebhookDeliveries = endpoint({
  ...own,
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  name: 'List deliveries of a webhook',
  description: `What was sent to a webhook in the last 30 days and what waits to be sent, the newest events first. ${onPages}`,
  permission: 'webhooks:read',
  params: WebhookParams,
  query: ListQuery,
  reply: Delivery,
  envelope: 'page',
  problems: ['not_found'],
  sample: {
    params: { webhookId: sampleWebhook.webhookId },
    query: { eventType: 'message.*' },
    reply: sampleDelivery,
  },
  async handle({ tx, principal, params, query }) {
    const webhook = await findWebhook(tx, principal, params.webhookId)
    if (webhook === undefined) throw new Problem('not_found')
    return pageOf(tx, principal, webhook, query)
  },
})

export const listCallbackDeliveries = endpoint({
  ...own,
  id: 'webhooks.callback_deliveries',
  method: 'GET',
  path: '/webhooks/callbacks/deliveries',
  name: 'List deliveries to callback URLs',
  description:
    'Events that were sent, or wait to be sent, to the callbackUrl of the message or call they are about, in the last 30 ' +
    `days, the newest first. ${onPages}`,
  permission: 'webhooks:read',
  query: ListQuery,
  reply: Delivery,
  envelope: 'page',
  sample: {
    query: { status: 'delivered' },
    reply: { ...sampleDelivery, webhookId: null, url: 'https://example.com/hooks/messages' },
  },
  handle: ({ tx, principal, query }) => pageOf(tx, principal, undefined, query),
})

type Found = { delivery: FoundDelivery; webhook: WebhookRow | undefined }

async function find(tx: Tx, principal: Principal, id: string): Promise<Found> {
  const delivery = await findDelivery(tx, principal, id)
  if (delivery === undefined) throw new Problem('not_found')
  if (delivery.target === callbackTarget) return { delivery, webhook: undefined }
  const webhook = await findWebhook(tx, principal, delivery.target)
  if (webhook === undefined) throw new Problem('not_found')
  return { delivery, webhook }
}

export const getDelivery = endpoint({
  ...own,
  id: 'webhooks.delivery',
  method: 'GET',
  path: '/webhooks/deliveries/{deliveryId}',
  name: 'Get a delivery',
  description: 'A delivery to a webhook or callbackUrl with every attempt, what was answered, and what is sent.',
  permission: 'webhooks:read',
  params: DeliveryParams,
  reply: DeliveryDetail,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { deliveryId: sampleDelivery.deliveryId }, reply: sampleDetail },
  async handle({ tx, principal, params }) {
    const { delivery, webhook } = await find(tx, principal, params.deliveryId)
    return presentDetail(delivery, webhook, principal)
  },
})

const ReplayBody = Type.Object(
  {
    deliveryId: Type.Optional(
      Type.String({
        pattern: '^dlv_[0-9a-hjkmnp-tv-z]{26}$',
        errorMessage: 'must be the id of a delivery, such as dlv_01k9r7d3w24b1f0c7e9d2a6835',
        description: 'One delivery, whatever became of it. Without it, name a time in from and to.',
      }),
    ),
    from: Type.Optional(MomentInput),
    to: Type.Optional(MomentInput),
    eventTypes: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Of that time only events of these types, such as message.sent or message.*.',
      }),
    ),
    scope: Type.Optional(
      OneOf(replayScopes, {
        description:
          'Of that time: failed ones, also those that wait for a later attempt; undelivered ones (when left out), which are those and events ' +
          'that were never sent because the webhook was disabled or not there yet; or all, also what was delivered.',
      }),
    ),
  },
  { minProperties: 1 },
)
type ReplayInput = {
  deliveryId?: string
  from?: string
  to?: string
  eventTypes?: string[]
  scope?: (typeof replayScopes)[number]
}

const ReplayReply = Type.Object({
  replayed: Type.Integer({
    description: 'How many deliveries were queued; those that are due already are not counted.',
  }),
  continueFrom: Nullable(
    Type.String({
      format: 'date-time',
      description: `A request replays at most ${maxReplay.toLocaleString('en-US')}, and looks at about half a million events: when there may be more, ask again with this as from.`,
    }),
  ),
})

const many = ['from', 'to', 'eventTypes', 'scope'] as const

function replayFaults({ body }: { body: ReplayInput }): FieldFault[] {
  if (body.deliveryId !== undefined) {
    return many
      .filter(field => body[field] !== undefined)
      .map(field => ({ field, code: 'not_allowed', message: 'cannot be sent together with deliveryId' }))
  }
  const message = 'is required when no deliveryId is sent'
  const missing = (['from', 'to'] as const).filter(field => body[field] === undefined)
  if (missing.length > 0) return missing.map(field => ({ field, code: 'required', message }))
  if (Date.parse(body.from!) >= Date.parse(body.to!))
    return [{ field: 'to', code: 'too_small', message: 'must be later than from' }]
  return []
}

async function replay(tx: Tx, principal: Principal, webhook: WebhookRow | undefined, body: ReplayInput, nowMs: number) {
  const target = webhook?.id ?? callbackTarget
  if (body.deliveryId === undefined) {
    const { from = '', to = '', scope = 'undelivered', eventTypes } = body
    const time = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    return replayRange(tx, principal, target, { ...time, scope, eventTypes, listensTo: webhook?.event_types ?? null })
  }
  const { delivery } = await find(tx, principal, body.deliveryId)
  if (delivery.target !== target) throw new Problem('not_found')
  const waits = delivery.status === 'pending' && (delivery.next_at === null || Date.parse(delivery.next_at) <= nowMs)
  if (!waits) await replayOne(tx, principal, delivery)
  return { replayed: waits ? 0 : 1, continueFrom: null }
}

const aboutReplays =
  'The event keeps its id, so receivers that know it can leave it; timestamp and signature are new, and it gets ten attempts ' +
  'again.'

export const replayDeliveries = endpoint({
  ...own,
  id: 'webhooks.replay',
  method: 'POST',
  path: '/webhooks/{webhookId}/replay',
  name: 'Replay events to a webhook',
  description: `Sends one delivery again, or the events of a time that this webhook hears of. ${aboutReplays}`,
  permission: 'webhooks:manage',
  params: WebhookParams,
  body: ReplayBody,
  reply: ReplayReply,
  envelope: 'data',
  check: replayFaults,
  problems: ['not_found', 'webhook_disabled'],
  sample: {
    params: { webhookId: sampleWebhook.webhookId },
    body: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', eventTypes: ['message.*'], scope: 'undelivered' },
    reply: { replayed: 128, continueFrom: null },
  },
  async handle({ tx, principal, params, body, now, services, afterCommit }) {
    const webhook = await findWebhook(tx, principal, params.webhookId)
    if (webhook === undefined) throw new Problem('not_found')
    if (!webhook.enabled) throw new Problem('webhook_disabled')
    const result = await replay(tx, principal, webhook, body, now)
    afterCommit(() => services.wake(queueName))
    return result
  },
})

export const replayCallbacks = endpoint({
  ...own,
  id: 'webhooks.replay_callbacks',
  method: 'POST',
  path: '/webhooks/callbacks/replay',
  name: 'Replay events to callback URLs',
  description: `Sends one delivery to a callbackUrl again, or those of a time. ${aboutReplays}`,
  permission: 'webhooks:manage',
  body: ReplayBody,
  reply: ReplayReply,
  envelope: 'data',
  check: replayFaults,
  problems: ['not_found'],
  sample: {
    body: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', scope: 'failed' },
    reply: { replayed: 3, continueFrom: null },
  },
  async handle({ tx, principal, body, now, services, afterCommit }) {
    const result = await replay(tx, principal, undefined, body, now)
    afterCommit(() => services.wake(queueName))
    return result
  },
})

export const deliveryEndpoints = [
  listWebhookDeliveries,
  listCallbackDeliveries,
  getDelivery,
  replayDeliveries,
  replayCallbacks,
]
