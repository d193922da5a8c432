// How the contract test meets people: their account, what they have open, and their organizations.
import { randomUUID } from 'node:crypto'
import { assertionOf, challengeFor, keyHolder, make, newAuthenticator, use } from '../authenticator.ts'
import type { EndpointContract, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { codeOf, logIn, ownPassword, signInLink, somebody, strongSomebody, tokenMailed } from '../people.ts'
import { enforceSso } from '../sso.ts'
import { inStrictOrganization } from './login.ts'
import { before } from './members.ts'

const newPassword = 'seven brass lanterns drift'
const passwords = { currentPassword: ownPassword, newPassword }

async function otherSession(t: TestApp, as: string, email: string): Promise<string> {
  await logIn(t, email)
  const { json } = await t.call('GET', '/v2/users/me/sessions', { as })
  return json.data.sessions.find((session: { isCurrent: boolean }) => !session.isCurrent).sessionId
}

/** Makes the Admin of the other organization a member of the main one as well. */
async function memberOfBoth(t: TestApp): Promise<{ as: string }> {
  const { as, email } = await somebody(t)
  await t.sql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, 'Sales Manager' from accounts where email = $2`,
    [t.other.organizationId, email],
  )
  return { as }
}

/** Into an organization of its own that asks more of a login. */
async function intoStrict(t: TestApp, asks?: string) {
  const { as } = await memberOfBoth(t)
  const [made] = await t.ownerSql<{ id: number }>("insert into organizations (name) values ('Strict') returning id")
  const organizationId = Number(made!.id)
  await t.ownerSql(`insert into tenants (organization_id, mode) values ($1, 'live'), ($1, 'test')`, [organizationId])
  await t.ownerSql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, u.account_id, u.email, u.name, 'Admin' from users u where u.organization_id = $2 order by u.id desc limit 1`,
    [organizationId, t.main.organizationId],
  )
  if (asks === undefined) await enforceSso(t, organizationId)
  else await t.ownerSql(`insert into security_policies (organization_id, ${asks}`, [organizationId])
  return { as, body: { organizationId } }
}

/** A factor that is there, and the person whose it is. */
async function factorOf(t: TestApp) {
  const { as, factorId } = await strongSomebody(t)
  return { as, params: { factorId } }
}

