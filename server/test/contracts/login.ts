// How the contract test meets login, refresh, logout and "who am I".

import { brakeOf, maxInARow } from '../../src/modules/identity/login/brake.ts'
import type { ModuleContract } from '../contract_types.ts'
import { type TestApp, testPassword } from '../harness.ts'
import { codeOf, ownPassword, somebody, strongSomebody } from '../people.ts'
import { enforceSso } from '../sso.ts'

const credentials = (t: TestApp) => ({ emailOrAdminId: t.main.users['Sales Manager'].email, password: testPassword })

async function refreshToken(t: TestApp): Promise<string> {
  const { json } = await t.call('POST', '/v1/api/auth/login', { body: credentials(t) })
  return json.refreshToken
}

/** A login that waits for a code, and that code. The address is that of the contract test: a challenge is for one place. */
async function waiting(t: TestApp, body: object = {}) {
  const { email, secret } = await strongSomebody(t)
  const { challengeToken } = await challenged(t, email)
  return { body: { challengeToken, code: codeOf(t, secret, 1), ...body }, email }
}

async function challenged(t: TestApp, emailOrAdminId: string) {
  const { json } = await t.call('POST', '/v1/api/auth/login', { body: { emailOrAdminId, password: ownPassword } })
  return json as { challengeToken: string; setup?: { secret: string } }
}

async function temporary(t: TestApp): Promise<{ emailOrAdminId: string; password: string }> {
  const { email, userId } = await somebody(t)
  await t.ownerSql(
    'update accounts set password_is_temporary = true where id = (select account_id from users where id = $1)',
    [userId],
  )
  return { emailOrAdminId: email, password: ownPassword }
}

const ended = "update accounts set password_ends_at = now() - interval '1 minute' where email = $1"

async function temporaryStrong(t: TestApp) {
  const { emailOrAdminId } = await temporary(t)
  const { challengeToken } = await challenged(t, emailOrAdminId)
  await t.ownerSql(
    `insert into account_factors (account_id, id, kind, name, secret, confirmed_at)
     select id, 'fac_late', 'totp', 'Phone', 'x', now() from accounts where email = $1`,
    [emailOrAdminId],
  )
  return { body: { challengeToken, newPassword: 'seven brass lanterns drift' } }
}

/** Moves somebody into an organization of their own that asks for something. */
export async function inStrictOrganization(t: TestApp, email: string, column: string, value: string): Promise<void> {
  await t.ownerSql(
    `with made as (insert into organizations (name) values ('Strict') returning id),
     tenants_made as (insert into tenants (organization_id, mode) select id, m from made, unnest(array['live', 'test']) m)
     insert into security_policies (organization_id, ${column}) select id, ${value} from made`,
  )
  await t.ownerSql(
    `insert into users (organization_id, account_id, email, name, role, last_used_at)
     select o.id, a.id, a.email, a.name, 'Admin', now() + interval '1 day'
     from accounts a, (select max(id) as id from organizations) o where a.email = $1`,
    [email],
  )
}

/** What the organization of somebody asks from now on. */
async function askMore(t: TestApp, email: string, change: string): Promise<void> {
  await t.ownerSql(
    `update security_policies p set ${change} from users u join accounts a on a.id = u.account_id
     where u.organization_id = p.organization_id and a.email = $1`,
    [email],
  )
}

async function withPolicy(t: TestApp, column: string, value: string) {
  const { email } = await somebody(t)
  await inStrictOrganization(t, email, column, value)
  return { emailOrAdminId: email, password: ownPassword }
}

const needs = {
  second_factor_required: async (t: TestApp) => ({
    body: { emailOrAdminId: (await strongSomebody(t)).email, password: ownPassword },
  }),
  second_factor_setup_required: async (t: TestApp) => ({ body: await withPolicy(t, 'require_second_factor', 'true') }),
  password_change_required: async (t: TestApp) => ({ body: await temporary(t) }),
  address_not_allowed: async (t: TestApp) => ({
    body: await withPolicy(t, 'allowed_addresses', "array['203.0.113.0/24']"),
  }),
  async sso_required(t: TestApp) {
    const body = await withPolicy(t, 'magic_link', 'false')
    await enforceSso(t, body.emailOrAdminId)
    return { body }
  },
}

