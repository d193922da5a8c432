// Tokens for phones in browsers: what a page may hold in its hands, since it can be a phone with it and do nothing else.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Timestamp } from '../../../kernel/endpoint/schema.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { isUserEmail } from '../../identity/users/index.ts'
import { maxIdentityLength } from '../instructions/index.ts'
import { identityOf, identityText } from './rules.ts'
import { Identity, sampleToken } from './schemas.ts'

const defaultTtlSeconds = 3_600

export const mint = endpoint({
  id: 'client_tokens.create',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/client-tokens',
  name: 'Create a token for a browser phone',
  description:
    'Answers a token with which a web page is a phone: it opens the client stream, makes calls and takes them as one ' +
    'identity, and does nothing else. Without `identity` that is the user who asks, under their e-mail address; the ' +
    'identity of another user needs the permission users:manage. The token dies with the session or key that made it, ' +
    'and nothing is kept of it. Pages of your own get theirs from your server.',
  permission: 'phone:use',
  body: Type.Object({
    identity: Type.Optional(Identity),
    ttlSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        default: defaultTtlSeconds,
        description:
          'How long the token works, in seconds; never longer than the short-lived token of an API key it is made with.',
      }),
    ),
    incoming: Type.Optional(Type.Boolean({ default: true, description: 'Whether calls to the identity ring.' })),
    outgoing: Type.Optional(Type.Boolean({ default: true, description: 'Whether it can make calls.' })),
  }),
  reply: Type.Object({
    token: Type.String({ description: 'JWT; send it as Authorization: Bearer <token>.' }),
    identity: Type.String({ description: 'The phone it is for: `client:<identity>` rings it.' }),
    expiresAt: Timestamp,
  }),
  envelope: 'data',
  status: 201,
  // Nothing is kept of a token: a repeat simply makes another.
  idempotent: false,
  problems: ['insufficient_role'],
  sample: { body: { identity: 'ada@example.com', ttlSeconds: 3_600 }, reply: sampleToken },
  async handle({ tx, principal, body, now, services }) {
    if (principal.phone !== null || principal.kind === 'app')
      throw new Problem('insufficient_scope', {
        message:
          'A token of a phone, or of an app, makes no tokens. Make it with an API key, or an access token of a person.',
      })
    const identity = body.identity === undefined ? identityOf(principal) : identityText(body.identity)
    // Some letters are two in lower case.
    if ([...identity].length > maxIdentityLength) {
      const message = `must have at most ${maxIdentityLength} characters, written in lower case`
      throw invalid({ field: 'identity', code: 'too_long', message })
    }
    const isOwn = identity === identityText(principal.email)
    if (!isOwn && !principal.permissions.has('users:manage') && (await isUserEmail(tx, principal, identity)))
      throw new Problem(principal.scopes === null ? 'insufficient_role' : 'insufficient_scope', {
        message: `identity is another user of the organization, which needs the permission users:manage. Leave it out for your own.`,
        details: [{ field: 'identity', code: 'not_allowed', message: 'is another user' }],
      })
    const wantedMs = Math.floor(now / 1_000 + (body.ttlSeconds ?? defaultTtlSeconds)) * 1_000
    const expiresAtMs = Math.min(wantedMs, principal.endsAtMs ?? wantedMs)
    const { userId, tenantId, role, keyId, sessionId } = principal
    const phone = { identity, incoming: body.incoming ?? true, outgoing: body.outgoing ?? true }
    const maker = keyId === null ? { sessionId: sessionId as string, keyId } : { sessionId: null, keyId }
    const token = await services.tokens.signPhone({ userId, tenantId, role, phone, expiresAtMs, ...maker }, now)
    return { token, identity, expiresAt: new Date(expiresAtMs).toISOString() }
  },
})