const noFactor = async () => ({ params: { factorId: 'fac_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const foreignFactor = async (t: TestApp) => ({ params: (await factorOf(t)).params })

/** One that waits for its first code, and that code. */
async function waitingFactor(t: TestApp) {
  const { as } = await somebody(t)
  const { json } = await t.call('POST', '/v2/users/me/factors/totp', { as, body: {} })
  return { as, params: { factorId: json.data.factorId }, body: { code: codeOf(t, json.data.secret) } }
}

/** The next request finds a server that knows no host of its own. */
async function withoutSite(t: TestApp) {
  const { services } = t.app
  const { ownAddress } = services
  services.ownAddress = () => {
    services.ownAddress = ownAddress
    return undefined
  }
  return {}
}

/** A passkey that was made, and whose it is to be. */
async function newPasskey(t: TestApp) {
  const { as } = await somebody(t)
  return { as, body: { credential: make(newAuthenticator(t), await challengeFor(t, as)) } }
}

const assertion = async (t: TestApp) => ({ body: { assertion: await assertionOf(t, (await keyHolder(t)).passkey) } })

/** Somebody with as many second factors as there may be. */
async function manyFactors(t: TestApp) {
  const { as, userId } = await somebody(t)
  await t.ownerSql(
    `insert into account_factors (account_id, id, kind, name, secret, confirmed_at)
     select account_id, 'fac_' || n, 'totp', 'Phone', 'x', now() from users, generate_series(1, 10) n where id = $1`,
    [userId],
  )
  return { as }
}

/** What wrong codes come to. */
async function guessed(t: TestApp): Promise<{ as: string; body: object }> {
  const { as } = await strongSomebody(t)
  const body = { recoveryCode: 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA' }
  for (let guess = 0; guess < 7; guess++) await t.call('POST', '/v2/auth/step-up', { as, body })
  return { as, body }
}

/** The token of a mail to somebody. */
async function resetToken(t: TestApp): Promise<{ token: string }> {
  const { email } = await somebody(t)
  await t.call('POST', '/v2/auth/password-resets', { body: { email } })
  return { token: await tokenMailed(t, email) }
}

/** Somebody who asked for another address, and the token of the mail. */
async function emailChange(t: TestApp) {
  const { as, email: before } = await somebody(t)
  const email = `${randomUUID()}@new.example`
  await t.call('POST', '/v2/users/me/email', { as, body: { email } })
  return { as, before, email, token: await tokenMailed(t, email) }
}

/** The same, confirmed: the token that undoes it. */
async function changedEmail(t: TestApp) {
  const { as, before, token } = await emailChange(t)
  await t.call('POST', '/v2/users/me/email/confirm', { as, body: { token } })
  return { before, token: await tokenMailed(t, before) }
}

/** Somebody whose browser is known. */
async function deviceOf(t: TestApp) {
  const { as, email } = await somebody(t)
  const headers = { 'x-tandem-portal': '1' }
  await t.call('POST', '/portal/session', { headers, body: { emailOrAdminId: email, password: ownPassword } })
  const { json } = await t.call('GET', '/v2/users/me/devices', { as })
  return { as, deviceId: json.data.devices[0].deviceId as string }
}

/** A link to log in, in an organization that then asks for more. */
async function linkInto(t: TestApp, email: string, change: string) {
  await inStrictOrganization(t, email, 'magic_link', 'true')
  const body = await signInLink(t, email)
  await t.ownerSql(
    `update security_policies set ${change} where organization_id = (select max(organization_id) from users where email = $1)`,
    [email],
  )
  return body
}

const policy: EndpointContract = {
  prepare: async () => ({ body: { sessionMaxHours: 2_000 } }),
  problems: {
    would_lock_out: async () => ({ body: { allowedAddresses: ['203.0.113.0/24'] } }),
    transfer_open: async t => ({ as: (await before(t)).as, body: { allowedAddresses: ['127.0.0.1', '::1'] } }),
  },
}

export const contract: ModuleContract = {
  'auth.reset_password': {
    prepare: async t => ({ body: { ...(await resetToken(t)), newPassword } }),
    problems: {
      link_expired: async () => ({}),
      weak_password: async t => ({ body: { ...(await resetToken(t)), newPassword: 'passwordpassword1' } }),
    },
  },
  'auth.step_up': {
    prepare: async t => ({ as: (await somebody(t)).as, body: { password: ownPassword } }),
    problems: {
      wrong_password: async t => ({ as: (await somebody(t)).as, body: { password: 'not mine' } }),
      invalid_second_factor: async t => ({ as: (await strongSomebody(t)).as, body: { code: '000000' } }),
      login_throttled: guessed,
    },
  },
  'factors.create_totp': {
    prepare: async t => ({ as: (await somebody(t)).as }),
    problems: {
      factor_limit_reached: manyFactors,
    },
  },
  'factors.passkey_options': {
    prepare: async t => ({ as: (await somebody(t)).as }),
    problems: {
      factor_limit_reached: manyFactors,
      passkeys_unavailable: async t => ({ as: (await somebody(t)).as, ...(await withoutSite(t)) }),
    },
  },
  'factors.create_passkey': {
    prepare: newPasskey,
    problems: {
      async factor_limit_reached(t) {
        const { as } = await manyFactors(t)
        await t.ownerSql("delete from account_factors where id = 'fac_10'")
        const challenge = await challengeFor(t, as)
        await t.ownerSql(
          `insert into account_factors (account_id, id, kind, name, secret, confirmed_at)
           select account_id, 'fac_10', 'totp', 'Phone', 'x', now() from account_factors
           group by account_id having count(*) = 9`,
        )
        return { as, body: { credential: make(newAuthenticator(t), challenge) } }
      },
      passkey_refused: async t => ({
        as: (await somebody(t)).as,
        body: { credential: make(newAuthenticator(t), await challengeFor(t)) },
      }),
      passkeys_unavailable: async t => ({ ...(await newPasskey(t)), ...(await withoutSite(t)) }),
    },
  },
  'auth.passkey_options': { problems: { passkeys_unavailable: withoutSite } },
  'auth.log_in_with_passkey': {
    prepare: assertion,
    problems: {
      passkey_refused: async t => ({ body: { assertion: use(newAuthenticator(t), await challengeFor(t)) } }),
      passkeys_unavailable: async t => ({ ...(await assertion(t)), ...(await withoutSite(t)) }),
      async membership_required(t) {
        const { body } = await assertion(t)
        return { body: { ...body, organizationId: t.other.organizationId } }
      },
      async password_change_required(t) {
        const { passkey, userId } = await keyHolder(t)
        await t.ownerSql(
          'update accounts set password_is_temporary = true where id = (select account_id from users where id = $1)',
          [userId],
        )
        return { body: { assertion: await assertionOf(t, passkey) } }
      },
      async address_not_allowed(t) {
        const { passkey, email } = await keyHolder(t)
        await inStrictOrganization(t, email, 'allowed_addresses', "array['203.0.113.0/24']")
        return { body: { assertion: await assertionOf(t, passkey) } }
      },
      async sso_required(t) {
        const { passkey, email } = await keyHolder(t)
        await inStrictOrganization(t, email, 'magic_link', 'false')
        await enforceSso(t, email)
        return { body: { assertion: await assertionOf(t, passkey) } }
      },
    },
  },
  'factors.confirm_totp': {
    prepare: waitingFactor,
    problems: {
      not_found: noFactor,
      invalid_second_factor: async t => ({ ...(await waitingFactor(t)), body: { code: '000000' } }),
    },
    foreign: async t => ({ params: (await waitingFactor(t)).params }),
  },
  'factors.update': { prepare: factorOf, problems: { not_found: noFactor }, foreign: foreignFactor },
  'factors.delete': { prepare: factorOf, problems: { not_found: noFactor }, foreign: foreignFactor },
  'factors.create_recovery_codes': {
    prepare: async t => ({ as: (await strongSomebody(t)).as }),
    problems: { factor_required: async t => ({ as: (await somebody(t)).as }) },
  },
  'security.preview': policy,
  'security.update': policy,
  'account.update': { prepare: async t => ({ as: (await somebody(t)).as }) },
  'account.change_password': {
    prepare: async t => ({ as: (await somebody(t)).as, body: passwords }),
    problems: {
      wrong_password: async t => ({ as: (await somebody(t)).as, body: { ...passwords, currentPassword: 'not mine' } }),
      weak_password: async t => ({
        as: (await somebody(t)).as,
        body: { ...passwords, newPassword: 'passwordpassword1' },
      }),
      async login_throttled(t) {
        const { as } = await somebody(t)
        const body = { ...passwords, currentPassword: 'not mine' }
        for (let guess = 0; guess < 12; guess++) {
          await t.call('POST', '/v2/users/me/password', { as, body, ip: '198.51.100.201' })
        }
        return { as, body }
      },
    },
  },
  'account.change_email': {
    prepare: async t => ({ as: (await somebody(t)).as, body: { email: `${randomUUID()}@example.com` } }),
  },
  'account.confirm_email': {
    async prepare(t) {
      const { as, token } = await emailChange(t)
      return { as, body: { token } }
    },
    problems: {
      link_expired: async () => ({}),
      async email_taken(t) {
        const { as, token, email } = await emailChange(t)
        await t.sql('insert into accounts (email, name) values ($1, $1)', [email])
        return { as, body: { token } }
      },
    },
  },
  'auth.undo_email_change': {
    prepare: async t => ({ body: { token: (await changedEmail(t)).token } }),
    problems: {
      link_expired: async () => ({}),
      async email_taken(t) {
        const { token, before } = await changedEmail(t)
        await t.sql('insert into accounts (email, name) values ($1, $1)', [before])
        return { body: { token } }
      },
    },
  },
  'own_devices.delete': {
    async prepare(t) {
      const { as, deviceId } = await deviceOf(t)
      return { as, params: { deviceId } }
    },
    problems: { not_found: async () => ({ params: { deviceId: 'dev_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
    foreign: async t => ({ params: { deviceId: (await deviceOf(t)).deviceId } }),
  },
  'own_devices.delete_all': { prepare: async t => ({ as: (await deviceOf(t)).as }) },
  'auth.log_in_with_link': {
    prepare: async t => ({ body: await signInLink(t, (await somebody(t)).email) }),
    problems: {
      link_expired: async () => ({}),
      second_factor_required: async t => ({ body: await signInLink(t, (await strongSomebody(t)).email) }),
      async second_factor_setup_required(t) {
        const { email } = await somebody(t)
        return { body: await linkInto(t, email, 'require_second_factor = true') }
      },
      async password_change_required(t) {
        const { email } = await somebody(t)
        await t.ownerSql('update accounts set password_is_temporary = true where email = $1', [email])
        return { body: await signInLink(t, email) }
      },
      async address_not_allowed(t) {
        const { email } = await somebody(t)
        return { body: await linkInto(t, email, "allowed_addresses = array['203.0.113.0/24']") }
      },
      async sso_required(t) {
        const { email } = await somebody(t)
        const body = await linkInto(t, email, 'magic_link = true')
        await enforceSso(t, email)
        return { body }
      },
    },
  },
  'own_sessions.end': {
    async prepare(t) {
      const { as, email } = await somebody(t)
      return { as, params: { sessionId: await otherSession(t, as, email) } }
    },
    problems: { not_found: async () => ({ params: { sessionId: 'lgn_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
    async foreign(t) {
      const { as, email } = await somebody(t)
      return { params: { sessionId: await otherSession(t, as, email) } }
    },
  },
  'own_sessions.end_others': { prepare: async t => ({ as: (await somebody(t)).as }) },
  'auth.switch': {
    prepare: async t => ({ ...(await memberOfBoth(t)), body: { organizationId: t.other.organizationId } }),
    problems: {
      membership_required: async t => ({ body: { organizationId: t.other.organizationId } }),
      async sso_session(t) {
        const { as } = await memberOfBoth(t)
        const { sub } = JSON.parse(Buffer.from(as.split('.')[1]!, 'base64url').toString()) as { sub: string }
        await t.ownerSql(`update sessions set amr = '{sso}' where user_id = $1`, [sub])
        return { as, body: { organizationId: t.other.organizationId } }
      },
      sso_required: t => intoStrict(t),
      address_not_allowed: t => intoStrict(t, "allowed_addresses) values ($1, '{203.0.113.0/24}')"),
      switch_needs_login: t => intoStrict(t, 'require_second_factor) values ($1, true)'),
    },
  },
}