export const contract: ModuleContract = {
  'auth.verify_login': {
    prepare: async t => ({ body: (await waiting(t)).body }),
    problems: {
      challenge_expired: async () => ({}),
      invalid_second_factor: async t => ({ body: (await waiting(t, { code: '000000' })).body }),
      async weak_password(t) {
        const body = await temporary(t)
        const { challengeToken } = await challenged(t, body.emailOrAdminId)
        return { body: { challengeToken, newPassword: 'passwordpassword1' } }
      },
      async login_throttled(t) {
        const { body } = await waiting(t, { code: '000000' })
        for (let guess = 0; guess < 7; guess++) await t.call('POST', '/v1/api/auth/login/verify', { body })
        return { body }
      },
      async password_change_required(t) {
        const { body, email } = await waiting(t)
        await t.ownerSql('update accounts set password_is_temporary = true where email = $1', [email])
        return { body }
      },
      async initial_password_expired(t) {
        const { body, email } = await waiting(t)
        await t.ownerSql(ended, [email])
        return { body }
      },
      // Somebody else added a factor, or changed what is asked for, while the login waited for a password.
      async second_factor_required(t) {
        const { body } = await temporaryStrong(t)
        return { body }
      },
      async second_factor_setup_required(t) {
        const { emailOrAdminId } = await temporary(t)
        await inStrictOrganization(t, emailOrAdminId, 'magic_link', 'false')
        const { challengeToken } = await challenged(t, emailOrAdminId)
        await askMore(t, emailOrAdminId, 'require_second_factor = true')
        return { body: { challengeToken, newPassword: 'seven brass lanterns drift' } }
      },
      async address_not_allowed(t) {
        const { emailOrAdminId } = await temporary(t)
        await inStrictOrganization(t, emailOrAdminId, 'magic_link', 'false')
        const { challengeToken } = await challenged(t, emailOrAdminId)
        await askMore(t, emailOrAdminId, "allowed_addresses = array['203.0.113.0/24']")
        return { body: { challengeToken, newPassword: 'seven brass lanterns drift' } }
      },
      async sso_required(t) {
        const { emailOrAdminId } = await temporary(t)
        await inStrictOrganization(t, emailOrAdminId, 'magic_link', 'false')
        const { challengeToken } = await challenged(t, emailOrAdminId)
        await enforceSso(t, emailOrAdminId)
        return { body: { challengeToken, newPassword: 'seven brass lanterns drift' } }
      },
    },
  },
  'auth.login': {
    prepare: async t => ({ body: credentials(t) }),
    problems: {
      ...needs,
      membership_required: async t => ({ body: { ...credentials(t), organizationId: t.other.organizationId } }),
      invalid_credentials: async t => ({ body: { ...credentials(t), password: 'not the password' } }),
      async login_throttled(t) {
        const emailOrAdminId = 'guessed@example.com'
        const guess = { emailOrAdminId, password: 'a guess' }
        for (let failure = 0; failure < 9; failure++) await t.call('POST', '/v1/api/auth/login', { body: guess })
        return { body: { emailOrAdminId, password: 'another guess' } }
      },
      async initial_password_expired(t) {
        const body = await temporary(t)
        await t.ownerSql(ended, [body.emailOrAdminId])
        return { body }
      },
      async login_by_mail_required(t) {
        const emailOrAdminId = 'besieged@example.com'
        const nowMs = t.clock.now()
        const attempt = { account: undefined, folded: emailOrAdminId, ip: '198.51.100.77', device: null, nowMs }
        const brake = await brakeOf(t.app.services, attempt)
        for (let guess = 0; guess < maxInARow; guess++) await brake.failed()
        return { body: { emailOrAdminId, password: 'another guess' } }
      },
    },
  },
  'auth.refresh': {
    prepare: async t => ({ body: { refreshToken: await refreshToken(t) } }),
    problems: {
      invalid_refresh_token: async t => ({ body: { refreshToken: `${await refreshToken(t)}x` } }),
    },
  },
  'auth.logout': { endsCredential: true },
}
