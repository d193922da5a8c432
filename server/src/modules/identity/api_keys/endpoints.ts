// API keys: made, listed, rotated and revoked. A secret is shown once, in the answer that makes it; revoked keys stop
// on every node within two seconds.

import { type Static, Type } from 'typebox'
import { customRoleOf } from '../../../kernel/access/principal.ts'
import { keyTokenSeconds } from '../../../kernel/access/tokens.ts'
import { quotas } from '../../../kernel/data/quota.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { effectivePermissions, outlives, type Permission } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { permissions } from '../../../nouns.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { findUser, insertRevocation } from '../login/index.ts'
import { mailQueue, notify } from '../notices/index.ts'
import { findTenants } from '../organizations/index.ts'
import { endByPolicy, expiryOf, makeKey, makerOf, msOf, refuseToken } from './making.ts'
import { keyMadeNotice } from './notices.ts'
import { emitKeys, presentKey } from './present.ts'
import { faultsOfNewKey, mayRotate, reachOf, tokenExpiry } from './rules.ts'
import { changeParent, type KeyRow, listKeys, lockKey, revokeChildren, revokeKey } from './store.ts'

const vocabulary = Object.keys(permissions) as Permission[]
const modes = ['live', 'test'] as const
const maxOverlapSeconds = 7 * 86_400

const Scopes = Nullable(
  Type.Array(OneOf(vocabulary), { description: "What the key may do; null means all that its owner's role may." }),
)

const keyFields = {
  keyId: Type.String(),
  name: Type.String(),
  mode: OneOf(modes, { description: 'Which tenant the key acts in.' }),
  scopes: Scopes,
  lastFour: Type.String({ description: 'The last four characters of the secret, to distinguish keys.' }),
  userId: Type.Integer({ description: 'Whose key it is: it acts with the rights of this user.' }),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Exact to some seconds.' })),
  revokedAt: Nullable(
    Type.String({ format: 'date-time', description: 'When the key stops or stopped; in the future after a rotation.' }),
  ),
  replacedBy: Nullable(Type.String({ description: 'The key it was rotated into.' })),
  parentId: Nullable(
    Type.String({ description: 'The key it was made with, and ends with; null when a person made it.' }),
  ),
}
const ApiKey = Type.Object(keyFields)
const NewApiKey = Type.Object({
  ...keyFields,
  secret: Type.String({ description: 'The key itself. It is not stored and never shown again.' }),
})

const sampleKey: Static<typeof ApiKey> = {
  keyId: 'key_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Website',
  mode: 'test',
  scopes: ['messages:send', 'messages:read'],
  lastFour: 'x7Qa',
  userId: 1,
  expiresAt: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  lastUsedAt: null,
  revokedAt: null,
  replacedBy: null,
  parentId: null,
}
// Of the right shape, with a checksum that does not fit.
const sampleSecret = `tdm_test_${'EXAMPLE0'.repeat(4)}00x7Qa`

function presentNew({ row, secret }: { row: KeyRow; secret: string }) {
  return { ...presentKey(row), secret }
}

const KeyParams = Type.Object({
  keyId: RecordId('key', 'Identifier of the API key.'),
})

