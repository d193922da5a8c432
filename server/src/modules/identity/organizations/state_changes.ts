// Suspends, resumes, closes and reopens an organization: for its owner, for operators, for the command line and for the day on which it ends.
import { type Asked, type AuditActor, recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { allowedEvents, move } from '../../../kernel/values/states.ts'
import { type MailTemplate, queueToEach, type TemplateData } from '../../mail/mails/index.ts'
import { listAdmins, lockState, moveOrganization, type StateRow } from './acting_store.ts'
import { closingMail, resumedMail, suspendedMail } from './mails.ts'
import { movedActions, organizationTable, type SignUpMode, type StateEvent } from './rules.ts'

declare module '../../../kernel/endpoint/endpoint.ts' {
  interface Services {
    /** What the settings say of organizations. */
    organizations: { closingDays: number; fiscalYears: number; signUp: SignUpMode }
  }
}

export type StateChange = {
  event: StateEvent
  /** Why, as its people read it. */
  reason: string | null
  /** Who is closing it, or takes that back. */
  as: 'owner' | 'operator' | 'system'
  by: AuditActor
  asked?: Asked
  nowMs: number
  closingDays: number
}

/**
 * Moves the organization of the transaction, whose tenant is that of live mode; with it go an entry in the audit log, an event, and mails to
 * owner and Admins. The caller wakes the mail queue, and has credentials forgotten, once it is committed.
 * @throws Problem `organization_state_conflict`, `closed_by_operator`
 */
export async function changeState(tx: Tx, scope: Scope, change: StateChange): Promise<StateRow> {
  const { event, reason, as, by, asked, nowMs } = change
  const before = await lockState(tx, scope)
  if (event === 'close' && as === 'owner' && before.state === 'suspended') throw new Problem('organization_suspended')
  const to = move(organizationTable, before.state, event)
  if (to === undefined) throw conflict(before.state, event)
  if (event === 'reopen' && as === 'owner' && before.closing_by !== 'owner') throw new Problem('closed_by_operator')
  const closesAt = event === 'close' ? isoMs(nowMs + change.closingDays * 86_400_000) : null
  const closingBy: StateRow['closing_by'] = event === 'close' ? (as === 'owner' ? 'owner' : 'operator') : null
  const kept = event === 'suspend' || event === 'close' ? reason : null
  if (!(await moveOrganization(tx, scope, { from: before.state, to, reason: kept, closingBy, closesAt })))
    throw conflict(before.state, event)
  const targets = [{ type: 'organization', id: scope.organizationId }]
  const sides = { before: { state: before.state }, after: { state: to, reason: kept, closesAt } }
  await recordAudit(tx, by, { action: movedActions[event], targets, ...sides }, asked)
  const data = { organizationId: scope.organizationId, state: to, reason: kept, closesAt }
  if (event !== 'end')
    await emit(tx, scope, { type: 'organization.state_changed', resourceId: String(scope.organizationId), data })
  const after = { ...before, state: to, state_reason: kept, closing_by: closingBy, closes_at: closesAt }
  await sendNotices(tx, scope, event, after)
  return after
}

function conflict(state: StateRow['state'], event: StateEvent): Problem {
  const may = allowedEvents(organizationTable, state).filter(one => one !== 'end')
  const instead = may.length === 0 ? 'nothing can be done with it any more' : `what can be done is: ${may.join(', ')}`
  return new Problem('organization_state_conflict', {
    message: `The organization is ${state}, so it cannot be asked to ${event}; ${instead}.`,
  })
}

async function sendNotices(
  tx: Tx,
  scope: Scope,
  event: StateEvent,
  { name, state_reason, closes_at }: StateRow,
): Promise<void> {
  if (event === 'end') return
  if (event === 'close')
    return mailAdmins(tx, scope, closingMail, { company: name, day: (closes_at as string).slice(0, 10) })
  if (event === 'suspend')
    return mailAdmins(tx, scope, suspendedMail, { company: name, reason: state_reason ?? 'none was given' })
  return mailAdmins(tx, scope, resumedMail, { company: name })
}

/** Writes to owner and Admins. With a key, each gets it once. */
export async function mailAdmins<Data extends TemplateData>(
  tx: Tx,
  scope: Scope,
  template: MailTemplate<Data & { name: string }>,
  data: Data,
  key?: string,
): Promise<void> {
  await queueToEach(tx, scope, await listAdmins(tx, scope), {
    template,
    data,
    ...(key !== undefined && { dedupeKey: key }),
  })
}
