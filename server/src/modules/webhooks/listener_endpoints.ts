// Listeners: programs such as `tandem listen` that take deliveries over a stream, hand them to a server on a developer's
// machine, and report what it answered.
import { Type } from 'typebox'
import { emit } from '../../kernel/data/events.ts'
import { newSecret } from '../../kernel/data/signature.ts'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../kernel/endpoint/page.ts'
import { requireRecord } from '../../kernel/endpoint/record.ts'
import { emitChange } from '../../kernel/endpoint/record_event.ts'
import { OneOf } from '../../kernel/endpoint/schema.ts'
import { resource } from '../../kernel/resource/resource.ts'
import { newId } from '../../kernel/values/ids.ts'
import { invalid, Problem } from '../../kernel/values/problem.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { eventTypesInput, typeFaults } from './event_filter.ts'
import { presentForwarded, presentListener } from './listener_present.ts'
import {
  Forwarded,
  forwardTo,
  Listener,
  ListenerMessage,
  ListenerParams,
  listenerName,
  NewListener,
  ReportBody,
  sampleForwarded,
  sampleListener,
  sampleNewListener,
  webhookToUse,
} from './listener_schemas.ts'
import {
  countListeners,
  forwardAgain,
  insertListener,
  type ListenerRow,
  listenerRows,
  listForwarded,
  storeResults,
} from './listener_store.ts'
import { openListenerStream } from './listener_stream.ts'
import { deliveryStatuses } from './rules.ts'
import { sealSecret } from './signing.ts'
import { findWebhook } from './store.ts'

const maxOpen = 20

const own = resource<ListenerRow, typeof Listener>({
  names: ['webhook_listener', 'webhook_listeners'],
  id: ['listenerId', 'lsn'],
  category: 'Organization',
  path: '/webhooks/listeners',
  permissions: { read: 'webhooks:read', manage: 'webhooks:manage' },
  rows: listenerRows,
  versioned: false,
  reply: Listener,
  sample: sampleListener,
  present: (rows, { principal }) => rows.map(row => presentListener(row, principal)),
})

const create = own.create({
  description:
    'Begins to keep events of this mode for a program that has no public address, as `tandem listen` does. It takes them over the ' +
    'stream of the listener, hands them to its own server and reports the answers. Name a webhook to have them signed by its secret; ' +
    'otherwise the listener has one of its own, shown in this answer only. Without a connection for ten minutes it ends. At most ' +
    `${maxOpen} are open in a mode.`,
  body: Type.Object({
    forwardTo,
    name: Type.Optional(listenerName),
    eventTypes: Type.Optional(eventTypesInput),
    webhookId: webhookToUse,
  }),
  reply: NewListener,
  secretReply: true,
  problems: ['webhook_listener_limit_reached'],
  check: ({ eventTypes }) => typeFaults(eventTypes),
  sample: {
    body: {
      forwardTo: sampleListener.forwardTo,
      name: sampleListener.name,
      eventTypes: sampleListener.eventTypes,
    },
    reply: sampleNewListener,
  },
  async handle({ forwardTo, name = null, eventTypes = null, webhookId = null }, { tx, principal, services }) {
    if ((await countListeners(tx, principal)) >= maxOpen) throw new Problem('webhook_listener_limit_reached')
    if (webhookId !== null && (await findWebhook(tx, principal, webhookId)) === undefined)
      throw invalid({ field: 'webhookId', code: 'not_found', message: 'is no webhook of this mode' })
    const id = newId('lsn')
    const secret = webhookId === null ? newSecret() : null
    const sealedSecret = secret && sealSecret(services.keyring, principal.tenantId, id, secret)
    await insertListener(tx, principal, { id, name, forwardTo, eventTypes, webhookId, sealedSecret })
    return { row: requireRecord(await listenerRows.find(tx, principal, id)), more: { secret } }
  },
})

const list = own.list({
  description: 'The listeners of this mode that are open, or ended in the last seven days, newest first.',
  filters: {
    open: Type.Optional(Type.Boolean({ description: 'Only open ones (true), or only those that ended (false).' })),
  },
  sample: { open: true },
})