export const createKey = endpoint({
  id: 'api_keys.create',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/api-keys',
  name: 'Create an API key',
  description:
    'Makes a key of the caller for live or test mode and answers its secret, this once (a repeat with the' +
    ' same Idempotency-Key answers it again, from storage it cannot be read in). Without scopes the key ' +
    'may do all that the role of its owner may, now and later. Nobody can give a key rights they do not ' +
    'hold; a key with scopes must name those of the new one, and live keys are made in live mode. A key made with a ' +
    'key ends with it at the latest: when it is revoked, and when it expires. The short-lived token of a key makes ' +
    `none. A user has at most ${quotas.keys.user} keys that work in a mode, an organization ${quotas.keys.tenant} live and ${quotas.keys.testTenant} test ones.`,
  permission: 'keys:manage',
  recent: 'factor',
  keysToo: true,
  audit: 'api_key.created',
  handsOut: true,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' }),
    mode: OneOf(modes, { description: 'live, or test for the simulator and test data only.' }),
    scopes: Type.Optional(
      Nullable(
        Type.Array(OneOf(vocabulary), {
          minItems: 1,
          uniqueItems: true,
          maxItems: 200,
          description: 'Permissions the key is cut down to; left out or null: all of the role.',
        }),
      ),
    ),
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          maxLength: 40,
          description:
            'When the key stops by itself; null: never. Left out: with the key that makes it, otherwise as late as the organization lets keys live.',
        }),
      ),
    ),
  }),
  reply: NewApiKey,
  envelope: 'data',
  status: 201,
  secretReply: true,
  problems: ['person_required', 'too_many_keys'],
  sample: {
    body: { name: 'Website', mode: 'test', scopes: ['messages:send', 'messages:read'] },
    reply: { ...sampleKey, secret: sampleSecret },
  },
  async handle({ tx, principal, body, now, asked, handOut, services, afterCommit }) {
    refuseToken(principal)
    const scopes = body.scopes ?? null
    await refuseRestricted(tx, principal, 'makes no keys')
    const faults = faultsOfNewKey(principal, { mode: body.mode, scopes })
    if (faults.length > 0) throw scopeNotHeld(faults)
    const maker = await makerOf(tx, principal, now)
    const inherited = maker.endsAtMs === null ? null : new Date(maker.endsAtMs).toISOString()
    const isNamed = body.expiresAt !== undefined
    const expiresAt = body.expiresAt === undefined ? inherited : expiryOf(body.expiresAt, now)
    const expires_at = await endByPolicy(tx, principal, { expiresAt, isNamed, nowMs: now })
    if (outlives(msOf(expires_at), maker.endsAtMs)) {
      const message = `must not be later than ${inherited}, when the key that makes it ends`
      throw scopeNotHeld([{ field: 'expiresAt', code: 'not_held', message }])
    }
    const rights = effectivePermissions(principal, scopes)
    handOut({ permissions: rights, mode: body.mode, endsAtMs: msOf(expires_at) }, 'scopes')
    const tenants = await findTenants(tx, principal)
    const key = { name: body.name.trim(), mode: body.mode, scopes, expires_at, parent_id: maker.keyId }
    const own = { ...key, tenant_id: tenants[body.mode], user_id: principal.userId }
    const made = await makeKey({ tx, principal, now, services }, own)
    await emitKeys(tx, principal, 'api_key.created', made.row)
    if (body.mode === 'live') await noticeKey({ tx, principal, asked, now, services, afterCommit }, made.row)
    return presentNew(made)
  },
})

type Making = Pick<
  Context<unknown, unknown, unknown>,
  'tx' | 'principal' | 'asked' | 'now' | 'services' | 'afterCommit'
>

/** Says to the person whose key it is that there is one more. */
async function noticeKey({ tx, principal, asked, now, services, afterCommit }: Making, key: KeyRow): Promise<void> {
  const to = await findUser(tx, principal, principal.userId)
  if (to === undefined) return
  const detail = `${key.name}, ending in ${key.last_four}`
  await notify(tx, services, principal, { notice: keyMadeNotice, to, detail, asked, nowMs: now })
  afterCommit(() => services.wake(mailQueue))
}

function scopeNotHeld(details: ReturnType<typeof faultsOfNewKey>): Problem {
  const reported = details.map(fault => `${fault.field} ${fault.message}`).join('; ')
  const message = `A key cannot be given more than its maker holds: ${reported}.`
  return new Problem('scope_not_held', { message, details })
}

