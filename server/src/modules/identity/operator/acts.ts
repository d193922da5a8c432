// What those who run the installation do: the same for the console, the API and the command line.
import type { Operator } from '../../../kernel/access/operator.ts'
import { type Asked, type AuditActor, recordAudit } from '../../../kernel/audit/record.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId, randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { hashPassword } from '../login/index.ts'
import { changeState, enter, makeOrganization, makeOwner, type StateEvent } from '../organizations/index.ts'
import { openReset } from '../resets/index.ts'
import { ownerMail } from './mails.ts'
import { addEvent, changeFacts, findLiveTenant, listOrganizations, type OrganizationRow, setOperator } from './store.ts'

/** Who acts, from where, and when. */
export type Acting = { by: Operator; asked: Asked; nowMs: number }
/** What acts need of the process; the command line has no more. */
export type Means = Pick<Services, 'db' | 'ownAddress' | 'organizations'> &
  Partial<Pick<Services, 'authenticator' | 'wake'>>

const inviteMs = 7 * 86_400_000

function actorOf({ by }: Acting, organizationId: number): AuditActor {
  return { organizationId, type: 'operator', id: by.accountId ?? 'command line', name: by.email }
}

export function eventOf(
  { by, asked, nowMs }: Acting,
  action: string,
  about: { organizationId?: number; target?: string; reason?: string | null },
) {
  const { organizationId = null, target = null, reason = null } = about
  return {
    id: newId('ope', nowMs),
    nowMs,
    action,
    accountId: by.accountId,
    operator: by.email,
    organizationId,
    target,
    reason,
    ip: asked.ip,
  }
}

/** @throws Problem `not_found` */
export async function requireOrganization(db: Services['db'], id: number): Promise<OrganizationRow> {
  const [row] = await listOrganizations(db, { id, limit: 1 })
  if (row === undefined) throw new Problem('not_found')
  return row
}

/** @throws Problem `not_found`, `organization_state_conflict` */
export async function moveState(
  means: Means,
  id: number,
  event: Exclude<StateEvent, 'end'>,
  reason: string | null,
  acting: Acting,
): Promise<OrganizationRow> {
  const { db, organizations } = means
  const tenantId = await findLiveTenant(db, id)
  if (tenantId === undefined) throw new Problem('not_found')
  const scope = { organizationId: id, tenantId }
  const { nowMs, asked } = acting
  await db.inTenant(scope, async tx => {
    const change = {
      event,
      reason,
      as: 'operator',
      by: actorOf(acting, id),
      asked,
      nowMs,
      closingDays: organizations.closingDays,
    } as const
    await changeState(tx, scope, change)
    await addEvent(tx, eventOf(acting, `organization.${event}`, { organizationId: id, reason }))
  })
  means.authenticator?.forget()
  means.wake?.(mailQueue)
  return requireOrganization(db, id)
}

export type NewOrganization = {
  name: string
  ownerEmail: string
  ownerName: string
  timeZone?: string | undefined
  currency?: string | undefined
  defaultCountry?: string | null | undefined
}

/**
 * An organization with its two tenants, and its owner: the account of the address, or a new account, which gets a link to set a password; so does
 * an account that is not proved to be its person's, which is voided.
 * @returns the link as well, for where no mail arrives; null for somebody who has an account, and where the server has no known address
 */
export async function createOrganization(
  means: Means,
  given: NewOrganization,
  acting: Acting,
): Promise<{ organization: OrganizationRow; ownerUserId: number; passwordUrl: string | null }> {
  const { db } = means
  const { name, ownerEmail: email, ownerName, timeZone = 'UTC', currency = 'USD', defaultCountry = null } = given
  const hash = await hashPassword(randomToken(32))
  const address = means.ownAddress()
  const made = await db.outside(async tx => {
    const ids = await makeOrganization(tx, { name, timeZone, currency, defaultCountry, mailsPerDay: null })
    const { organization_id: id, live_tenant_id: tenantId } = ids
    const facts = { email, name: ownerName, hash, isTemporary: false, isVerified: false, byHolder: false }
    const { user_id: ownerUserId, needs_password } = await makeOwner(tx, id, facts)
    await addEvent(tx, eventOf(acting, 'organization.create', { organizationId: id, target: name }))
    const token = randomToken(32)
    const url = !needs_password || address === undefined ? null : `${address}/reset#${token}`
    const reset = { email, token, nowMs: acting.nowMs, untilMs: acting.nowMs + inviteMs, byInstallation: true }
    if (url !== null) await openReset(tx, reset)
    const scope = { organizationId: id, tenantId }
    await enter(tx, scope)
    const entry = { action: 'organization.created', targets: [{ type: 'organization', id }], after: { name } } as const
    await recordAudit(tx, actorOf(acting, id), entry, acting.asked)
    if (address !== undefined) {
      const data = { name: ownerName, company: name, url: url ?? `${address}/` }
      await queueMail(tx, scope, { template: ownerMail, to: { address: email, name: ownerName }, data })
    }
    return { id, ownerUserId, url }
  })
  means.wake?.(mailQueue)
  return {
    organization: await requireOrganization(db, made.id),
    ownerUserId: made.ownerUserId,
    passwordUrl: made.url,
  }
}

/** @throws Problem `not_found` */
export async function changeOrganizationFacts(
  means: Means,
  id: number,
  change: { name?: string | undefined; mailsPerDay?: number | null | undefined },
  acting: Acting,
): Promise<OrganizationRow> {
  const before = await requireOrganization(means.db, id)
  if (before.state === 'closed')
    throw new Problem('organization_state_conflict', {
      message: 'The organization is closed: nothing of it changes any more.',
    })
  const scope = { organizationId: id, tenantId: 0 }
  await means.db.inTenant(scope, async tx => {
    await changeFacts(tx, id, change)
    const targets = [{ type: 'organization', id }]
    const sides = {
      before: { name: before.name, mailsPerDay: before.mails_per_day },
      after: { name: before.name, mailsPerDay: before.mails_per_day, ...defined(change) },
    }
    await recordAudit(tx, actorOf(acting, id), { action: 'organization.updated', targets, ...sides }, acting.asked)
    await addEvent(tx, eventOf(acting, 'organization.update', { organizationId: id }))
  })
  means.authenticator?.forget()
  return requireOrganization(means.db, id)
}

function defined(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/**
 * Makes an account an operator, changes what it may do, or, with null, makes it none. One that is not proved to be its person's is voided.
 * @throws Problem `no_such_account`, `last_operator`
 */
export async function changeOperator(
  means: Means,
  email: string,
  level: Operator['level'] | null,
  acting: Acting & { mayBeLast: boolean },
): Promise<{ accountId: number; email: string; isVoided: boolean }> {
  return means.db.outside(async tx => {
    const set = await setOperator(tx, email, level, { byAccount: acting.by.accountId, mayBeLast: acting.mayBeLast })
    if (set === undefined) throw new Problem('no_such_account')
    if (set.refused) throw new Problem('last_operator')
    const action = level === null ? 'operator.remove' : set.before === null ? 'operator.create' : 'operator.update'
    await addEvent(tx, eventOf(acting, action, { target: `${set.email}${level === null ? '' : ` ${level}`}` }))
    return { accountId: set.account_id, email: set.email, isVoided: set.voided }
  })
}