const get = own.get({ description: 'A listener, whether it is connected, and how many events wait for it.' })

const shared = { version: 'v2', category: 'Organization', params: ListenerParams } as const
const listenerId = sampleListener.listenerId

const end = endpoint({
  ...shared,
  id: 'webhook_listeners.end',
  method: 'DELETE',
  path: '/webhooks/listeners/{listenerId}',
  name: 'End a webhook listener',
  description:
    'Ends a listener: its stream ends, and nothing reaches it any more. What was forwarded can be read for a week.',
  permission: 'webhooks:manage',
  audit: 'webhook_listener.ended',
  reply: Listener,
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { listenerId },
    reply: { ...sampleListener, state: 'ended', endedAt: '2026-11-21T09:12:00.123Z' },
  },
  async handle({ tx, principal, params }) {
    const id = params.listenerId
    const before = requireRecord(await listenerRows.lock(tx, principal, id))
    if (before.state === 'ended') return presentListener(before, principal)
    await listenerRows.remove(tx, principal, id)
    const record = presentListener(requireRecord(await listenerRows.find(tx, principal, id)), principal)
    await emitChange(tx, principal, { type: 'webhook_listener.ended', resourceId: id, record })
    return record
  },
})

const open = endpoint({
  ...shared,
  id: 'webhook_listeners.open',
  method: 'GET',
  path: '/webhooks/listeners/{listenerId}/stream',
  name: 'Stream to a webhook listener',
  description:
    'What waits for a listener, as text/event-stream: `ready`, then each event as `delivery` with the headers and the body that a ' +
    'webhook would have been sent, to be handed on as they are. What has no answer yet comes again over the next connection, in the ' +
    'order of the events, so nothing is lost; eventId and attempt say what came before. At most 200 without an answer are sent. A ' +
    'newer connection takes the listener over.',
  permission: 'webhooks:manage',
  reply: ListenerMessage,
  envelope: 'stream',
  problems: ['not_found', 'webhook_listener_ended', 'too_many_streams'],
  sample: {
    params: { listenerId },
    reply: {
      event: 'delivery',
      data: {
        deliveryId: sampleForwarded.deliveryId,
        eventId: sampleForwarded.eventId,
        eventType: sampleForwarded.eventType,
        attempt: 1,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tandem-Webhooks/1.0',
          'webhook-id': sampleForwarded.eventId,
          'webhook-timestamp': '1795250640',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
        body: `{"id":"${sampleForwarded.eventId}","type":"message.delivered"}`,
      },
    },
  },
  handle: ({ services, principal, params }) => openListenerStream(services, principal, params.listenerId),
})

const report = endpoint({
  ...shared,
  id: 'webhook_listeners.report',
  method: 'POST',
  path: '/webhooks/listeners/{listenerId}/results',
  name: 'Report what a listener forwarded',
  description:
    'Says what the server behind a listener answered. Any 2xx counts as delivered. What was reported before, or of an attempt that is ' +
    'not the present one, changes nothing.',
  permission: 'webhooks:manage',
  body: ReportBody,
  bodyLimit: 1_048_576,
  reply: Type.Object({ recorded: Type.Integer({ description: 'How many of the results were new.' }) }),
  envelope: 'data',
  logBody: 'refusals',
  problems: ['not_found'],
  sample: {
    params: { listenerId },
    body: {
      results: [
        { eventId: sampleForwarded.eventId, attempt: 1, status: 200, error: null, durationMs: 12, reply: 'ok' },
      ],
    },
    reply: { recorded: 1 },
  },
  async handle({ tx, principal, params, body }) {
    requireRecord(await listenerRows.find(tx, principal, params.listenerId))
    return { recorded: await storeResults(tx, principal, params.listenerId, body.results) }
  },
})

const ForwardedQuery = Type.Object({
  status: Type.Optional(OneOf(deliveryStatuses, { description: 'Only those that are so far.' })),
  ...v2PageQuery,
})

