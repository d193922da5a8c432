// How the contract test meets domains, identity providers and SCIM. No provider is spoken to, and no name server but one that answers
// nothing.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'
import { startNameServer } from '../name_server.ts'
import { before, settle } from './members.ts'

let made = 0
const nobody = { domainId: 'dom_01k9r7d3w2v8e6q4n5m1b0c9xz', connectionId: 'sso_01k9r7d3w2v8e6q4n5m1b0c9xz' }

/** Nobody listens there: no look takes long, and none finds anything. */
function noNameServers(t: TestApp): void {
  t.app.services.mail.nameServers = ['127.0.0.1:1']
}

async function newDomain(t: TestApp, organization: TestOrganization = t.main) {
  noNameServers(t)
  await t.ownerSql("delete from organization_domains where domain <> 'example.com'")
  const options = { as: organization.tokens.Admin, body: { domain: `contract${++made}.example` } }
  const { json } = await t.call('POST', '/v2/organization/domains', options)
  return { domainId: json.data.domainId as string }
}

async function newConnection(t: TestApp, organization: TestOrganization = t.main, status = 'draft') {
  await t.ownerSql('delete from sso_connections')
  await settle(t)
  const body = { name: 'made', issuer: 'https://idp.example', clientId: 'tandem' }
  const options = { as: organization.tokens.Admin, body }
  const { json } = await t.call('POST', '/v2/organization/sso-connections', options)
  const { connectionId } = json.data
  await t.ownerSql('update sso_connections set status = $2 where id = $1', [connectionId, status])
  return { connectionId: connectionId as string }
}

/** A name server that says this text, once. */
async function textServer(text: string): Promise<string> {
  const server = await startNameServer(() => {
    setImmediate(() => void server.close())
    return { texts: [text] }
  })
  return server.address
}

const ofDomain = {
  prepare: async (t: TestApp): Promise<ContractRequest> => ({ params: await newDomain(t) }),
  problems: { not_found: async () => ({ params: { domainId: nobody.domainId } }) },
  foreign: async (t: TestApp) => ({ params: await newDomain(t, t.other) }),
}
const ofConnection = {
  prepare: async (t: TestApp): Promise<ContractRequest> => ({ params: await newConnection(t) }),
  problems: { not_found: async () => ({ params: { connectionId: nobody.connectionId } }) },
  foreign: async (t: TestApp) => ({ params: await newConnection(t, t.other) }),
}
const elsewhere = { name: 'made', issuer: 'https://127.0.0.1', clientId: 'tandem' }

export const contract: ModuleContract = {
  'organization_domains.create': {
    async prepare(t) {
      await t.ownerSql('delete from organization_domains')
      return {}
    },
    problems: {
      async domain_exists(t) {
        await t.ownerSql('delete from organization_domains')
        const body = { domain: `twice${++made}.example` }
        await t.call('POST', '/v2/organization/domains', { as: t.main.tokens.Admin, body })
        return { body }
      },
      async too_many_domains(t) {
        await t.ownerSql('delete from organization_domains')
        await t.ownerSql(
          `insert into organization_domains (organization_id, id, domain, token)
           select $1, 'dom_01k9r7d3w2v8e6q4n5m1b' || lpad(n::text, 5, '0'), 'd' || n || '.example', 'x' from generate_series(1, 50) n`,
          [t.main.organizationId],
        )
        return {}
      },
    },
  },
  'organization_domains.get': ofDomain,
  'organization_domains.delete': ofDomain,
  'organization_domains.verify': {
    ...ofDomain,
    problems: {
      ...ofDomain.problems,
      // The row is in the DNS of the test's own name server.
      async domain_taken(t) {
        await t.ownerSql('delete from organization_domains')
        const { domainId } = await newDomain(t)
        const [mine] = await t.ownerSql<{ domain: string; token: string }>(
          'select domain, token from organization_domains where id = $1',
          [domainId],
        )
        await t.ownerSql(
          `insert into organization_domains (organization_id, id, domain, token, status)
           values ($1, 'dom_01k9r7d3w2v8e6q4n5m1b0c9xz', $2, 'x', 'verified')`,
          [t.other.organizationId, mine!.domain],
        )
        t.app.services.mail.nameServers = [await textServer(`tandem-verification=${mine!.token}`)]
        return { params: { domainId } }
      },
    },
  },
  'sso_connections.create': {
    async prepare(t) {
      await t.ownerSql('delete from sso_connections')
      return {}
    },
    problems: {
      async sso_misconfigured(t) {
        await t.ownerSql('delete from sso_connections')
        return { body: elsewhere }
      },
      async too_many_connections(t) {
        await t.ownerSql('delete from sso_connections')
        await t.ownerSql(
          `insert into sso_connections (organization_id, id, name, issuer, client_id)
           select $1, 'sso_01k9r7d3w2v8e6q4n5m1b' || lpad(n::text, 5, '0'), 'made', 'https://idp.example', 'x' from generate_series(1, 10) n`,
          [t.main.organizationId],
        )
        return {}
      },
    },
  },
  'sso_connections.get': ofConnection,
  'sso_connections.delete': ofConnection,
  'sso_connections.update': {
    ...ofConnection,
    problems: {
      ...ofConnection.problems,
      sso_misconfigured: async t => ({ params: await newConnection(t), body: { issuer: 'https://127.0.0.1' } }),
      sso_state_not_allowed: async t => ({ params: await newConnection(t), body: { status: 'active' } }),
      async transfer_open(t) {
        const params = await newConnection(t)
        const { as } = await before(t)
        await t.ownerSql("update sso_connections set status = 'active' where id = $1", [params.connectionId])
        return { as, params, body: { status: 'enforced' } }
      },
      async domain_not_verified(t) {
        await t.ownerSql('delete from organization_domains')
        return { params: await newConnection(t, t.main, 'tested'), body: { status: 'active' } }
      },
      async sso_connection_active(t) {
        await t.ownerSql('delete from organization_domains')
        const { domainId } = await newDomain(t)
        await t.ownerSql(`update organization_domains set status = 'verified' where id = $1`, [domainId])
        const params = await newConnection(t, t.main, 'tested')
        await t.ownerSql(
          `insert into sso_connections (organization_id, id, name, issuer, client_id, status)
           values ($1, 'sso_01k9r7d3w2v8e6q4n5m1b00000', 'other', 'https://other.example', 'x', 'active')`,
          [t.main.organizationId],
        )
        return { params, body: { status: 'active' } }
      },
    },
  },
  'sso_connections.test': {
    ...ofConnection,
    problems: {
      ...ofConnection.problems,
      sso_state_not_allowed: async t => ({ params: await newConnection(t, t.main, 'disabled') }),
    },
  },
}
