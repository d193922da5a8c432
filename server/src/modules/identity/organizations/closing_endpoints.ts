// The owner of an organization closes it, and takes that back until the day.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { actorOf } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { mailQueue } from '../../mail/mails/index.ts'
import { lockState } from './acting_store.ts'
import { changeState } from './state_changes.ts'
import { findTenants } from './store.ts'

const State = Type.Object({
  state: OneOf(['active', 'closing']),
  closesAt: Nullable({ ...Timestamp, description: 'When it is erased, unless that is taken back before.' }),
})

export const closeOrganization = endpoint({
  id: 'organization.close',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/organization/close',
  name: 'Close the organization',
  description:
    'Begins to close it, by its owner, who types its name. At once nothing is changed and sent any more, and everything can be read and ' +
    'exported; owner and Admins get a mail now, and seven days and one day before the end. On the day it is erased, but for numbered ' +
    'invoices and payments, which are kept as the law asks, and the seals of the audit log. Until then POST /v2/organization/reopen takes it back.',
  permission: 'organization:close',
  shared: true,
  // A repeat gets the answer of the first one.
  whileSuspended: true,
  recent: 'factor',
  audit: 'organization.closing_started',
  body: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of the organization, to show that it is meant.',
    }),
  }),
  reply: State,
  envelope: 'data',
  problems: ['owner_required', 'organization_suspended', 'organization_state_conflict'],
  sample: { body: { name: 'Example Company' }, reply: { state: 'closing', closesAt: '2026-12-21T08:44:00.123Z' } },
  async handle({ tx, principal, body, now, services, afterCommit }) {
    const { scope, name } = await asOwner(tx, principal)
    if (body.name.trim() !== name.trim()) {
      throw invalid({
        field: 'name',
        code: 'not_allowed',
        message: 'must be the name of the organization, as GET /v2/organization shows it',
      })
    }
    const change = { event: 'close', reason: null, as: 'owner', by: actorOf(principal), nowMs: now } as const
    const { closes_at } = await changeState(tx, scope, { ...change, closingDays: services.organizations.closingDays })
    afterCommit(() => felt(services))
    return { state: 'closing' as const, closesAt: closes_at }
  },
})

export const reopenOrganization = endpoint({
  id: 'organization.reopen',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/organization/reopen',
  name: 'Reopen the organization',
  description:
    'Takes the closing back, by the owner who began it: the organization is what it was, and what waited to be sent is sent. What an operator ' +
    'is closing is reopened by an operator.',
  permission: 'organization:close',
  shared: true,
  whileSuspended: true,
  recent: 'factor',
  audit: 'organization.reopened',
  reply: State,
  envelope: 'data',
  problems: ['owner_required', 'organization_state_conflict', 'closed_by_operator'],
  sample: { reply: { state: 'active', closesAt: null } },
  async handle({ tx, principal, now, services, afterCommit }) {
    const { scope } = await asOwner(tx, principal)
    const change = {
      event: 'reopen',
      reason: null,
      as: 'owner',
      by: actorOf(principal),
      nowMs: now,
      closingDays: 0,
    } as const
    await changeState(tx, scope, change)
    afterCommit(() => felt(services))
    return { state: 'active' as const, closesAt: null }
  },
})

/** @throws Problem `owner_required` */
async function asOwner(tx: Tx, principal: Principal): Promise<{ scope: Scope; name: string }> {
  const [{ owner_user_id: owner, name }, tenants] = await Promise.all([
    lockState(tx, principal),
    findTenants(tx, principal),
  ])
  if (owner !== principal.userId) throw new Problem('owner_required')
  return { scope: { ...principal, tenantId: tenants.live }, name }
}

/** What a move means on this node, at once. */
export function felt({ authenticator, wake }: Services): void {
  authenticator.forget()
  wake(mailQueue)
}

export const endpoints = [closeOrganization, reopenOrganization]
