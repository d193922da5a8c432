// How the contract test meets people: their account, what they have open, and their organizations.
import { randomUUID } from 'node:crypto'
import { assertionOf, challengeFor, keyHolder, make, newAuthenticator, use } from '../authenticator.ts'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { codeOf, logIn, ownPassword, somebody, strongSomebody, tokenMailed } from '../people.ts'
import { inStrictOrganization } from './login.ts'

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

/** An invitation of the main organization's Admin, with the token of its link. */
async function invited(t: TestApp, email = `${randomUUID()}@example.com`) {
  const body = { email, role: 'Sales Manager' }
  const { json } = await t.call('POST', '/v2/invitations', { as: t.main.tokens.Admin, body })
  return { token: (json.data.acceptUrl as string).split('#')[1] as string, invitationId: json.data.invitationId, email }
}

/** Somebody of the other organization only. */
async function foreigner(t: TestApp): Promise<{ email: string; as: string }> {
  const email = `${randomUUID()}@other.example`
  const body = { email, name: 'Grace Hopper', role: 'Sales Manager', password: ownPassword, temporaryPassword: false }
  await t.call('POST', '/v1/api/users', { as: t.other.tokens.Admin, body })
  return { email, as: (await logIn(t, email)).accessToken }
}

const chosen = { name: 'Grace Hopper', password: newPassword }

export const contract: ModuleContract = {
  'invitations.create': {
    prepare: async () => ({ body: { email: `${randomUUID()}@example.com`, role: 'Sales Manager' } }),
    problems: {
      already_member: async t => ({ body: { email: t.main.users.Admin.email, role: 'Sales Manager' } }),
    },
  },
  'invitations.revoke': {
    prepare: async t => ({ params: { invitationId: (await invited(t)).invitationId } }),
    problems: {
      not_found: async () => ({ params: { invitationId: 'inv_01k9r7d3w2v8e6q4n5m1b0c9xz' } }),
      async invitation_decided(t) {
        const { token, invitationId } = await invited(t)
        await t.call('POST', '/v2/auth/invitations/decline', { body: { token } })
        return { params: { invitationId } }
      },
    },
    async foreign(t) {
      const body = { email: `${randomUUID()}@example.com`, role: 'Sales Manager' }
      const { json } = await t.call('POST', '/v2/invitations', { as: t.other.tokens.Admin, body })
      return { params: { invitationId: json.data.invitationId } }
    },
  },
  'auth.show_invitation': {
    prepare: async t => ({ body: { token: (await invited(t)).token } }),
    problems: { invitation_expired: async () => ({}) },
  },
  'auth.decline_invitation': {
    prepare: async t => ({ body: { token: (await invited(t)).token } }),
    problems: { invitation_expired: async () => ({}) },
  },
  'auth.accept_invitation': {
    prepare: async t => ({ body: { token: (await invited(t)).token, ...chosen } }),
    problems: {
      invitation_expired: async () => ({}),
      invitation_for_other_address: async t => ({
        as: (await foreigner(t)).as,
        body: { token: (await invited(t)).token },
      }),
      invitation_needs_login: async t => ({
        body: { token: (await invited(t, (await foreigner(t)).email)).token, ...chosen },
      }),
      async already_member(t) {
        const { as, email } = await foreigner(t)
        const { token } = await invited(t, email)
        await t.sql(
          `insert into users (organization_id, account_id, email, name, role)
           select $1, id, email, name, 'Sales Manager' from accounts where email = $2`,
          [t.main.organizationId, email],
        )
        return { as, body: { token } }
      },
      weak_password: async t => ({
        body: { token: (await invited(t)).token, name: 'Grace', password: 'passwordpassword1' },
      }),
    },
  },
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
  'security.update': {
    prepare: async () => ({ body: { sessionMaxHours: 2_000 } }),
    problems: { would_lock_out: async () => ({ body: { allowedAddresses: ['203.0.113.0/24'] } }) },
  },
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
    problems: { membership_required: async t => ({ body: { organizationId: t.other.organizationId } }) },
  },
}
