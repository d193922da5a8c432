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
}
