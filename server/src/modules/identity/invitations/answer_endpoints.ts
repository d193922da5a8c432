// What somebody who was invited does with the link of the mail: looks at it, accepts it, declines it. It is bound to its address: a person
// who is logged in with another one is refused, and never made a member.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { IntegerId, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { findOwnAccount, hashPassword, passwordMaxLength, refuseWeakOwn } from '../login/index.ts'
import { isHandingOver } from '../members/index.ts'
import { standingRole } from '../roles/index.ts'
import { isUserEmail, makeMember } from '../users/index.ts'
import { isStillGood } from './inviting.ts'
import { presentInvitation } from './present.ts'
import {
  decideInvitation,
  type FoundInvitation,
  findInvitation,
  insertAccount,
  lockInvitation,
  reviveAccount,
} from './store.ts'

const Token = Type.String({ minLength: 1, maxLength: 100, description: 'What is behind the # of the link.' })
const sampleToken = 'Zk1lWm5zYW1wbGV0b2tlbm9mYW1haWwtc2FtcGxldG9r'

export const showInvitation = endpoint({
  id: 'auth.show_invitation',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/invitations',
  name: 'Look up an invitation',
  description: 'What the link of an invitation is for. The token is in the body, for addresses are kept in logs.',
  permission: 'public',
  bodyLimit: 4_096,
  transaction: 'none',
  body: Type.Object({ token: Token }),
  reply: Type.Object({
    organization: Type.String(),
    invitedBy: Type.String(),
    email: Type.String(),
    role: OneOf(roles),
    roleName: Nullable(
      Type.String({ description: "Of a role of the organization's own, of which `role` is the base." }),
    ),
    hasAccount: Type.Boolean({
      description: 'Whether the address has an account, to log in with; otherwise one is made.',
    }),
    isMember: Type.Boolean({ description: 'Whether the person became a member meanwhile by another way.' }),
  }),
  envelope: 'data',
  problems: ['invitation_expired'],
  sample: {
    body: { token: sampleToken },
    reply: {
      organization: 'Example GmbH',
      invitedBy: 'Ada Park',
      email: 'grace@example.com',
      role: 'Sales Manager',
      roleName: null,
      hasAccount: false,
      isMember: false,
    },
  },
  async handle({ body: { token }, now, services }) {
    const found = await required(services, token, now)
    const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
    const { isMember, roleName } = await services.db.inTenant(scope, async tx => {
      await pending(tx, scope, found.id)
      const { role_name: roleName } = await standingRole(tx, scope, found)
      return { isMember: await isUserEmail(tx, scope, found.email), roleName }
    })
    return {
      organization: found.organization_name,
      invitedBy: found.inviter_name,
      email: found.email,
      role: found.role,
      roleName,
      hasAccount: found.account_id !== null,
      isMember,
    }
  },
})

/** That it still waits, and who invited may still do so. The row is locked. @throws Problem `invitation_expired` */
async function pending(tx: Tx, scope: Scope, id: string): Promise<void> {
  const row = await lockInvitation(tx, scope, id)
  if (row?.state !== 'pending' || !(await isStillGood(tx, scope, row))) throw new Problem('invitation_expired')
}

/** @throws Problem `invitation_expired` */
async function required({ db }: Services, token: string, nowMs: number): Promise<FoundInvitation> {
  const found = await findInvitation(db, token, nowMs)
  if (found === undefined) throw new Problem('invitation_expired')
  return found
}

