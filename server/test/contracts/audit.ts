// How the contract test meets the audit log: a change of the organization is in it.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'

async function anEvent(t: TestApp, organization: TestOrganization): Promise<ContractRequest> {
  const as = organization.tokens.Admin
  await t.call('PATCH', '/v2/organization', { as, body: { timeZone: 'Europe/Berlin' } })
  const { json } = await t.call('GET', '/v2/audit-events?action=organization.updated', { as })
  return { params: { auditEventId: json.data[0].auditEventId } }
}

async function aStream(t: TestApp, organization: TestOrganization = t.main): Promise<ContractRequest> {
  // Old ones go, so that the limit is met by its own means only.
  await t.ownerSql('delete from audit_streams where organization_id = $1', [organization.organizationId])
  const body = { url: 'https://example.com/audit' }
  const { json } = await t.call('POST', '/v2/audit-events/streams', { as: organization.tokens.Admin, body })
  return { params: { streamId: json.data.streamId } }
}
const nobody = async (): Promise<ContractRequest> => ({ params: { streamId: 'ast_01k9r7d3w2v8e6q4n5m1b0c9xy' } })
const innerAddress = { url: 'https://169.254.169.254/latest/meta-data' }
const ofTests = async (t: TestApp) => ({ ...(await aStream(t)), as: t.main.testKey })

export const contract: ModuleContract = {
  'audit_streams.create': {
    prepare: async t => {
      await aStream(t)
      return {}
    },
    problems: {
      live_mode_required: async t => ({ as: t.main.testKey }),
      invalid_callback_url: async () => ({ body: innerAddress }),
      too_many_audit_streams: async t => {
        await t.ownerSql(
          `insert into audit_streams (organization_id, id, url, secret, position)
           select $1, 'ast_' || lpad(n::text, 26, '0'), 'https://example.com/', '', 0 from generate_series(1, 5) n`,
          [t.main.organizationId],
        )
        return {}
      },
    },
  },
  'audit_streams.get': { prepare: t => aStream(t), problems: { not_found: nobody }, foreign: t => aStream(t, t.other) },
  'audit_streams.update': {
    prepare: t => aStream(t),
    problems: {
      not_found: nobody,
      live_mode_required: ofTests,
      invalid_callback_url: async t => ({ ...(await aStream(t)), body: innerAddress }),
    },
    foreign: t => aStream(t, t.other),
  },
  'audit_streams.delete': {
    prepare: t => aStream(t),
    problems: { not_found: nobody, live_mode_required: ofTests },
    foreign: t => aStream(t, t.other),
  },
  'audit_events.get': {
    prepare: t => anEvent(t, t.main),
    problems: { not_found: async () => ({}) },
    foreign: t => anEvent(t, t.other),
  },
}
