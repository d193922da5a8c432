// What an organization asks of everybody who logs in to it: a second factor, how long sessions live, from where.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { listFactors } from '../factors/index.ts'
import { refuseShuttingOut } from '../members/index.ts'
import { lockOrganization } from '../organizations/index.ts'
import { isAddressRange, isAllowedAddress, isNarrower } from './rules.ts'
import { changePolicy, countLongKeys, countMembers, findPolicy, listOpenLogins, type SecurityPolicy } from './store.ts'

const fields = {
  requireSecondFactor: Type.Boolean({ description: 'Whether nobody logs in with a password alone.' }),
  trustDeviceDays: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'How long a browser may stand for the second factor, if its person says so; 0: never.',
  }),
  sessionIdleMinutes: Type.Integer({
    minimum: 5,
    maximum: 20_160,
    description: 'A session ends after so long without a new access token, which lives an hour; 20160 is 14 days.',
  }),
  sessionMaxHours: Type.Integer({
    minimum: 1,
    maximum: 2_160,
    description: 'A session ends after so long; 2160 is 90 days.',
  }),
  allowedAddresses: Type.Array(Type.String({ maxLength: 50 }), {
    maxItems: 100,
    uniqueItems: true,
    description:
      'Addresses and ranges (CIDR) that people may log in from; none: from everywhere. API keys are not held to it.',
  }),
  magicLink: Type.Boolean({
    description:
      'Whether people may log in by the link of a mail in place of the password; never of the second factor.',
  }),
  passwordMin: Nullable(
    Type.Integer({
      minimum: 10,
      maximum: 64,
      description:
        'Characters that passwords have which people choose from now on, where that is more than is asked anyway; null: no more.',
    }),
  ),
  apiKeysMaxDays: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description:
        'API keys that are made or rotated from now on end after so many days at the latest; null: when they say.',
    }),
  ),
}

const Policy = Type.Object({
  ...fields,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
  members: Type.Integer({ description: 'Active people of the organization.' }),
  membersWithoutSecondFactor: Type.Integer({
    description: 'Those of them who would have to set one up at their next login.',
  }),
})

const samplePolicy: Static<typeof Policy> = {
  requireSecondFactor: true,
  trustDeviceDays: 30,
  sessionIdleMinutes: 20_160,
  sessionMaxHours: 2_160,
  allowedAddresses: ['203.0.113.0/24'],
  magicLink: false,
  passwordMin: null,
  apiKeysMaxDays: 365,
  version: 1,
  members: 12,
  membersWithoutSecondFactor: 3,
}

function presentPolicy(row: SecurityPolicy, counts: { members: number; withoutFactor: number }) {
  return {
    requireSecondFactor: row.require_second_factor,
    trustDeviceDays: row.trust_device_days,
    sessionIdleMinutes: row.session_idle_minutes,
    sessionMaxHours: row.session_max_hours,
    allowedAddresses: row.allowed_addresses,
    magicLink: row.magic_link,
    passwordMin: row.password_min,
    apiKeysMaxDays: row.api_keys_max_days,
    version: row.version,
    members: counts.members,
    membersWithoutSecondFactor: counts.withoutFactor,
  }
}

export const getSecurity = endpoint({
  id: 'security.get',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/organization/security',
  name: 'Get the security policy',
  description:
    'What the organization asks of everybody who logs in to it, with an ETag for a later change, and how many people it concerns.',
  permission: 'security:manage',
  reply: Policy,
  envelope: 'data',
  versioned: true,
  sample: { reply: samplePolicy },
  async handle({ tx, principal, setVersion }) {
    const row = await findPolicy(tx, principal)
    setVersion(row.version)
    return presentPolicy(row, await countMembers(tx, principal))
  },
})

const Change = Type.Object(
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)])) as {
    [Name in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[Name]>>
  },
)
type Change = Static<typeof Change>

function rangeFaults({ allowedAddresses = [] }: Change) {
  return allowedAddresses.flatMap((range, index) =>
    isAddressRange(range)
      ? []
      : [
          {
            field: `allowedAddresses[${index}]`,
            code: 'not_allowed',
            message: 'must be an address or a range such as 203.0.113.0/24',
          },
        ],
  )
}

/**
 * What would keep the one who asks from logging in again, or might keep somebody who can take the ownership back.
 * @throws Problem `would_lock_out` or `transfer_open`
 */
async function refuseLockOut(
  tx: Tx,
  principal: Principal,
  { standing, body, ip, nowMs }: { standing: SecurityPolicy; body: Change; ip: string; nowMs: number },
): Promise<void> {
  if (body.allowedAddresses !== undefined && !isAllowedAddress(ip, body.allowedAddresses)) {
    throw lockedOut('allowedAddresses', `does not hold ${ip}, the address that you are at`)
  }
  if (body.requireSecondFactor === true && (await listFactors(tx, principal.person!.accountId)).length === 0) {
    throw lockedOut('requireSecondFactor', 'would ask you for a second factor, and your account has none')
  }
  if (body.allowedAddresses !== undefined && isNarrower(standing.allowed_addresses, body.allowedAddresses))
    await refuseShuttingOut(tx, principal, nowMs)
}