export const listAllKeys = endpoint({
  id: 'api_keys.list',
  version: 'v2',
  category: 'Authentication',
  method: 'GET',
  path: '/auth/api-keys',
  name: 'List API keys',
  description:
    'Keys without their secrets, newest first. An Admin sees all keys of the organization, others see ' +
    'their own; a test key sees test keys only.',
  permission: 'keys:read',
  query: Type.Object({
    mode: Type.Optional(OneOf(modes, { description: 'Only live or only test keys.' })),
    active: Type.Optional(
      Type.Boolean({ description: 'Only keys that work now (true), or that are revoked or expired (false).' }),
    ),
    userId: Type.Optional(IntegerId),
    ...v2PageQuery,
  }),
  reply: ApiKey,
  envelope: 'page',
  sample: { query: { active: true }, reply: sampleKey },
  async handle({ tx, principal, query, now }) {
    const { cursor, limit = 50, ...filter } = query
    const beforeId = cursorId('key', cursor, filter)
    const rows = await listKeys(tx, principal, reachOf(principal), filter, { limit, beforeId, nowMs: now })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentKey), limit, nextCursor: cut.nextCursor }
  },
})

export const deleteKey = endpoint({
  id: 'api_keys.revoke',
  version: 'v2',
  category: 'Authentication',
  method: 'DELETE',
  path: '/auth/api-keys/{keyId}',
  name: 'Revoke an API key',
  description:
    'Ends a key for good, and the keys that were made with it: within two seconds every node refuses them. They stay ' +
    'in the list. Revoking it again changes nothing. Live keys are revoked in live mode.',
  permission: 'keys:manage',
  audit: 'api_key.revoked',
  params: KeyParams,
  reply: ApiKey,
  envelope: 'data',
  problems: ['not_found', 'live_mode_required'],
  sample: { params: { keyId: sampleKey.keyId }, reply: { ...sampleKey, revokedAt: '2026-11-21T08:45:00.456Z' } },
  async handle({ tx, principal, params, now, afterCommit, services }) {
    const key = await lockKey(tx, principal, reachOf(principal), params.keyId, now)
    if (key === undefined) throw new Problem('not_found')
    if (key.mode === 'live' && principal.mode === 'test') throw new Problem('live_mode_required')
    const [revoked, children] = await Promise.all([
      revokeKey(tx, principal, key.id, { afterSeconds: 0 }),
      revokeChildren(tx, principal, key.id),
      insertRevocation(tx, 'key', key.id),
    ])
    // A key that was revoked before has had its event.
    const ended = key.dead ? children : [revoked, ...children]
    await emitKeys(tx, principal, 'api_key.revoked', ...ended)
    afterCommit(() => services.authenticator.forget())
    return presentKey(revoked)
  },
})

export const rotateKey = endpoint({
  id: 'api_keys.rotate',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/api-keys/{keyId}/rotate',
  name: 'Rotate an API key',
  description:
    'Makes a new key with the same owner, name, mode, scopes and expiry, answers its secret this once, ' +
    'and ends the old one after an overlap in which both work. The keys that the old one made go on with the new one. ' +
    'A key with scopes rotates only keys of its own user whose scopes it holds, and no key rotates one that lives ' +
    'longer than itself. Live keys are rotated in live mode.',
  permission: 'keys:manage',
  recent: 'factor',
  keysToo: true,
  audit: 'api_key.rotated',
  handsOut: true,
  params: KeyParams,
  body: Type.Object({
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxOverlapSeconds,
        default: 86_400,
        description: 'How long the old key goes on working; 0 ends it at once. A day when left out, a week at most.',
      }),
    ),
  }),
  reply: NewApiKey,
  envelope: 'data',
  status: 201,
  secretReply: true,
  problems: ['not_found', 'key_not_active', 'person_required', 'too_many_keys'],
  sample: {
    params: { keyId: 'key_01k9r7d3w2v8e6q4n5m1b0c9xy' },
    body: { overlapSeconds: 3600 },
    reply: { ...sampleKey, secret: sampleSecret },
  },
  async handle({ tx, principal, params, body, now, handOut, afterCommit, services }) {
    refuseToken(principal)
    const old = await lockKey(tx, principal, reachOf(principal), params.keyId, now)
    if (old === undefined) throw new Problem('not_found')
    if (!mayRotate(principal, old)) {
      throw new Problem('scope_not_held', {
        message: 'The key to rotate may do more than the key that asks. Let a person or a stronger key rotate it.',
      })
    }
    // What it is rotated into has the same policy; that of another key may be none.
    if (old.id !== principal.keyId) await refuseRestricted(tx, principal, 'rotates no key but itself')
    const rights = effectivePermissions({ ...old, custom: customRoleOf(old.custom) }, old.scopes)
    handOut({ permissions: rights, mode: old.mode, endsAtMs: msOf(old.expires_at) }, 'keyId')
    if (old.dead) throw new Problem('key_not_active')
    const maker = await makerOf(tx, principal, now)
    if (outlives(msOf(old.expires_at), maker.endsAtMs)) {
      throw new Problem('scope_not_held', {
        message:
          'The new key would live longer than the key that asks. Let a person rotate it, or a key that lives as long.',
      })
    }
    const { name, mode, scopes, tenant_id, user_id } = old
    const expires_at = await endByPolicy(tx, principal, { expiresAt: old.expires_at, isNamed: false, nowMs: now })
    // Anyone who holds a key knows the secrets it was answered; its own successor takes its place.
    const parent_id = maker.keyId === null || maker.keyId === old.id ? old.parent_id : maker.keyId
    const key = { name, mode, scopes, expires_at, tenant_id, user_id, parent_id }
    const made = await makeKey({ tx, principal, now, services }, key)
    const afterSeconds = body.overlapSeconds ?? 86_400
    const ending = await revokeKey(tx, principal, old.id, { afterSeconds, replacedBy: made.row.id })
    await changeParent(tx, principal, old.id, made.row.id)
    await emitKeys(tx, principal, 'api_key.created', made.row)
    await emitKeys(tx, principal, 'api_key.rotated', ending)
    // Nodes that know the old key do not know yet when it ends.
    await insertRevocation(tx, 'key', old.id)
    afterCommit(() => services.authenticator.forget())
    return presentNew(made)
  },
})

