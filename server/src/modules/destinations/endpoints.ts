// Destination policies over HTTP: read, changed, put back; and the question whether a number may be called or texted.
import { Type } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { type Context, endpoint } from '../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../kernel/endpoint/page.ts'
import { emitChange } from '../../kernel/endpoint/record_event.ts'
import { Nullable, OneOf } from '../../kernel/endpoint/schema.ts'
import { dateIn, isoMs } from '../../kernel/values/clock.ts'
import { isId } from '../../kernel/values/ids.ts'
import { parsePhone } from '../../kernel/values/phone.ts'
import { invalid, Problem } from '../../kernel/values/problem.ts'
import { codeOf, destinationRefusal, policiesChanged, policiesIn, refuseRestricted, textOf } from './index.ts'
import { factsOf, readingsOf } from './ranges.ts'
import { ceilings, defaultPolicy, openPolicy, organizationSubject, type Policy, refusalOf, shutKinds } from './rules.ts'
import { changed, PolicyPatch, PolicyRecord, policyFaults, presentPolicy, samplePolicy } from './schemas.ts'
import { findPolicies, hasSubject, listPolicies, listUsage, lockPolicy, removePolicy, writePolicy } from './store.ts'

const PolicyParams = Type.Object({
  policy: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'organization, or the id of an API key (key_…) or a trunk (trk_…) of this mode.',
  }),
})

const own = { version: 'v2', category: 'Organization' } as const

type Presenting = Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'now'>

async function presentAll({ tx, principal, now }: Presenting, policies: readonly Policy[]) {
  const day = dateIn(principal.settings.timeZone, now)
  const usage = await listUsage(
    tx,
    principal,
    policies.map(policy => policy.subject),
    day,
  )
  const of = new Map(usage.map(row => [row.subject, row]))
  return policies.map(policy => presentPolicy(policy, of.get(policy.subject)!))
}

async function presentOne(context: Presenting, policy: Policy) {
  const [shown] = await presentAll(context, [policy])
  return shown!
}

/** The policy of a subject that exists, or what holds where none is set. @throws Problem `not_found` */
async function policyOf(tx: Tx, principal: Principal, subject: string): Promise<Policy> {
  const isOrganization = subject === organizationSubject
  if (!isOrganization) {
    const isFit = isId('key', subject) || isId('trk', subject)
    if (!isFit || !(await hasSubject(tx, principal, subject))) throw new Problem('not_found')
  }
  const [stored] = await findPolicies(tx, principal, [subject])
  return stored ?? (isOrganization ? defaultPolicy(principal.mode) : openPolicy(subject))
}

export const list = endpoint({
  ...own,
  id: 'destination_policies.list',
  method: 'GET',
  path: '/destinations/policies',
  name: 'List destination policies',
  description:
    'What may be called and texted, and how much in a day, in this mode: first the policy of the organization, then those of API keys and trunks that have one of their own, with what was used today.',
  permission: 'destinations:read',
  query: Type.Object(v2PageQuery),
  reply: PolicyRecord,
  envelope: 'page',
  sample: { query: { limit: 50 }, reply: samplePolicy },
  async handle({ tx, principal, query: { cursor, limit = 50 }, now }) {
    const isFirst = cursor === undefined
    const [behind] = readCursor(cursor, {}, 'text') ?? ['']
    const first = isFirst ? [await policyOf(tx, principal, organizationSubject)] : []
    const others = await listPolicies(tx, principal, { limit: limit - first.length, behind })
    // The organization's stands before all others, wherever its name would.
    const keyOf = ({ subject }: Policy) => [subject === organizationSubject ? '' : subject]
    const page = cutPage([...first, ...others], limit, keyOf, {})
    const items = await presentAll({ tx, principal, now }, page.rows)
    return { items, limit, nextCursor: page.nextCursor }
  },
})

export const get = endpoint({
  ...own,
  id: 'destination_policies.get',
  method: 'GET',
  path: '/destinations/policies/{policy}',
  name: 'Get a destination policy',
  description:
    'One policy, with what was used today. A key or trunk without one of its own has one that adds nothing to that of the organization.',
  permission: 'destinations:read',
  params: PolicyParams,
  reply: PolicyRecord,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { policy: 'organization' }, reply: samplePolicy },
  async handle({ tx, principal, params, now }) {
    return presentOne({ tx, principal, now }, await policyOf(tx, principal, params.policy))
  },
})

const updatedEvent = 'destination_policy.updated'

export const update = endpoint({
  ...own,
  id: 'destination_policies.update',
  method: 'PATCH',
  path: '/destinations/policies/{policy}',
  name: 'Update a destination policy',
  description:
    'Changes what is named and leaves the rest. A call or text must pass the policy of the organization, that of the API key it was asked for with, and that of the trunk it goes by. Calls count from now on where a ceiling is new. A key with a policy of its own changes none.',
  permission: 'destinations:manage',
  audit: 'destination_policy.updated',
  params: PolicyParams,
  body: PolicyPatch,
  reply: PolicyRecord,
  envelope: 'data',
  problems: ['not_found', 'scope_not_held'],
  sample: { params: { policy: 'organization' }, body: { allowedCountries: ['DE', 'US'] }, reply: samplePolicy },
  check: ({ body }) => policyFaults(body),
  async handle({ tx, principal, params, body, now, afterCommit, services }) {
    await refuseRestricted(tx, principal, 'changes none')
    await lockPolicy(tx, principal, params.policy)
    const policy = await policyOf(tx, principal, params.policy)
    const next = changed(policy, body)
    if (next.subject === organizationSubject && next.kinds === null)
      throw invalid({
        field: 'allowedKinds',
        code: 'not_allowed',
        message: 'must be a list for the organization; name each kind that is to be open',
      })
    const before = await presentOne({ tx, principal, now }, policy)
    const row = await writePolicy(tx, principal, next, isoMs(now))
    afterCommit(() => policiesChanged(services.db, principal.tenantId))
    const record = await presentOne({ tx, principal, now }, row)
    await emitChange(tx, principal, { type: updatedEvent, resourceId: params.policy, record, change: body, before })
    return record
  },
})

