// How the contract test meets signing up: the setting of the server, the token of the mail, codes of operators.
import { randomUUID } from 'node:crypto'
import type { SignUpMode } from '../../src/modules/identity/organizations/index.ts'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { operatorToken } from '../operators.ts'
import { somebody, tokenMailed } from '../people.ts'

const password = 'seven brass lanterns drift'

/** As the server is set from here on; who asked before is forgotten. */
async function lets(t: TestApp, mode: SignUpMode): Promise<void> {
  t.app.services.organizations.signUp = mode
  await t.ownerSql(
    "update organizations set state = 'active', closing_by = null, closes_at = null where state <> 'closed'",
  )
  await t.ownerSql('delete from held_tenants')
  await t.ownerSql('delete from sign_ups')
}

const asking = (more: object = {}): ContractRequest => ({
  body: { email: `${randomUUID()}@example.org`, name: 'Grace Hopper', organization: 'Example GmbH', ...more },
})

const inMode =
  (mode: SignUpMode, request: () => ContractRequest = asking) =>
  async (t: TestApp) => {
    await lets(t, mode)
    return request()
  }

async function mailed(t: TestApp, chosen = password, code?: string): Promise<ContractRequest> {
  await lets(t, 'open')
  const { body } = asking(code === undefined ? {} : { code })
  await t.call('POST', '/v2/auth/sign-up', { body })
  return { body: { token: await tokenMailed(t, (body as { email: string }).email), password: chosen } }
}

async function newCode(t: TestApp): Promise<{ as: string; code: string; codeId: string }> {
  const as = await operatorToken(t)
  return { as, ...(await t.call('POST', '/v2/operator/organization-codes', { as, body: {} })).json.data }
}

/** Somebody whose address is verified, or not. */
async function person(t: TestApp, verified = true): Promise<ContractRequest & { email: string }> {
  await lets(t, 'open')
  const { as, email } = await somebody(t)
  if (verified) await t.ownerSql('update accounts set email_verified_at = now() where email = $1', [email])
  return { as, email, body: { name: 'One more' } }
}

async function ownerOfThree(t: TestApp): Promise<ContractRequest> {
  const request = await person(t)
  for (let n = 0; n < 3; n++)
    await t.call('POST', '/v2/users/me/organizations', { as: request.as as string, body: { name: `No. ${n}` } })
  return request
}

export const contract: ModuleContract = {
  'auth.sign_up': {
    prepare: inMode('open'),
    problems: {
      sign_up_closed: inMode('closed'),
      organization_code_refused: inMode('invite'),
      sign_up_throttled: async t => {
        await lets(t, 'open')
        for (let n = 0; n < 5; n++) await t.call('POST', '/v2/auth/sign-up', { body: asking().body })
        return asking()
      },
    },
  },
  'auth.confirm_sign_up': {
    prepare: t => mailed(t),
    problems: {
      sign_up_closed: async t => {
        const request = await mailed(t)
        t.app.services.organizations.signUp = 'closed'
        return request
      },
      link_expired: inMode('open', () => ({ body: { token: 'none', password } })),
      weak_password: t => mailed(t, 'passwordpassword1'),
      organization_code_refused: async t => {
        await lets(t, 'open')
        const { code, codeId } = await newCode(t)
        const request = await mailed(t, password, code)
        await t.ownerSql('delete from organization_codes where id = $1', [codeId])
        return request
      },
    },
  },
  'own_organizations.create': {
    prepare: t => person(t),
    problems: {
      sign_up_closed: async t => {
        const request = await person(t)
        t.app.services.organizations.signUp = 'closed'
        return request
      },
      organization_code_refused: async t => ({ ...(await person(t)), body: { name: 'One more', code: 'org_unknown' } }),
      email_not_verified: t => person(t, false),
      too_many_organizations: ownerOfThree,
    },
  },
  'organization_codes.create': { prepare: async t => ({ as: await operatorToken(t) }) },
  'organization_codes.list': { prepare: async t => ({ as: await operatorToken(t, 'support') }) },
  'organization_codes.remove': {
    prepare: async t => {
      const { as, codeId } = await newCode(t)
      return { as, params: { codeId } }
    },
    problems: {
      not_found: async t => ({ as: await operatorToken(t), params: { codeId: 'oco_01k9r7d3w2v8e6q4n5m1b0c9xz' } }),
    },
  },
}