export const createToken = endpoint({
  id: 'api_keys.create_token',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/api-keys/{keyId}/tokens',
  name: 'Create a short-lived token of an API key',
  description:
    'Answers an access token that acts as the key for 15 minutes, or until the key ends if that is sooner: ' +
    'same tenant, scopes and rate limit, and the request log shows the key. So a person can try what a key may do ' +
    "without its secret. Only the key's owner, logged in, gets one, of a live key in live mode; it cannot be " +
    'refreshed, makes no keys, and dies with the key within two seconds.',
  permission: 'keys:manage',
  audit: 'api_key.token_created',
  handsOut: true,
  params: KeyParams,
  reply: Type.Object({
    token: Type.String({ description: 'JWT; send it as Authorization: Bearer <token>.' }),
    expiresAt: Timestamp,
    keyId: Type.String(),
  }),
  envelope: 'data',
  status: 201,
  // Nothing is kept of a token: a repeat simply makes another.
  idempotent: false,
  problems: ['not_found', 'key_not_active', 'person_required'],
  sample: {
    params: { keyId: sampleKey.keyId },
    reply: {
      token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      expiresAt: '2026-11-21T08:59:00.000Z',
      keyId: sampleKey.keyId,
    },
  },
  async handle({ tx, principal, params, now, handOut, services }) {
    if (principal.kind !== 'user') throw new Problem('person_required')
    const key = await lockKey(tx, principal, { userId: principal.userId, mode: null }, params.keyId, now)
    if (key === undefined) {
      throw new Problem('not_found', { message: 'None of your own keys has this id; a token is made of those only.' })
    }
    const expiresAtMs = tokenExpiry(key, keyTokenSeconds, now)
    const rights = effectivePermissions({ ...key, custom: customRoleOf(key.custom) }, key.scopes)
    handOut({ permissions: rights, mode: key.mode, endsAtMs: expiresAtMs }, 'keyId')
    if (key.dead) throw new Problem('key_not_active')
    const claims = { keyId: key.id, userId: key.user_id, tenantId: key.tenant_id, role: principal.role, expiresAtMs }
    const token = await services.tokens.signKeyAccess(claims, now)
    return { token, expiresAt: new Date(expiresAtMs).toISOString(), keyId: key.id }
  },
})

export const endpoints = [createKey, listAllKeys, deleteKey, rotateKey, createToken]
