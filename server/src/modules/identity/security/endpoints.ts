// What an organization asks of everybody who logs in to it: a second factor, how long sessions live, from where.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { listFactors } from '../factors/index.ts'
import { lockOrganization } from '../organizations/index.ts'
import { isAddressRange, isAllowedAddress } from './rules.ts'
import { changePolicy, countMembers, findPolicy, type SecurityPolicy } from './store.ts'

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
    'where it is required. What would lock out the one who asks is refused.',
  permission: 'security:manage',
  shared: true,
  recent: 'factor',
  body: Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)])) as {
      [Name in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[Name]>>
    },
  ),
  check: ({ body }) =>
    ((body as { allowedAddresses?: string[] }).allowedAddresses ?? []).flatMap((range, index) =>
      isAddressRange(range)
        ? []
        : [
            {
              field: `allowedAddresses[${index}]`,
              code: 'not_allowed',
              message: 'must be an address or a range such as 203.0.113.0/24',
            },
          ],
    ),
  reply: Policy,
  envelope: 'data',
  versioned: true,
  problems: ['would_lock_out'],
  sample: { body: { requireSecondFactor: false, sessionMaxHours: 720 }, reply: samplePolicy },
  async handle({ tx, principal, body, ifMatch, ip, setVersion }) {
    await lockOrganization(tx, principal)
    requireVersion(await findPolicy(tx, principal), ifMatch)
    if (body.allowedAddresses !== undefined && !isAllowedAddress(ip, body.allowedAddresses)) {
      throw lockedOut('allowedAddresses', `does not hold ${ip}, the address that you are at`)
    }
    if (body.requireSecondFactor === true && (await listFactors(tx, principal.person!.accountId)).length === 0) {
      throw lockedOut('requireSecondFactor', 'would ask you for a second factor, and your account has none')
    }
    const row = await changePolicy(tx, principal, {
      require_second_factor: body.requireSecondFactor,
      trust_device_days: body.trustDeviceDays,
      session_idle_minutes: body.sessionIdleMinutes,
      session_max_hours: body.sessionMaxHours,
      allowed_addresses: body.allowedAddresses,
    })
    setVersion(row.version)
    const record = presentPolicy(row, await countMembers(tx, principal))
    const resourceId = principal.organizationId
    await emitChange(tx, principal, { type: 'security_policy.updated', resourceId, record, change: body })
    return record
  },
})

function lockedOut(field: string, message: string): Problem {
  return new Problem('would_lock_out', { details: [{ field, code: 'not_allowed', message }] })
}

export const endpoints = [getSecurity, updateSecurity]
