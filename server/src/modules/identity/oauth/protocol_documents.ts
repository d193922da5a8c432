// Documents of the authorization server, as the catalog shows them: its metadata, that of the API, and its keys.
import { Type } from 'typebox'
import { protocolEndpoint } from '../../../kernel/endpoint/protocol.ts'
import { deviceGrant } from './rules.ts'

export const anyone = 'Needs no credential.'
export const reading = {
  category: 'Authentication',
  method: 'GET',
  client: anyone,
  rateLimit: '100 requests a minute for the IP address.',
} as const

/** An address that samples show. */
export const issuer = 'https://tandem.example.com'
export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token', deviceGrant]

export const keys = protocolEndpoint({
  ...reading,
  id: 'oauth.jwks',
  path: '/jwks',
  name: 'Get the keys of OAuth tokens',
  description: 'The JSON Web Key Set with which access tokens can be verified; the same as GET /.well-known/jwks.json.',
  specification: 'RFC 7517',
  reply: Type.Object({ keys: Type.Array(Type.Object({ kid: Type.String() }, { additionalProperties: true })) }),
  sample: {
    reply: {
      keys: [
        { kty: 'EC', crv: 'P-256', kid: 'kid_01k9r7d3w2v8e6q4n5m1b0c9xz', alg: 'ES256', use: 'sig', x: '…', y: '…' },
      ],
    },
  },
})

export const metadata = protocolEndpoint({
  ...reading,
  id: 'oauth.metadata',
  path: '/.well-known/oauth-authorization-server/oauth',
  name: 'Get the metadata of the authorization server',
  description:
    'What the authorization server has and where: clients that are given nothing but its address begin here.',
  specification: 'RFC 8414 §3',
  reply: Type.Object(
    {
      issuer: Type.String(),
      authorization_endpoint: Type.String(),
      token_endpoint: Type.String(),
      jwks_uri: Type.String(),
      scopes_supported: Type.Array(Type.String()),
      grant_types_supported: Type.Array(Type.String()),
      code_challenge_methods_supported: Type.Array(Type.String()),
    },
    { additionalProperties: true },
  ),
  sample: {
    reply: {
      issuer: `${issuer}/oauth`,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/oauth/jwks`,
      scopes_supported: ['offline_access', 'profile:read', 'leads:read'],
      grant_types_supported: grantTypes,
      code_challenge_methods_supported: ['S256'],
    },
  },
})

export const protectedResource = protocolEndpoint({
  ...reading,
  id: 'oauth.resource_metadata',
  path: '/.well-known/oauth-protected-resource',
  name: 'Get the metadata of the API',
  description:
    'Who gives tokens for this API. The challenge of a 401 names this document, so that a client finds its way from there.',
  specification: 'RFC 9728 §3',
  reply: Type.Object({
    resource: Type.String(),
    authorization_servers: Type.Array(Type.String()),
    jwks_uri: Type.String(),
    scopes_supported: Type.Array(Type.String(), { description: 'Enough to read; ask for more when more is refused.' }),
    bearer_methods_supported: Type.Array(Type.String()),
    resource_name: Type.String(),
    resource_documentation: Type.String(),
  }),
  sample: {
    reply: {
      resource: issuer,
      authorization_servers: [`${issuer}/oauth`],
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: ['profile:read', 'leads:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tandem',
      resource_documentation: `${issuer}/explorer`,
    },
  },
})
