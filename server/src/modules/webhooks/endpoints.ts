// Webhooks: where an organization wants to hear of events, set up, changed, tried out and removed.
import { Type } from 'typebox'
import { customerUrl } from '../../kernel/callback_url.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { eventTypes, isEventFilter, nearestEventFilter } from '../../kernel/event_types.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { cursorId, cutPage, v2PageQuery } from '../../kernel/page.ts'
import { type FieldFault, Problem } from '../../kernel/problem.ts'
import { Nullable } from '../../kernel/schema.ts'
import { newSecret } from '../../kernel/signature.ts'
import { deliveryEndpoints } from './delivery_endpoints.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { insertJob } from './delivery_store.ts'
import { presentWebhook } from './present.ts'
import {
  ChangedWebhook,
  defaultOverlapSeconds,
  NewWebhook,
  overlapSeconds,
  sampleSecret,
  sampleWebhook,
  Webhook,
  WebhookParams,
} from './schemas.ts'
import { secretEndpoints } from './secret_endpoints.ts'
import { queueName } from './sender_store.ts'
import { sealSecret } from './signing.ts'
import {
  changeWebhook,
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  nextSequence,
  removeWebhook,
  resetFare,
  type WebhookChange,
} from './store.ts'

const maxWebhooks = 100

const own = { version: 'v2', category: 'Organization' } as const

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where events are to be sent to: a public https address on port 443 or 8443.',
})
const description = Nullable(
  Type.String({ maxLength: 500, description: 'What it is for, in your words; null for nothing.' }),
)
const eventTypesInput = Nullable(
  Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description:
      'What to hear of: types such as message.delivered, or message.* for all of messages; left out or null: everything. ' +
      'GET /v2/webhooks/event-types lists them.',
  }),
)

/** Types that do not exist, each with the one that was probably meant. */
function typeFaults(filters: readonly string[] | null | undefined): FieldFault[] {
  return (filters ?? []).flatMap((filter, index) => {
    if (isEventFilter(filter)) return []
    const message = `is no type of event; did you mean ${nearestEventFilter(filter)}?`
    return [{ field: `eventTypes[${index}]`, code: 'unknown_event_type', message }]
  })
}

export const createWebhook = endpoint({
  ...own,
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  name: 'Create a webhook',
  description:
    'From now on events of this mode, all or those of some types, are sent to the address as signed POST requests, within ' +
    'a second and at least once each, with up to ten attempts over three days. The secret that signs them is shown in ' +
    'this answer only. Whoever may create webhooks can have everything sent that happens in the organization.',
  permission: 'webhooks:manage',
  body: Type.Object({
    url,
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypesInput),
  }),
  reply: NewWebhook,
  envelope: 'data',
  status: 201,
  secretReply: true,
  versioned: true,
  problems: ['invalid_webhook_url', 'webhook_limit_reached'],
  check: ({ body }) => typeFaults(body.eventTypes),
  sample: {
    body: {
      url: sampleWebhook.url,
      description: sampleWebhook.description,
      eventTypes: sampleWebhook.eventTypes,
    },
    reply: { ...sampleWebhook, secret: sampleSecret },
  },
  async handle({ tx, principal, body, services, setVersion }) {
    const address = customerUrl(body.url, services.egress, { mode: principal.mode, field: 'url' })
    if ((await countWebhooks(tx, principal)) >= maxWebhooks) throw new Problem('webhook_limit_reached')
    const id = newId('whk')
    const secret = newSecret()
    await insertWebhook(tx, principal, {
      id,
      url: address,
      description: body.description ?? null,
      eventTypes: body.eventTypes ?? null,
      sealedSecret: sealSecret(services.pepper, principal.tenantId, id, secret),
    })
    const row = (await findWebhook(tx, principal, id))!
    setVersion(row.version)
    return { ...presentWebhook(row, principal), secret }
  },
})

