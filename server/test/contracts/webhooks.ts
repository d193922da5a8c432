// How the contract test meets webhooks. Nothing is sent there: no worker runs.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'

async function newWebhook(t: TestApp, organization: TestOrganization = t.main): Promise<string> {
  // The limit is met by another test's own means: so that it never is by chance, old ones go.
  await t.ownerSql(
    `delete from webhook_endpoints where tenant_id = $1
       and id <= (select id from webhook_endpoints where tenant_id = $1 order by id desc offset 50 limit 1)`,
    [organization.liveTenantId],
  )
  const body = { url: 'https://example.com/hooks/contract' }
  const { json } = await t.call('POST', '/v2/webhooks', { as: organization.tokens.Admin, body })
  return json.data.webhookId
}

async function newDelivery(t: TestApp, organization: TestOrganization = t.main): Promise<string> {
  const webhookId = await newWebhook(t, organization)
  const { json } = await t.call('POST', `/v2/webhooks/${webhookId}/test`, { as: organization.tokens.Admin })
  return json.data.deliveryId
}

const params = async (t: TestApp): Promise<ContractRequest> => ({ params: { webhookId: await newWebhook(t) } })
const foreign = async (t: TestApp): Promise<ContractRequest> => ({
  params: { webhookId: await newWebhook(t, t.other) },
})
const nobody = async (): Promise<ContractRequest> => ({ params: { webhookId: 'whk_01k9r7d3w2v8e6q4n5m1b0c9xz' } })

async function disabled(t: TestApp): Promise<ContractRequest> {
  const webhookId = await newWebhook(t)
  await t.call('PATCH', `/v2/webhooks/${webhookId}`, { as: t.main.tokens.Admin, body: { enabled: false } })
  return { params: { webhookId } }
}

async function newListener(t: TestApp, organization: TestOrganization = t.main): Promise<string> {
  // As above: those of other tests are none of ours.
  await t.ownerSql(
    `update webhook_listeners set ended_at = now() where tenant_id = $1 and ended_at is null
       and id <= (select id from webhook_listeners where tenant_id = $1 and ended_at is null order by id desc offset 10 limit 1)`,
    [organization.liveTenantId],
  )
  const body = { forwardTo: 'http://localhost:4242/hooks' }
  const { json } = await t.call('POST', '/v2/webhooks/listeners', { as: organization.tokens.Admin, body })
  return json.data.listenerId
}

const listener = {
  params: async (t: TestApp): Promise<ContractRequest> => ({ params: { listenerId: await newListener(t) } }),
  foreign: async (t: TestApp): Promise<ContractRequest> => ({ params: { listenerId: await newListener(t, t.other) } }),
  nobody: async (): Promise<ContractRequest> => ({ params: { listenerId: 'lsn_01k9r7d3w2v8e6q4n5m1b0c9xz' } }),
  ended: async (t: TestApp): Promise<ContractRequest> => {
    const listenerId = await newListener(t)
    await t.call('DELETE', `/v2/webhooks/listeners/${listenerId}`, { as: t.main.tokens.Admin })
    return { params: { listenerId } }
  },
  /** One that was sent an event. */
  sent: async (t: TestApp, organization: TestOrganization = t.main): Promise<ContractRequest> => {
    const listenerId = await newListener(t, organization)
    const path = `/v2/webhooks/listeners/${listenerId}/test`
    const { json } = await t.call('POST', path, { as: organization.tokens.Admin })
    return { params: { listenerId }, body: { eventId: json.data.eventId } }
  },
}
const ofListener = { prepare: listener.params, problems: { not_found: listener.nobody }, foreign: listener.foreign }

const innerAddress = 'https://169.254.169.254/latest/meta-data'

export const contract: ModuleContract = {
  'webhooks.create': {
    prepare: async t => {
      await newWebhook(t)
      return {}
    },
    problems: {
      invalid_webhook_url: async () => ({ body: { url: innerAddress } }),
      webhook_limit_reached: async t => {
        await t.ownerSql(
          `insert into webhook_endpoints (tenant_id, id, url, secret)
           select $1, 'whk_' || lpad(n::text, 26, '0'), 'https://example.com/', '' from generate_series(1, 100) n
           on conflict do nothing`,
          [t.main.liveTenantId],
        )
        return {}
      },
    },
  },
  'webhooks.get': { prepare: params, problems: { not_found: nobody }, foreign },
  'webhooks.update': {
    prepare: params,
    problems: {
      not_found: nobody,
      invalid_webhook_url: async t => ({ ...(await params(t)), body: { url: innerAddress } }),
    },
    foreign,
  },
  'webhooks.delete': { prepare: params, problems: { not_found: nobody }, foreign },
  'webhooks.test': { prepare: params, problems: { not_found: nobody, webhook_disabled: disabled }, foreign },
  'webhooks.deliveries': { prepare: params, problems: { not_found: nobody }, foreign },
  'webhooks.delivery': {
    prepare: async t => ({ params: { deliveryId: await newDelivery(t) } }),
    problems: { not_found: async () => ({}) },
    foreign: async t => ({ params: { deliveryId: await newDelivery(t, t.other) } }),
  },
  'webhooks.replay': { prepare: params, problems: { not_found: nobody, webhook_disabled: disabled }, foreign },
  'webhooks.replay_callbacks': {
    problems: { not_found: async () => ({ body: { deliveryId: 'dlv_01k9r7d3w24b1f0c7e9d2a6835' } }) },
  },
  'webhook_listeners.create': {
    prepare: async t => {
      await newListener(t)
      return {}
    },
    problems: {
      webhook_listener_limit_reached: async t => {
        await t.ownerSql(
          `insert into webhook_listeners (tenant_id, id, forward_to, secret, open_until)
           select $1, 'lsn_' || lpad(n::text, 26, '0'), 'http://localhost/', '', now() + interval '1 minute'
           from generate_series(1, 20) n
           on conflict (tenant_id, id) do update set ended_at = null, open_until = excluded.open_until`,
          [t.main.liveTenantId],
        )
        return {}
      },
    },
  },
  'webhook_listeners.get': ofListener,
  'webhook_listeners.end': ofListener,
  'webhook_listeners.deliveries': ofListener,
  'webhook_listeners.report': ofListener,
  'webhook_listeners.test': {
    ...ofListener,
    problems: { not_found: listener.nobody, webhook_listener_ended: listener.ended },
  },
  'webhook_listeners.resend': {
    prepare: listener.sent,
    problems: {
      not_found: listener.nobody,
      webhook_listener_ended: listener.ended,
      webhook_event_not_forwarded: listener.params,
    },
    foreign: t => listener.sent(t, t.other),
  },
  'webhook_listeners.open': {
    ...ofListener,
    problems: {
      not_found: listener.nobody,
      webhook_listener_ended: listener.ended,
      too_many_streams: async t => {
        const as = t.other.tokens.Admin
        const headers = { authorization: `Bearer ${as}` }
        for (let opened = 0; opened < 20; opened++)
          await t.app.http.inject({ method: 'GET', url: '/v2/stream', headers, payloadAsStream: true })
        return { as, params: { listenerId: await newListener(t, t.other) } }
      },
    },
  },
}