export const remove = endpoint({
  ...own,
  id: 'destination_policies.delete',
  method: 'DELETE',
  path: '/destinations/policies/{policy}',
  name: 'Reset a destination policy',
  description:
    'Forgets what was set: the organization has the defaults again, a key or trunk adds nothing to the policy of the organization.',
  permission: 'destinations:manage',
  audit: 'destination_policy.reset',
  params: PolicyParams,
  reply: PolicyRecord,
  envelope: 'data',
  problems: ['not_found', 'scope_not_held'],
  sample: { params: { policy: 'organization' }, reply: samplePolicy },
  async handle({ tx, principal, params, now, afterCommit, services }) {
    await refuseRestricted(tx, principal, 'changes none')
    await lockPolicy(tx, principal, params.policy)
    const before = await presentOne({ tx, principal, now }, await policyOf(tx, principal, params.policy))
    await removePolicy(tx, principal, params.policy)
    afterCommit(() => policiesChanged(services.db, principal.tenantId))
    const record = await presentOne({ tx, principal, now }, await policyOf(tx, principal, params.policy))
    await emitChange(tx, principal, { type: updatedEvent, resourceId: params.policy, record, before })
    return record
  },
})

const Refusal = Type.Object({
  policy: Type.String({ description: 'The policy that is against it.' }),
  code: Type.String({ description: 'The code of the problem that a call or text would meet.' }),
  message: Type.String({ description: 'Cause and remedy.' }),
})

export const check = endpoint({
  ...own,
  id: 'destinations.check',
  method: 'POST',
  path: '/destinations/check',
  name: 'Check a destination',
  description:
    'Returns country and kind of a number or SIP address, and whether the policies let it be called and texted now; if not, which one is against it and what to do. Nothing is called, sent or counted.',
  permission: 'destinations:read',
  idempotent: false,
  body: Type.Object({
    to: Type.String({
      minLength: 3,
      maxLength: 255,
      description: 'A telephone number in any usual spelling, or a SIP address.',
    }),
    keyId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Ask as this API key; left out: as the caller.' }),
    ),
    trunkId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Ask for this trunk, too.' })),
  }),
  reply: Type.Object({
    to: Type.String({ description: 'As it would be dialled.' }),
    country: Nullable(Type.String({ description: 'ISO 3166-1 alpha-2; null where it belongs to none.' })),
    kind: Nullable(OneOf(['ordinary', ...shutKinds], { description: 'null for what is no telephone number.' })),
    allowed: Type.Boolean(),
    refusal: Nullable(Refusal),
    reached: Type.Array(Type.Object({ policy: Type.String(), ceiling: OneOf(ceilings) }), {
      description: 'Ceilings for the number of calls that are reached: until they are not, no call is made.',
    }),
  }),
  envelope: 'data',
  problems: ['not_found', 'invalid_to_number'],
  sample: {
    body: { to: '+1 900 555 1234' },
    reply: {
      to: '+19005551234',
      country: 'US',
      kind: 'premium_rate',
      allowed: false,
      refusal: {
        policy: 'organization',
        code: 'destination_premium',
        message:
          '+19005551234 is a premium-rate number, and the destination policy of the organization has that kind shut. Add premium_rate to its allowedKinds, or the number to allowedPrefixes.',
      },
      reached: [],
    },
  },
  async handle({ tx, principal, body, now }) {
    const { defaultCountry, timeZone } = principal.settings
    for (const subject of [body.keyId, body.trunkId]) if (subject !== undefined) await policyOf(tx, principal, subject)
    const to = /^sips?:/i.test(body.to) ? body.to : parsePhone(body.to, defaultCountry ?? undefined)
    if (to === undefined)
      throw new Problem('invalid_to_number', {
        details: [{ field: 'to', code: 'wrong_format', message: 'is neither a telephone number nor a SIP address' }],
      })
    const keyId = body.keyId ?? principal.keyId
    const policies = await policiesIn(tx, principal, { mode: principal.mode, keyId })
    const own = body.trunkId === undefined ? undefined : await policyOf(tx, principal, body.trunkId)
    const asked = own === undefined ? policies : [...policies, own]
    const refusal =
      destinationRefusal(policies, to, defaultCountry) ??
      (own === undefined ? undefined : refusalOf([own], readingsOf(to, null)))
    const [facts] = to.startsWith('+') ? [factsOf(to)] : readingsOf(to, defaultCountry)
    const subjects = asked.map(policy => policy.subject)
    const usage = await listUsage(tx, principal, subjects, dateIn(timeZone, now))
    return {
      to,
      country: facts?.country ?? null,
      kind: facts?.kind ?? null,
      allowed: refusal === undefined,
      refusal:
        refusal === undefined ? null : { policy: refusal.subject, code: codeOf(refusal), message: textOf(refusal) },
      reached: asked.flatMap(({ subject, concurrent_calls, daily_calls }) => {
        const used = usage.find(row => row.subject === subject)!
        return [
          ...(concurrent_calls !== null && used.active >= concurrent_calls ? ['concurrent_calls' as const] : []),
          ...(daily_calls !== null && used.calls >= daily_calls ? ['daily_calls' as const] : []),
        ].map(ceiling => ({ policy: subject, ceiling }))
      }),
    }
  },
})

export const endpoints = [list, get, update, remove, check]