export const listAllWebhooks = endpoint({
  ...own,
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  name: 'List webhooks',
  description: 'The webhooks of this mode with how they fare, newest first. Secrets are not shown.',
  permission: 'webhooks:read',
  query: Type.Object({
    enabled: Type.Optional(Type.Boolean({ description: 'Only enabled ones (true), or only disabled ones (false).' })),
    ...v2PageQuery,
  }),
  reply: Webhook,
  envelope: 'page',
  sample: { query: { enabled: true }, reply: sampleWebhook },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const beforeId = cursorId('whk', cursor, filter)
    const rows = await listWebhooks(tx, principal, filter, { limit, beforeId })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(row => presentWebhook(row, principal)), limit, nextCursor: cut.nextCursor }
  },
})

export const getWebhook = endpoint({
  ...own,
  id: 'webhooks.get',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  name: 'Get a webhook',
  description: 'A webhook, how it fares, and how many events wait for it. Its secret is not shown.',
  permission: 'webhooks:read',
  params: WebhookParams,
  reply: Webhook,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { webhookId: sampleWebhook.webhookId }, reply: sampleWebhook },
  async handle({ tx, principal, params, setVersion }) {
    const row = await findWebhook(tx, principal, params.webhookId)
    if (row === undefined) throw new Problem('not_found')
    setVersion(row.version)
    return presentWebhook(row, principal)
  },
})

export const changeOneWebhook = endpoint({
  ...own,
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  name: 'Change a webhook',
  description:
    'Changes the fields that are sent; deliveries follow within seconds. `enabled: false` stops them: what waits is kept, ' +
    'and what happens meanwhile can be sent later by a replay of that time. `enabled: true` goes on with what waits and ' +
    'forgets past failures. `rotateSecret` makes a new secret, shown in this answer only; until the overlap ends, ' +
    'deliveries carry a signature by the old one as well.',
  permission: 'webhooks:manage',
  params: WebhookParams,
  body: Type.Object(
    {
      url: Type.Optional(url),
      description: Type.Optional(description),
      eventTypes: Type.Optional(eventTypesInput),
      enabled: Type.Optional(Type.Boolean({ description: 'Whether anything is sent.' })),
      rotateSecret: Type.Optional(
        Type.Object(
          { overlapSeconds },
          { description: 'Makes a new secret; {} lets the old one sign for a day more.' },
        ),
      ),
    },
    { minProperties: 1 },
  ),
  reply: ChangedWebhook,
  envelope: 'data',
  secretReply: true,
  versioned: true,
  problems: ['not_found', 'invalid_webhook_url'],
  check: ({ body }) => typeFaults(body.eventTypes),
  sample: {
    params: { webhookId: sampleWebhook.webhookId },
    body: { enabled: true, rotateSecret: { overlapSeconds: 172_800 } },
    reply: { ...sampleWebhook, previousSecretUntil: '2026-11-23T08:44:00.123Z', secret: sampleSecret },
  },
  async handle({ tx, principal, params, body, ifMatch, setVersion, services, afterCommit }) {
    const { rotateSecret, ...rest } = body
    const old = await lockWebhook(tx, principal, params.webhookId)
    if (old === undefined) throw new Problem('not_found')
    if (ifMatch !== undefined && ifMatch !== old.version) throw new Problem('version_mismatch')
    const change: WebhookChange = rest
    if (body.url !== undefined)
      change.url = customerUrl(body.url, services.egress, { mode: principal.mode, field: 'url', stored: old.url })
    if (body.enabled === old.enabled) delete change.enabled
    let secret: string | null = null
    if (rotateSecret !== undefined) {
      secret = newSecret()
      const sealedSecret = sealSecret(services.pepper, principal.tenantId, old.id, secret)
      change.rotation = { sealedSecret, overlapSeconds: rotateSecret.overlapSeconds ?? defaultOverlapSeconds }
    }
    await changeWebhook(tx, principal, old.id, change)
    if (change.enabled === true) {
      await resetFare(tx, principal, old.id)
      afterCommit(() => services.wake(queueName))
    }
    const row = (await findWebhook(tx, principal, old.id))!
    setVersion(row.version)
    return { ...presentWebhook(row, principal), secret }
  },
})

