// How the contract test meets invitations: those who are asked, and what they answer.
import { randomUUID } from 'node:crypto'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { logIn, ownPassword, somebody } from '../people.ts'

const chosen = { name: 'Grace Hopper', password: 'seven brass lanterns drift' }

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

const noInvitation = async () => ({ params: { invitationId: 'inv_01k9r7d3w2v8e6q4n5m1b0c9xz' } })

/** One that was answered. */
async function decided(t: TestApp) {
  const { token, invitationId } = await invited(t)
  await t.call('POST', '/v2/auth/invitations/decline', { body: { token } })
  return { params: { invitationId } }
}

async function foreignInvitation(t: TestApp) {
  const body = { email: `${randomUUID()}@example.com`, role: 'Sales Manager' }
  const { json } = await t.call('POST', '/v2/invitations', { as: t.other.tokens.Admin, body })
  return { params: { invitationId: json.data.invitationId } }
}

export const contract: ModuleContract = {
  'invitations.create': {
    prepare: async () => ({ body: { email: `${randomUUID()}@example.com`, role: 'Sales Manager' } }),
    problems: {
      already_member: async t => ({ body: { email: t.main.users.Admin.email, role: 'Sales Manager' } }),
      already_invited: async t => ({ body: { email: (await invited(t)).email, role: 'Sales Manager' } }),
    },
  },
  'invitations.create_many': {
    prepare: async () => ({ body: { emails: [`${randomUUID()}@example.com`], role: 'Sales Manager' } }),
  },
  'invitations.resend': {
    prepare: async t => ({ params: { invitationId: (await invited(t)).invitationId } }),
    problems: {
      not_found: noInvitation,
      invitation_decided: decided,
      async resend_limit_reached(t) {
        const { invitationId } = await invited(t)
        await t.ownerSql('update invitations set resent_count = 5 where id = $1', [invitationId])
        return { params: { invitationId } }
      },
      async already_member(t) {
        const { invitationId, email } = await invited(t)
        const body = { email, name: 'Grace Hopper', role: 'Sales Manager' }
        await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body })
        return { params: { invitationId } }
      },
    },
    foreign: foreignInvitation,
  },
  'invitations.link': {
    prepare: async t => ({ params: { invitationId: (await invited(t)).invitationId } }),
    problems: { not_found: noInvitation, invitation_decided: decided },
    foreign: foreignInvitation,
  },
  'invitations.revoke': {
    prepare: async t => ({ params: { invitationId: (await invited(t)).invitationId } }),
    problems: { not_found: noInvitation, invitation_decided: decided },
    foreign: foreignInvitation,
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
      async hand_over_running(t) {
        const { email, userId } = await somebody(t)
        await t.call('DELETE', `/v2/users/${userId}?transferTo=${t.main.users.Admin.id}`, { as: t.main.tokens.Admin })
        return { body: { token: (await invited(t, email)).token, ...chosen } }
      },
      weak_password: async t => ({
        body: { token: (await invited(t)).token, name: 'Grace', password: 'passwordpassword1' },
      }),
    },
  },
}
