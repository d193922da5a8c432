// Webhooks: where an organization wants to hear of events, set up, changed, tried out and removed.

import { Type } from 'typebox'
import { emit } from '../../kernel/data/events.ts'
import { newSecret } from '../../kernel/data/signature.ts'
import { customerUrl } from '../../kernel/endpoint/callback_url.ts'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { Nullable } from '../../kernel/endpoint/schema.ts'
import { resource } from '../../kernel/resource/resource.ts'
import { newId } from '../../kernel/values/ids.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { eventTypes } from '../../nouns.ts'
import { deliveryEndpoints } from './delivery_endpoints.ts'
import { deliveryIdOf } from './delivery_id.ts'
import { insertJob } from './delivery_store.ts'
import { eventTypesInput, typeFaults } from './event_filter.ts'
import { listenerEndpoints } from './listener_endpoints.ts'
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
  lockWebhook,
  resetFailures,
  type WebhookChange,
  type WebhookRow,
  webhookRows,
} from './store.ts'

const maxWebhooks = 100
/** How the address of a webhook is refused. */
const webhookUrl = { field: 'url', problem: 'invalid_webhook_url' } as const

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where events are to be sent to: a public https address on port 443 or 8443.',
})
const description = Nullable(
  Type.String({ maxLength: 500, description: 'What it is for, in your words; null for nothing.' }),
)
const own = resource<WebhookRow, typeof Webhook>({
  names: ['webhook', 'webhooks'],
  id: ['webhookId', 'whk'],
  category: 'Organization',
  path: '/webhooks',
  permissions: { read: 'webhooks:read', manage: 'webhooks:manage' },
  rows: webhookRows,
  reply: Webhook,
  sample: sampleWebhook,
  present: (rows, { principal }) => rows.map(row => presentWebhook(row, principal)),
})

const create = own.create({
  description:
    'From now on events of this mode, all or those of some types, are sent to the address as signed POST requests, within ' +
    'a second and at least once each, with up to ten attempts over three days. The secret that signs them is shown in ' +
    'this answer only. Anyone who may create webhooks can have everything sent that happens in the organization.',
  body: Type.Object({
    url,
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypesInput),
  }),
  reply: NewWebhook,
  secretReply: true,
  problems: ['invalid_webhook_url', 'webhook_limit_reached'],
  check: ({ eventTypes }) => typeFaults(eventTypes),
  sample: {
    body: {
      url: sampleWebhook.url,
      description: sampleWebhook.description,
      eventTypes: sampleWebhook.eventTypes,
    },
    reply: { ...sampleWebhook, secret: sampleSecret },
  },
  async handle(body, { tx, principal, services }) {
    const address = customerUrl(body.url, services.egress, { ...webhookUrl, mode: principal.mode })
    if ((await countWebhooks(tx, principal)) >= maxWebhooks) throw new Problem('webhook_limit_reached')
    const id = newId('whk')
    const secret = newSecret()
    await insertWebhook(tx, principal, {
      id,
      url: address,
      description: body.description ?? null,
      eventTypes: body.eventTypes ?? null,
      sealedSecret: sealSecret(services.keyring, principal.tenantId, id, secret),
    })
    return { row: (await findWebhook(tx, principal, id))!, more: { secret } }
  },
})

const list = own.list({
  description: 'The webhooks of this mode with their health, newest first. Secrets are not shown.',
  filters: {
    enabled: Type.Optional(Type.Boolean({ description: 'Only enabled ones (true), or only disabled ones (false).' })),
  },
  sample: { enabled: true },
})

const get = own.get({
  description: 'A webhook, its health, and how many events wait for it. Its secret is not shown.',
})

const update = own.update({
  description:
    'Changes the fields that are sent; deliveries follow within seconds. `enabled: false` stops them: what waits is kept, ' +
    'and what happens meanwhile can be sent later by a replay of that time. `enabled: true` goes on with what waits and ' +
    'forgets past failures. `rotateSecret` makes a new secret, shown in this answer only; until the overlap ends, ' +
    'deliveries carry a signature by the old one as well.',
  body: Type.Object({
    url: Type.Optional(url),
    description: Type.Optional(description),
    eventTypes: Type.Optional(eventTypesInput),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether anything is sent.' })),
    rotateSecret: Type.Optional(
      Type.Object({ overlapSeconds }, { description: 'Makes a new secret; {} lets the old one sign for a day more.' }),
    ),
  }),
  reply: ChangedWebhook,
  secretReply: true,
  problems: ['invalid_webhook_url'],
  check: ({ eventTypes }) => typeFaults(eventTypes),
  sample: {
    body: { enabled: true, rotateSecret: { overlapSeconds: 172_800 } },
    reply: { ...sampleWebhook, previousSecretUntil: '2026-11-23T08:44:00.123Z', secret: sampleSecret },
  },
  async handle(
    old,
    { rotateSecret, ...change }: WebhookChange & { rotateSecret?: { overlapSeconds?: number } },
    asking,
  ) {
    const { tx, principal, services, afterCommit } = asking
    if (change.url !== undefined)
      change.url = customerUrl(change.url, services.egress, { ...webhookUrl, mode: principal.mode, stored: old.url })
    if (change.enabled === old.enabled) delete change.enabled
    let secret: string | null = null
    if (rotateSecret !== undefined) {
      secret = newSecret()
      const sealedSecret = sealSecret(services.keyring, principal.tenantId, old.id, secret)
      change.rotation = { sealedSecret, overlapSeconds: rotateSecret.overlapSeconds ?? defaultOverlapSeconds }
    }
    await changeWebhook(tx, principal, old.id, change)
    if (change.enabled === true) {
      await resetFailures(tx, principal, old.id)
      afterCommit(() => services.wake(queueName))
    }
    return { row: (await findWebhook(tx, principal, old.id))!, more: { secret } }
  },
})

const remove = own.delete({
  description:
    'Ends a webhook for good, with the log of its deliveries; what waits for it is not sent any more. To pause it, change ' +
    'it to enabled: false instead.',
})

const shared = { version: 'v2', category: 'Organization' } as const

const test = endpoint({
  ...shared,
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
    const data = { webhookId: row.id, url: row.url, message: 'This is a test. If its signature fits, all is well.' }
    const [eventId = ''] = await emit(tx, principal, { type: 'webhook.test', resourceId: row.id, data })
    await insertJob(tx, principal, row.id, eventId)
    afterCommit(() => services.wake(queueName))
    return { deliveryId: deliveryIdOf(eventId, row.id), eventId }
  },
})

const listEventTypes = endpoint({
  ...shared,
  id: 'webhooks.event_types',
  method: 'GET',
  path: '/webhooks/event-types',
  name: 'List types of events',
  description: 'Every type of event there is, for the filter of a webhook, with a sentence on what it says.',
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
  create,
  list,
  listEventTypes,
  ...secretEndpoints,
  get,
  update,
  remove,
  test,
  ...deliveryEndpoints,
  ...listenerEndpoints,
]