export const updateSecurity = endpoint({
  id: 'security.update',
  version: 'v2',
  category: 'Organization',
  method: 'PATCH',
  path: '/organization/security',
  audit: 'security_policy.updated',
  name: 'Update the security policy',
  description:
    'Holds from the next login or refresh of a token on. Anyone without a second factor sets one up at their next login, ' +
    'where it is required. What would lock out the one who asks is refused, and so are narrower `allowedAddresses` while the ownership is ' +
    'offered and for 72 hours after it changed, but to who offered it.',
  permission: 'security:manage',
  shared: true,
  recent: 'factor',
  body: Change,
  check: ({ body }) => rangeFaults(body),
  reply: Policy,
  envelope: 'data',
  versioned: true,
  problems: ['would_lock_out', 'transfer_open'],
  sample: { body: { requireSecondFactor: false, sessionMaxHours: 720 }, reply: samplePolicy },
  async handle({ tx, principal, body, ifMatch, ip, now, setVersion }) {
    await lockOrganization(tx, principal)
    const standing = requireVersion(await findPolicy(tx, principal), ifMatch)
    await refuseLockOut(tx, principal, { standing, body, ip, nowMs: now })
    const row = await changePolicy(tx, principal, {
      require_second_factor: body.requireSecondFactor,
      trust_device_days: body.trustDeviceDays,
      session_idle_minutes: body.sessionIdleMinutes,
      session_max_hours: body.sessionMaxHours,
      allowed_addresses: body.allowedAddresses,
      magic_link: body.magicLink,
      password_min: body.passwordMin,
      api_keys_max_days: body.apiKeysMaxDays,
    })
    setVersion(row.version)
    const counts = await countMembers(tx, principal)
    const [before, record] = [presentPolicy(standing, counts), presentPolicy(row, counts)]
    const resourceId = principal.organizationId
    await emitChange(tx, principal, { type: 'security_policy.updated', resourceId, record, change: body, before })
    return record
  },
})

function lockedOut(field: string, message: string): Problem {
  return new Problem('would_lock_out', { details: [{ field, code: 'not_allowed', message }] })
}

const Concerned = Type.Integer({ minimum: 0 })

export const previewSecurity = endpoint({
  id: 'security.preview',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/organization/security/preview',
  name: 'Preview a security policy',
  description:
    'Whom a change of the policy would concern, before it is made; what would lock out the one who asks is refused as the change would ' +
    'be. Nothing is changed.',
  permission: 'security:manage',
  shared: true,
  personOnly: true,
  idempotent: false,
  transaction: 'read',
  body: Change,
  check: ({ body }) => rangeFaults(body),
  reply: Type.Object({
    members: { ...Concerned, description: 'Active people of the organization.' },
    needSecondFactor: {
      ...Concerned,
      description: 'People who would have to set up a second factor at their next login.',
    },
    sessionsEnding: { ...Concerned, description: 'Sessions of the organization that would be over.' },
    membersElsewhere: {
      ...Concerned,
      description: 'People with a session from an address that would not be allowed: it would end within the hour.',
    },
    keysOutliving: {
      ...Concerned,
      description: 'API keys that live longer than the policy lets new ones. They stay as they are.',
    },
  }),
  envelope: 'data',
  problems: ['would_lock_out', 'transfer_open'],
  sample: {
    body: { requireSecondFactor: true, sessionMaxHours: 720 },
    reply: { members: 12, needSecondFactor: 3, sessionsEnding: 4, membersElsewhere: 0, keysOutliving: 0 },
  },
  async handle({ tx, principal, body, ip, now }) {
    const [policy, counts] = [await findPolicy(tx, principal), await countMembers(tx, principal)]
    await refuseLockOut(tx, principal, { standing: policy, body, ip, nowMs: now })
    const logins = await listOpenLogins(tx, principal, policy)
    const [idle, most] = [
      body.sessionIdleMinutes ?? policy.session_idle_minutes,
      body.sessionMaxHours ?? policy.session_max_hours,
    ]
    const ranges = body.allowedAddresses ?? policy.allowed_addresses
    const elsewhere = logins.filter(login => login.ip !== null && !isAllowedAddress(login.ip, ranges))
    const days = body.apiKeysMaxDays
    return {
      members: counts.members,
      needSecondFactor: (body.requireSecondFactor ?? policy.require_second_factor) ? counts.withoutFactor : 0,
      sessionsEnding: logins.filter(login => login.idle_for > idle * 60 || login.open_for > most * 3_600).length,
      membersElsewhere: new Set(elsewhere.map(({ user_id: userId }) => userId)).size,
      keysOutliving: days == null ? 0 : await countLongKeys(tx, principal, isoMs(now + days * 86_400_000), isoMs(now)),
    }
  },
})

export const endpoints = [getSecurity, updateSecurity, previewSecurity]
