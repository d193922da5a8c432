// How the contract test meets organizations as a whole: their closing, their archives, and those who run the installation.
import { randomUUID } from 'node:crypto'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { newOperator as newOperatorOf } from '../operators.ts'
import { somebody } from '../people.ts'

/** Of an organization that earlier requests may have left closing. */
async function newOperator(t: TestApp, level: 'support' | 'full' = 'full') {
  await active(t)
  return newOperatorOf(t, level)
}

const operatorToken = async (t: TestApp, level?: 'support' | 'full') => (await newOperator(t, level)).token

/** An organization that no other test needs, and an operator. */
async function spare(t: TestApp): Promise<ContractRequest & { as: string; params: { organizationId: number } }> {
  const as = await operatorToken(t)
  const owner = { email: `${randomUUID()}@example.org`, name: 'Grace Hopper' }
  const { json } = await t.call('POST', '/v2/operator/organizations', { as, body: { name: 'Spare Company', owner } })
  return { as, params: { organizationId: json.data.organizationId } }
}

const reason = { reason: 'An invoice is not paid.' }

/** The same after some acts. */
const after =
  (...events: string[]) =>
  async (t: TestApp) => {
    const request = await spare(t)
    for (const event of events)
      await t.call('POST', `/v2/operator/organizations/${request.params.organizationId}/${event}`, {
        as: request.as,
        body: reason,
      })
    return { ...request, body: reason }
  }

const nobody = async (t: TestApp) => ({ as: await operatorToken(t), params: { organizationId: 999_999 } })
const support = async (t: TestApp) => ({ as: await operatorToken(t, 'support') })
const full = async (t: TestApp) => ({ as: await operatorToken(t) })

/** The main organization is closing; the next request finds it as it was. */
async function closing(t: TestApp, by: 'owner' | 'operator' = 'owner'): Promise<ContractRequest> {
  await t.ownerSql(
    "update organizations set state = 'closing', closing_by = $2, closes_at = now() + interval '9 days' where id = $1",
    [t.main.organizationId, by],
  )
  t.app.services.authenticator.forget()
  return {}
}

async function suspended(t: TestApp): Promise<ContractRequest> {
  await active(t)
  await t.ownerSql("update organizations set state = 'suspended' where id = $1", [t.main.organizationId])
  t.app.services.authenticator.forget()
  return { body: { name: 'Example Company' } }
}

/** As it was. */
async function active(t: TestApp): Promise<ContractRequest> {
  // Others may have made somebody else its owner.
  const set =
    "update organizations set state = 'active', closing_by = null, closes_at = null, owner_user_id = $2 where id = $1"
  await t.ownerSql(set, [t.main.organizationId, t.main.users.Admin.id])
  await t.ownerSql('delete from held_tenants')
  await t.ownerSql('delete from organization_exports')
  t.app.services.authenticator.forget()
  return {}
}

/** Two operators: one who asks, one who is asked about. */
async function twoOperators(t: TestApp) {
  const [as, other] = [await operatorToken(t), await newOperator(t, 'support')]
  return { as, params: { accountId: other.accountId }, email: other.email }
}

/** Nobody else is one. */
async function lastOperator(t: TestApp) {
  await t.ownerSql('delete from operators')
  const one = await newOperator(t)
  return { as: one.token, params: { accountId: one.accountId }, email: one.email }
}

type Asked = { as: string; params: { accountId: number }; email: string }
const settingOf = ({ as, email }: Asked, level: string) => ({ as, body: { email, level } })

async function archive(t: TestApp): Promise<ContractRequest> {
  await active(t)
  const { json } = await t.call('POST', '/v2/organization/exports', { as: t.main.tokens.Admin })
  return { params: { exportId: json.data.exportId } }
}

async function madeArchive(t: TestApp): Promise<ContractRequest> {
  const request = await archive(t)
  const { current } = t.app.services.objects
  const bytes = (async function* () {
    yield Buffer.from('an archive')
  })()
  const { size, sha256 } = await current.put(`organizations/1/${request.params?.['exportId']}.tar.gz`, bytes)
  await t.ownerSql(
    "update organization_exports set state = 'ready', storage = $2, storage_key = $3, size_bytes = $4, sha256 = $5 where id = $1",
    [
      request.params?.['exportId'],
      current.name,
      `organizations/1/${request.params?.['exportId']}.tar.gz`,
      size,
      sha256,
    ],
  )
  return request
}

