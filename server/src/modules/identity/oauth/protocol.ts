// The addresses of the authorization server, as the catalog shows them: version `oauth`, without envelope. The library answers them
// (mount.ts); server/test/protocol.test.ts holds what stands here against what it answers.
import { Type } from 'typebox'
import type { DocumentedEndpoint } from '../../../kernel/endpoint/endpoint.ts'
import { protocolEndpoint } from '../../../kernel/endpoint/protocol.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import type { ProblemCode } from '../../../kernel/values/problem.ts'
import { anyone, grantTypes, issuer, keys, metadata, protectedResource, reading } from './protocol_documents.ts'
import { accessTokenLife, deviceGrant } from './rules.ts'

const secretOrName =
  'Needs no token. A client names itself with client_id; one that has a secret proves it with client_secret, or with both by HTTP Basic.'
const secretOnly =
  'Needs no token. A client that has a secret proves who it is: with client_id and client_secret, or with both by HTTP Basic.'
const text = (description: string) => Type.Optional(Type.String({ description }))

/** Fields by which a client says who it is, last in each form. */
const client = {
  client_id: text('The client id of the app, live or test; not beside HTTP Basic.'),
  client_secret: text('A secret of the app, of the same mode; public clients have none.'),
}
const sampleClient = { client_id: 'YOUR_CLIENT_ID', client_secret: 'YOUR_CLIENT_SECRET' }

const scope = text('Permissions parted by spaces; without it all that the app was registered with.')
const resource = text('What the token is for (RFC 8707): the address of this server where it is left out.')

/** What a person is asked, sent by the browser or pushed before. */
const authorization = {
  response_type: Type.String({ enum: ['code'], description: 'Always code.' }),
  redirect_uri: Type.String({
    description: 'Where the answer goes: exactly as it is registered; only the port of a loopback address is free.',
  }),
  code_challenge: Type.String({
    minLength: 43,
    maxLength: 128,
    description: 'SHA-256 of a secret of the client, in base64url (PKCE, RFC 7636 §4.2).',
  }),
  code_challenge_method: Type.String({ enum: ['S256'], description: 'Always S256.' }),
  scope,
  state: text('Comes back with the answer, so that the client knows which question it was.'),
  resource,
}
const sampleAuthorization = {
  response_type: 'code',
  redirect_uri: 'https://app.example.com/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scope: 'leads:read',
  state: 'af0ifjsldkj',
}

const ofClients: readonly ProblemCode[] = ['invalid_request', 'invalid_client']
const ofAuthorizations: readonly ProblemCode[] = [
  ...ofClients,
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_target',
]

const sampleToken = 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…'

const limited = 'Past that 429 with `temporarily_unavailable` and Retry-After.'
const limits = {
  tokens: `100 requests a minute for the IP address, 120 for the client. ${limited}`,
  questions: `30 requests a minute for the IP address, 60 for the client. ${limited}`,
  registrations: `10 an hour for the IP address. ${limited}`,
}

const common = { category: 'Authentication', method: 'POST', form: true } as const