export const acceptInvitation = endpoint({
  id: 'auth.accept_invitation',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/invitations/accept',
  name: 'Accept an invitation',
  description:
    'Makes the person a member. Somebody who has an account sends the access token of its session; anyone else sends a name and a ' +
    'password of at least 15 characters, of which an account is made. Then they log in. Who was a member before is the same user again, ' +
    'with the role of the invitation and without what was handed over when they left.',
  permission: 'public',
  bodyLimit: 4_096,
  transaction: 'none',
  audit: 'invitation.accepted',
  body: Type.Object({
    token: Token,
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' }),
    ),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: passwordMaxLength })),
  }),
  reply: Type.Object({ organizationId: IntegerId, userId: IntegerId, email: Type.String() }),
  envelope: 'data',
  problems: [
    'invitation_expired',
    'invitation_for_other_address',
    'invitation_needs_login',
    'already_member',
    'hand_over_running',
    'weak_password',
  ],
  sample: {
    body: { token: sampleToken, name: 'Grace Hopper', password: 'seven brass lanterns drift' },
    reply: { organizationId: 1, userId: 12, email: 'grace@example.com' },
  },
  async handle({ body: { token, name, password }, principal, now, asked, services }) {
    const found = await required(services, token, now)
    const known = await accountOf(services, found, principal)
    const hash = known === undefined ? await chosen(services, found, name, password) : undefined
    const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
    const userId = await services.db.inTenant(scope, async tx => {
      await pending(tx, scope, found.id)
      const person = { email: known?.email ?? found.email, name: known?.name ?? (name as string).trim() }
      const made = { ...person, hash: hash as string }
      const accountId = known?.id ?? (await reviveAccount(tx, made)) ?? (await insertAccount(tx, made))
      if (await isHandingOver(tx, scope, accountId)) throw new Problem('hand_over_running')
      const userId = await makeMember(tx, scope, { accountId, role: found.role, role_id: found.role_id, ...person })
      if (userId === undefined) throw new Problem('already_member')
      const decided = await decideInvitation(tx, scope, found.id, { state: 'accepted', user_id: userId })
      const data = { ...presentInvitation(decided, now), by: { userId, keyId: null } }
      await emit(tx, scope, { type: 'invitation.accepted', resourceId: found.id, data })
      const by = { organizationId: found.organization_id, type: 'user', id: userId, name: person.email } as const
      const targets = [
        { type: 'invitation', id: found.id },
        { type: 'user', id: userId },
      ]
      await recordAudit(tx, by, { action: 'invitation.accepted', targets, after: { role: found.role } }, asked)
      return userId
    })
    return { organizationId: found.organization_id, userId, email: found.email }
  },
})

/**
 * The account of who is logged in, which must be that of the address.
 * @throws Problem `invitation_for_other_address` or `invitation_needs_login`
 */
async function accountOf({ db }: Services, found: FoundInvitation, principal: Principal | undefined) {
  if (principal?.person) {
    const { accountId } = principal.person
    if (accountId !== found.account_id) throw new Problem('invitation_for_other_address')
    return db.inTenant(principal, tx => findOwnAccount(tx, accountId))
  }
  if (found.account_id !== null) throw new Problem('invitation_needs_login')
  return undefined
}

/** @throws Problem `validation_failed` or `weak_password` */
async function chosen(
  services: Services,
  found: FoundInvitation,
  name: string | undefined,
  password: string | undefined,
): Promise<string> {
  const missing = Object.entries({ name, password }).filter(([, value]) => value === undefined)
  if (missing.length > 0) {
    throw invalid(
      ...missing.map(([field]) => ({
        field,
        code: 'required',
        message: 'must be sent, for the address has no account',
      })),
    )
  }
  const names = [name as string, found.organization_name]
  await refuseWeakOwn(services, password as string, { email: found.email, names, hasSecondFactor: false }, 'password')
  return hashPassword(password as string)
}

export const declineInvitation = endpoint({
  id: 'auth.decline_invitation',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/invitations/decline',
  name: 'Decline an invitation',
  description: 'Says that its reader does not want to become a member; the link does not work any more.',
  permission: 'public',
  bodyLimit: 4_096,
  transaction: 'none',
  audit: 'invitation.declined',
  body: Type.Object({ token: Token }),
  reply: Type.Object({ declined: Type.Literal(true) }),
  envelope: 'data',
  problems: ['invitation_expired'],
  sample: { body: { token: sampleToken }, reply: { declined: true } },
  async handle({ body: { token }, now, asked, services }) {
    const found = await required(services, token, now)
    const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
    await services.db.inTenant(scope, async tx => {
      const row = await lockInvitation(tx, scope, found.id)
      if (row?.state !== 'pending') throw new Problem('invitation_expired')
      const decided = await decideInvitation(tx, scope, found.id, { state: 'declined' })
      await emit(tx, scope, {
        type: 'invitation.declined',
        resourceId: found.id,
        data: presentInvitation(decided, now),
      })
      const by = { organizationId: found.organization_id, type: 'anonymous', id: found.id } as const
      await recordAudit(
        tx,
        by,
        { action: 'invitation.declined', targets: [{ type: 'invitation', id: found.id }] },
        asked,
      )
    })
    return { declined: true as const }
  },
})

export const endpoints = [showInvitation, acceptInvitation, declineInvitation]