const otherAdmin = async (t: TestApp) => ({ as: (await somebody(t, 'Admin')).as })

export const contract: ModuleContract = {
  'organization.close': {
    prepare: async t => ({
      ...(await active(t)),
      body: { name: (await t.call('GET', '/v2/organization', { as: t.main.tokens.Admin })).json.data.name },
    }),
    problems: {
      owner_required: async t => ({ ...(await active(t)), ...(await otherAdmin(t)) }),
      organization_state_conflict: async t => ({ ...(await closing(t)), body: { name: 'Example Company' } }),
      organization_suspended: suspended,
    },
  },
  'organization.reopen': {
    prepare: t => closing(t),
    problems: {
      owner_required: async t => ({ ...(await active(t)), ...(await otherAdmin(t)) }),
      organization_state_conflict: active,
      closed_by_operator: t => closing(t, 'operator'),
    },
  },
  'organization_exports.create': {
    prepare: active,
    problems: { export_under_way: async t => ({ ...(await archive(t)), params: {} }) },
  },
  'organization_exports.list': { prepare: active },
  'organization_exports.download': {
    prepare: madeArchive,
    foreign: async t => ({ ...(await madeArchive(t)), as: t.other.tokens.Admin }),
    problems: {
      not_found: async t => ({ ...(await active(t)), params: { exportId: 'oex_01k9r7d3w2v8e6q4n5m1b0c9xz' } }),
      export_not_ready: archive,
    },
  },
  'operator_tokens.create': {
    prepare: async t => ({ as: (await newOperator(t)).as }),
    problems: { not_operator: active },
  },
  'operators.list': { prepare: support },
  'operators.set': {
    prepare: async t => settingOf(await twoOperators(t), 'full'),
    problems: {
      no_such_account: async t => ({ ...(await full(t)), body: { email: 'nobody@nowhere.example', level: 'full' } }),
      last_operator: async t => settingOf(await lastOperator(t), 'support'),
    },
  },
  'operators.remove': {
    prepare: twoOperators,
    problems: {
      not_found: async t => ({ ...(await full(t)), params: { accountId: 999_999 } }),
      last_operator: lastOperator,
    },
  },
  'operator_events.list': { prepare: support },
  'operator_sending.get': { prepare: support },
  'operator_sending.hold': { prepare: full },
  'operator_sending.release': {
    async prepare(t) {
      const request = await full(t)
      await t.call('POST', '/v2/operator/sending/hold', { ...request, body: { reason: 'A test.' } })
      return request
    },
  },
  'operator_organizations.list': { prepare: support },
  'operator_organizations.create': {
    prepare: async t => ({
      ...(await full(t)),
      body: { name: 'New Company', owner: { email: `${randomUUID()}@example.org`, name: 'Grace' } },
    }),
  },
  'operator_organizations.get': {
    async prepare(t) {
      const { as, params } = await after()(t)
      return { as, params }
    },
    problems: { not_found: nobody },
  },
  'operator_organizations.update': {
    prepare: async t => ({ ...(await spare(t)), body: { mailsPerDay: 500 } }),
    problems: {
      not_found: nobody,
      organization_state_conflict: async t => {
        const request = await spare(t)
        await t.ownerSql("update organizations set state = 'closed' where id = $1", [request.params.organizationId])
        return { ...request, body: { mailsPerDay: 500 } }
      },
    },
  },
  'operator_organizations.suspend': {
    prepare: after(),
    problems: { not_found: nobody, organization_state_conflict: after('suspend') },
  },
  'operator_organizations.resume': {
    prepare: after('suspend'),
    problems: { not_found: nobody, organization_state_conflict: after() },
  },
  'operator_organizations.close': {
    prepare: after(),
    problems: { not_found: nobody, organization_state_conflict: after('close') },
  },
  'operator_organizations.reopen': {
    prepare: after('close'),
    problems: { not_found: nobody, organization_state_conflict: after() },
  },
}