const deliveries = endpoint({
  ...shared,
  id: 'webhook_listeners.deliveries',
  method: 'GET',
  path: '/webhooks/listeners/{listenerId}/deliveries',
  name: 'List deliveries of a webhook listener',
  description: 'What was forwarded to a listener, with the answers, and what waits; the newest events first.',
  permission: 'webhooks:read',
  query: ForwardedQuery,
  reply: Forwarded,
  envelope: 'page',
  problems: ['not_found'],
  sample: { params: { listenerId }, query: { status: 'delivered' }, reply: sampleForwarded },
  async handle({ tx, principal, params, query }) {
    const { cursor, limit = 50, status } = query
    const id = params.listenerId
    requireRecord(await listenerRows.find(tx, principal, id))
    const behindId = cursorId('evt', cursor, [id, status])
    const rows = await listForwarded(tx, principal, id, { status }, { limit, behindId })
    const cut = cutPage(rows, limit, row => [row.event_id], [id, status])
    return { items: cut.rows.map(row => presentForwarded(row, principal)), limit, nextCursor: cut.nextCursor }
  },
})

/** @throws Problem `not_found`, `webhook_listener_ended` */
function requireOpen(row: ListenerRow | undefined): ListenerRow {
  const found = requireRecord(row)
  if (found.state === 'ended') throw new Problem('webhook_listener_ended')
  return found
}

const resend = endpoint({
  ...shared,
  id: 'webhook_listeners.resend',
  method: 'POST',
  path: '/webhooks/listeners/{listenerId}/resend',
  name: 'Forward an event again',
  description: 'Sends an event to an open listener again, with the same body and a new signature.',
  permission: 'webhooks:manage',
  body: Type.Object({
    eventId: Type.String({
      pattern: '^evt_[0-9a-hjkmnp-tv-z]{26}$',
      errorMessage: 'must be the id of an event, such as evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
      description: 'An event that was sent to this listener before.',
    }),
  }),
  reply: Forwarded,
  envelope: 'data',
  problems: ['not_found', 'webhook_listener_ended', 'webhook_event_not_forwarded'],
  sample: {
    params: { listenerId },
    body: { eventId: sampleForwarded.eventId },
    reply: { ...sampleForwarded, status: 'pending', attempt: 2, finishedAt: null },
  },
  async handle({ tx, principal, params, body }) {
    requireOpen(await listenerRows.lock(tx, principal, params.listenerId))
    const row = await forwardAgain(tx, principal, params.listenerId, body.eventId)
    if (row === undefined) throw new Problem('webhook_event_not_forwarded')
    return presentForwarded(row, principal)
  },
})

const test = endpoint({
  ...shared,
  id: 'webhook_listeners.test',
  method: 'POST',
  path: '/webhooks/listeners/{listenerId}/test',
  name: 'Test a webhook listener',
  description: 'Sends an event webhook.test to this listener only, whatever types it hears of.',
  permission: 'webhooks:manage',
  reply: Type.Object({
    deliveryId: Type.String({ description: 'Identifier of the delivery.' }),
    eventId: Type.String({ description: 'The event; also the header webhook-id.' }),
  }),
  envelope: 'data',
  status: 201,
  problems: ['not_found', 'webhook_listener_ended'],
  sample: {
    params: { listenerId },
    reply: { deliveryId: sampleForwarded.deliveryId, eventId: sampleForwarded.eventId },
  },
  async handle({ tx, principal, params }) {
    const { id, forward_to } = requireOpen(await listenerRows.find(tx, principal, params.listenerId))
    const data = { listenerId: id, url: forward_to, message: 'This is a test. If its signature fits, all is well.' }
    const [eventId = ''] = await emit(tx, principal, { type: 'webhook.test', resourceId: id, data })
    return { deliveryId: deliveryIdOf(eventId, id), eventId }
  },
})

export const listenerEndpoints = [create, list, get, end, open, report, deliveries, resend, test]