const token = protocolEndpoint({
  ...common,
  id: 'oauth.token',
  rateLimit: limits.tokens,
  path: '/token',
  name: 'Get an OAuth token',
  description:
    'Gives an access token that every endpoint takes, for an hour: to an app in its own name (client_credentials), for the code of a person ' +
    '(authorization_code), for a refresh token, or to a device whose person has agreed. Refresh tokens rotate: store the new one each time.',
  specification: 'RFC 6749 §3.2',
  client: secretOrName,
  body: Type.Object({
    grant_type: Type.String({ enum: grantTypes, description: 'What the token is asked with.' }),
    scope,
    resource,
    code: text('With authorization_code: the code that came to the redirect address, within 60 seconds.'),
    redirect_uri: text('With authorization_code: the redirect address of the question.'),
    code_verifier: text('With authorization_code: the secret whose hash was code_challenge.'),
    refresh_token: text('With refresh_token: the newest one.'),
    device_code: text(`With ${deviceGrant}: what the device was given.`),
    ...client,
  }),
  reply: Type.Object({
    access_token: Type.String({ description: 'A JWT of RFC 9068, sent as a bearer token.' }),
    token_type: Type.String({ enum: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String({ description: 'What it was given, parted by spaces: may be less than was asked for.' }),
    refresh_token: Type.Optional(
      Type.String({ description: 'For the next access token; only where a person allowed it.' }),
    ),
  }),
  problems: [
    ...ofClients,
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
    'authorization_pending',
    'slow_down',
    'expired_token',
    'access_denied',
  ],
  sample: {
    body: { grant_type: 'client_credentials', scope: 'leads:read', ...sampleClient },
    reply: { access_token: sampleToken, token_type: 'Bearer', expires_in: accessTokenLife, scope: 'leads:read' },
  },
})

const authorize = protocolEndpoint({
  ...reading,
  id: 'oauth.authorize',
  rateLimit: limits.questions,
  path: '/authorize',
  name: 'Ask a person for authorization',
  description:
    'An address to open in a browser: it leads to the page on which the person logs in, sees who asks and for what, and answers. The answer ' +
    'goes to the redirect address, with `code` and `state`, or with `error`. What cannot be answered there is answered with a page.',
  specification: 'RFC 6749 §3.1, RFC 7636, RFC 9207',
  query: Type.Object({
    client_id: Type.String({
      description: 'Which client asks: an id of an app, or the address of a document.',
    }),
    ...authorization,
    request_uri: text('In place of the others: what POST /oauth/par answered.'),
  }),
  status: 303,
  problems: [...ofAuthorizations, 'invalid_request_uri', 'login_required', 'access_denied'],
  sample: { query: { client_id: 'YOUR_CLIENT_ID', ...sampleAuthorization } },
})

const pushed = protocolEndpoint({
  ...common,
  id: 'oauth.push_authorization',
  rateLimit: limits.questions,
  path: '/par',
  name: 'Push a request for authorization',
  description:
    'Takes what the person is to be asked from the server of the app, so that nobody can change it on its way through a browser. The ' +
    '`request_uri` then stands in place of the other parameters of GET /oauth/authorize, for 60 seconds.',
  specification: 'RFC 9126',
  client: secretOrName,
  body: Type.Object({ ...authorization, ...client }),
  reply: Type.Object({
    request_uri: Type.String({ description: 'Goes to GET /oauth/authorize, with client_id.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  }),
  status: 201,
  problems: ofAuthorizations,
  sample: {
    body: { ...sampleAuthorization, ...sampleClient },
    reply: { request_uri: 'urn:ietf:params:oauth:request_uri:fp7Jlw90d5fYl4K2LzR11e', expires_in: 60 },
  },
})

const device = protocolEndpoint({
  ...common,
  id: 'oauth.start_device',
  rateLimit: limits.questions,
  path: '/device_authorization',
  name: 'Ask a person without a browser',
  description:
    'For programs in a terminal and devices without a keyboard: show `user_code` and `verification_uri`, and ask POST /oauth/token every ' +
    '`interval` seconds, until the person has answered in a browser elsewhere.',
  specification: 'RFC 8628 §3.1',
  client: secretOrName,
  body: Type.Object({ scope, resource, ...client }),
  reply: Type.Object({
    device_code: Type.String({ description: 'For POST /oauth/token; nobody else is to see it.' }),
    user_code: Type.String({ description: 'What the person types.' }),
    verification_uri: Type.String({ description: 'Where they type it.' }),
    verification_uri_complete: Type.String({ description: 'The same with the code, for a QR code.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    interval: Type.Integer({ description: 'Seconds between two questions.' }),
  }),
  problems: [...ofClients, 'unauthorized_client', 'invalid_scope', 'invalid_target'],
  sample: {
    body: { scope: 'leads:read', ...sampleClient },
    reply: {
      device_code: 'cHZnyq7oE2oGJLNOWB6p4KOUYRQG3uKRYvoVmU0VB53',
      user_code: 'RGTX-ZHVW',
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device#RGTX-ZHVW`,
      expires_in: 600,
      interval: 5,
    },
  },
})

const Token = Type.String({ description: 'An access or refresh token of this client.' })
const hint = Type.Optional(
  OneOf(['access_token', 'refresh_token'], { description: 'Which of them it is; not needed.' }),
)

const introspect = protocolEndpoint({
  ...common,
  id: 'oauth.introspect',
  rateLimit: reading.rateLimit,
  path: '/introspect',
  name: 'Get the state of a token',
  description:
    'Says whether a token is good at this moment, and what for. A client learns of its own tokens only: any other is answered as one that is ' +
    'not active.',
  specification: 'RFC 7662 §2',
  client: secretOnly,
  body: Type.Object({ token: Token, token_type_hint: hint, ...client }),
  reply: Type.Object({
    active: Type.Boolean({ description: 'Whether it is good; nothing else stands in the answer where it is not.' }),
    client_id: Type.Optional(Type.String()),
    sub: Type.Optional(Type.String({ description: 'The user it acts for.' })),
    scope: Type.Optional(Type.String({ description: 'Permissions parted by spaces.' })),
    token_type: Type.Optional(Type.String()),
    tenant_id: Type.Optional(Type.Integer({ description: 'Where it acts.' })),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
    iat: Type.Optional(Type.Integer({ description: 'When it was made, in seconds since 1970.' })),
    exp: Type.Optional(Type.Integer({ description: 'When it ends, in seconds since 1970.' })),
  }),
  problems: [...ofClients, 'unsupported_token_type'],
  sample: {
    body: { token: sampleToken, ...sampleClient },
    reply: {
      active: true,
      client_id: 'tdm_app_live_01m881m17zfa4kqgt31bz8wnak',
      scope: 'leads:read',
      token_type: 'Bearer',
      tenant_id: 1,
      iss: `${issuer}/oauth`,
      jti: 'DKx4DthyUQMt_CfEj8kcKMfJoqn1Sv4nddkWCXBHk1O',
      iat: 1_795_566_470,
      exp: 1_795_570_070,
    },
  },
})

const revoke = protocolEndpoint({
  ...common,
  id: 'oauth.revoke',
  rateLimit: reading.rateLimit,
  path: '/revoke',
  name: 'Revoke a token',
  description:
    'Ends a token at once, and with a refresh token all that came of it. A token that is none of this client, or none at all, is answered in ' +
    'the same way, and nothing happens.',
  specification: 'RFC 7009 §2',
  client: secretOrName,
  body: Type.Object({ token: Token, token_type_hint: hint, ...client }),
  problems: [...ofClients, 'unsupported_token_type'],
  sample: { body: { token: sampleToken, ...sampleClient } },
})

const register = protocolEndpoint({
  category: 'Authentication',
  id: 'oauth.register',
  rateLimit: limits.registrations,
  method: 'POST',
  path: '/register',
  name: 'Register a client',
  description:
    'For tools that nobody registered, such as MCP clients: they describe themselves, and are public clients then. People other than Admins ' +
    'can use such a client once an Admin has allowed it. `TANDEM_OAUTH_REGISTRATION` switches this off.',
  specification: 'RFC 7591 §3',
  client: anyone,
  body: Type.Object(
    {
      client_name: text('What people read when they are asked to let it in.'),
      redirect_uris: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 20,
        description: 'Where people may be sent back to: https, loopback http, or a scheme of an app.',
      }),
      client_uri: text('Where people read about it.'),
      scope: text('Permissions parted by spaces: the most it will ask for.'),
      grant_types: Type.Optional(Type.Array(OneOf(['authorization_code', 'refresh_token']))),
      token_endpoint_auth_method: Type.Optional(OneOf(['none'], { description: 'Such clients have no secret.' })),
    },
    { additionalProperties: true },
  ),
  reply: Type.Object(
    {
      client_id: Type.String({ description: 'What the client is called from now on.' }),
      client_id_issued_at: Type.Integer({ description: 'Seconds since 1970.' }),
      client_name: Type.Optional(Type.String()),
      redirect_uris: Type.Array(Type.String()),
      grant_types: Type.Array(Type.String()),
      response_types: Type.Array(Type.String()),
      token_endpoint_auth_method: Type.String(),
    },
    { additionalProperties: true },
  ),
  status: 201,
  problems: ['invalid_client_metadata', 'invalid_redirect_uri', 'invalid_request'],
  sample: {
    body: { client_name: 'Example tool', redirect_uris: ['http://127.0.0.1/callback'] },
    reply: {
      client_id: 'dyn_01m881m1nzca2hzjvge0sc8d2e',
      client_id_issued_at: 1_795_566_470,
      client_name: 'Example tool',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
})

/** In the order in which a client meets them. */
export const protocol: readonly DocumentedEndpoint[] = [
  protectedResource,
  metadata,
  token,
  authorize,
  pushed,
  device,
  introspect,
  revoke,
  register,
  keys,
]
