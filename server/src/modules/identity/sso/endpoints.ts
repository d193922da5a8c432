// Single sign-on over the API: whether an address has it, and the test of a connection.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Email, Nullable, RecordId } from '../../../kernel/endpoint/schema.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { addressesOf, connections, discover, sampleConnection } from '../connections/index.ts'
import { domainOf } from '../domains/index.ts'
import { testPasses } from './attempt.ts'

export const discoverSso = endpoint({
  id: 'auth.discover_sso',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/sso/discover',
  name: 'Check an address for single sign-on',
  description:
    'Whether people of an address log in by the identity provider of their organization, and where. It is asked by the domain alone: the answer is the same whether or not the address has an account.',
  permission: 'public',
  bodyLimit: 4_096,
  transaction: 'none',
  body: Type.Object({ email: Email }),
  reply: Type.Object({
    sso: Nullable(
      Type.Object({
        organization: Type.String(),
        startUrl: Type.String({ description: 'To be opened in a browser.' }),
        isRequired: Type.Boolean({ description: 'Whether a password is not taken.' }),
      }),
    ),
  }),
  envelope: 'data',
  sample: {
    body: { email: 'grace@example.com' },
    reply: { sso: { organization: 'Example GmbH', startUrl: sampleConnection.startUrl, isRequired: false } },
  },
  async handle({ body, services }) {
    const found = await discover(services.db, domainOf(body.email.trim()))
    if (found === undefined || services.ownAddress() === undefined) return { sso: null }
    const { startUrl } = addressesOf(services, found.id)
    return { sso: { organization: found.organization_name, startUrl, isRequired: found.status === 'enforced' } }
  },
})

export const testConnection = endpoint({
  id: 'sso_connections.test',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/organization/sso-connections/{connectionId}/test',
  name: 'Test a single sign-on connection',
  description:
    'Begins a test: opened in a browser within ten minutes, its address logs the person who opens it in at the provider, opens no session here, and keeps a log that says step by step what was right and wrong. A connection that passed can be switched on.',
  permission: 'sso:manage',
  shared: true,
  recent: 'factor',
  idempotent: false,
  params: Type.Object({ connectionId: RecordId('sso', 'Identifier of the single sign-on connection.') }),
  audit: 'sso_connection.test_begun',
  reply: Type.Object({ testUrl: Type.String({ description: 'To be opened in a browser, once.' }) }),
  envelope: 'data',
  secretReply: true,
  problems: ['not_found', 'sso_state_not_allowed'],
  sample: {
    params: { connectionId: sampleConnection.connectionId },
    reply: { testUrl: `${sampleConnection.startUrl}?test=5fQ2rT5yU8iO1pA3sD6fG7` },
  },
  async handle({ tx, principal, params, services, now, audited }) {
    const row = requireRecord(await connections.find(tx, principal, params.connectionId))
    if (row.status === 'disabled')
      throw new Problem('sso_state_not_allowed', {
        message: 'The connection is disabled. Make it a draft again (PATCH with `status: "draft"`), then test it.',
      })
    if (services.ownAddress() === undefined)
      throw new Problem('sso_state_not_allowed', {
        message:
          'This server does not know its own address, so no provider can send anybody back. Set TANDEM_PUBLIC_URL.',
      })
    audited({ targets: [{ type: 'sso_connection', id: row.id }] })
    const pass = { connectionId: row.id, userId: principal.userId, nonce: randomToken(16) }
    const test = testPasses.close(services.keyring, pass, now)
    return { testUrl: `${addressesOf(services, row.id).startUrl}?test=${test}` }
  },
})

export const endpoints = [discoverSso, testConnection]