export const deleteWebhook = endpoint({
  ...own,
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  name: 'Delete a webhook',
  description:
    'Ends a webhook for good, with the log of its deliveries; what waits for it is not sent any more. To pause it, change ' +
    'it to enabled: false instead.',
  permission: 'webhooks:manage',
  params: WebhookParams,
  reply: Type.Object({
    webhookId: Type.String({ description: 'The webhook that was deleted.' }),
    deleted: Type.Literal(true, { description: 'It is gone.' }),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { webhookId: sampleWebhook.webhookId },
    reply: { webhookId: sampleWebhook.webhookId, deleted: true },
  },
  async handle({ tx, principal, params }) {
    if (!(await removeWebhook(tx, principal, params.webhookId))) throw new Problem('not_found')
    return { webhookId: params.webhookId, deleted: true }
  },
})

export const testWebhook = endpoint({
  ...own,
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  name: 'Test a webhook',
  description:
    'Sends an event webhook.test to this webhook, whatever types it hears of: signed, tried again and logged like any ' +
    'other. Look at the delivery named in the answer for what came of it.',
  permission: 'webhooks:manage',
  params: WebhookParams,
  reply: Type.Object({
    deliveryId: Type.String({ description: 'Read it with GET /v2/webhooks/deliveries/{deliveryId}.' }),
    eventId: Type.String({ description: 'The event; also the header webhook-id.' }),
  }),
  envelope: 'data',
  status: 201,
  problems: ['not_found', 'webhook_disabled'],
  sample: {
    params: { webhookId: sampleWebhook.webhookId },
    reply: { deliveryId: 'dlv_01k9r7d3w24b1f0c7e9d2a6835', eventId: 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz' },
  },
  async handle({ tx, principal, params, services, afterCommit }) {
    const row = await lockWebhook(tx, principal, params.webhookId)
    if (row === undefined) throw new Problem('not_found')
    if (!row.enabled) throw new Problem('webhook_disabled')
    const sequence = await nextSequence(tx, principal, row.id)
    const data = { webhookId: row.id, url: row.url, message: 'This is a test. If its signature fits, all is well.' }
    const [eventId = ''] = await emit(tx, principal, { type: 'webhook.test', resourceId: row.id, sequence, data })
    await insertJob(tx, principal, row.id, eventId)
    afterCommit(() => services.wake(queueName))
    return { deliveryId: deliveryIdOf(eventId, row.id), eventId }
  },
})

export const listEventTypes = endpoint({
  ...own,
  id: 'webhooks.event_types',
  method: 'GET',
  path: '/webhooks/event-types',
  name: 'List types of events',
  description: 'Every type of event there is, for the filter of a webhook, with a sentence on what it tells.',
  permission: 'webhooks:read',
  reply: Type.Object({
    eventTypes: Type.Array(
      Type.Object({
        type: Type.String({ description: 'Noun and verb in the past tense.' }),
        description: Type.String({ description: 'What happened.' }),
      }),
      { description: 'In the order of what they are about.' },
    ),
  }),
  envelope: 'data',
  sample: {
    reply: { eventTypes: [{ type: 'message.delivered', description: eventTypes['message.delivered'] }] },
  },
  async handle() {
    return { eventTypes: Object.entries(eventTypes).map(([type, description]) => ({ type, description })) }
  },
})

export const endpoints = [
  createWebhook,
  listAllWebhooks,
  listEventTypes,
  ...secretEndpoints,
  getWebhook,
  changeOneWebhook,
  deleteWebhook,
  testWebhook,
  ...deliveryEndpoints,
]
