// Rules of leads: their states and moves, what a creation and a change must hold, and how one is converted. Nothing here knows HTTP or SQL.
import type { Actor } from '../../../kernel/noun/spec.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { type Role, rolesWith } from '../../../kernel/values/permission.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { move, type Table } from '../../../kernel/values/states.ts'

export const leadStatuses = ['New', 'Contacted', 'Nurturing', 'Qualified', 'Converted', 'Unqualified', 'Junk'] as const
export type LeadStatus = (typeof leadStatuses)[number]

export const leadPriorities = ['Hot', 'Warm', 'Cold'] as const
export type LeadPriority = (typeof leadPriorities)[number]

type LeadEvent = 'contact' | 'nurture' | 'qualify' | 'convert' | 'disqualify' | 'discard' | 'reopen'

/** How a lead moves. Each event enters a state of its own, so the state asked for names the event. */
export const leadTable: Table<LeadStatus, LeadEvent> = {
  contact: { from: ['New', 'Nurturing', 'Qualified'], to: 'Contacted' },
  nurture: { from: ['New', 'Contacted', 'Qualified'], to: 'Nurturing' },
  qualify: { from: ['New', 'Contacted', 'Nurturing'], to: 'Qualified' },
  convert: { from: ['Qualified'], to: 'Converted' },
  disqualify: { from: ['New', 'Contacted', 'Nurturing', 'Qualified'], to: 'Unqualified' },
  discard: { from: ['New', 'Contacted', 'Nurturing'], to: 'Junk' },
  reopen: { from: ['Unqualified', 'Junk'], to: 'New' },
}

const { convert: _, ...byChange } = leadTable
/** The moves that a change of the status may make: all but the one of a conversion. */
export const manualMoves: Table<LeadStatus, Exclude<LeadEvent, 'convert'>> = byChange

/** States in which a lead is given up; only these carry a `lost_reason`. */
const lostStatuses: readonly LeadStatus[] = ['Unqualified', 'Junk']

/** What rules read of a lead. */
type Lead = {
  email: string | null
  phone: string | null
  status: LeadStatus
  owner_id: number | null
  lost_reason: string | null
  first_responded_at: string | null
}
type Named = { owner_id?: Readonly<Record<string, unknown>> }

const notNew = { field: 'status', code: 'not_allowed', message: 'must be New, or left out: a lead begins as New' }
const unreachable = { field: 'email', code: 'required', message: 'is required when there is no phone' }

/** What a request to create a lead lacks by itself, so that it is said with what is wrong with its fields. */
export function creationFaults({ email, phone, status }: { [Name in 'email' | 'phone' | 'status']?: string | null }) {
  const isBlank = (text: string | null | undefined) => (text ?? '').trim() === ''
  return [...(isBlank(email) && isBlank(phone) ? [unreachable] : []), ...((status ?? 'New') === 'New' ? [] : [notNew])]
}

/** A new lead. A file may say how far it has come elsewhere. @throws Problem `validation_failed` */
export function decideCreation(
  draft: Lead,
  named: Named,
  { isImport }: Pick<Actor, 'isImport'>,
): { set: Partial<Lead> } {
  if (draft.status !== 'New' && !isImport) throw invalid(notNew)
  if (draft.status === 'Converted')
    throw invalid({ field: 'status', code: 'not_allowed', message: 'must be another: a lead is converted here' })
  requireReachable(draft)
  requireReader(named)
  return { set: lostReason({ ...draft, lost_reason: null }, draft.lost_reason ?? undefined) }
}

/**
 * A changed lead. A change of the status alone is an event of its own, which says where the lead stood.
 * @param patch the values that differ @throws Problem `insufficient_role`, `validation_failed`
 */
export function decideChange(lead: Lead, patch: Partial<Lead>, named: Named, actor: Actor) {
  const after = { ...lead, ...patch }
  requireReachable(after)
  requireReader(named)
  const { status: from } = lead
  const { status: to } = after
  if (from !== to && leadTable.reopen.to === to) requireReopener(from, actor)
  const set = { ...patch, ...lostReason({ ...lead, status: to }, patch.lost_reason) }
  if (from === to) return { set }
  const now = isoMs(actor.nowMs)
  const responded = from === 'New' && lead.first_responded_at === null ? { first_responded_at: now } : {}
  // The reason belongs to the move that it comes with.
  const isEdited = Object.keys(patch).some(field => field !== 'status' && field !== 'lost_reason')
  const moved = movedFrom(lead, after)!
  return { set: { ...set, ...responded }, instead: isEdited ? [moved, 'updated'] : [moved] }
}

/** That a lead stands elsewhere, with where it stood. */
export function movedFrom(before: Pick<Lead, 'status'>, after: Pick<Lead, 'status'>) {
  if (before.status === after.status) return undefined
  return { type: 'status_changed', more: { previousStatus: before.status } }
}

type Merged = Lead & { id: string; contact_id: string | null; converted_at: string | null }

/**
 * What a lead is that others were merged into: it stands where the chosen one stood, for the reason that it stood there; where one of
 * them is converted, that one's contact is its contact. @throws Problem `validation_failed`
 */
export function decideMerge(
  put: Merged,
  all: readonly Merged[],
  chosen: { status?: string; lost_reason?: string },
): Partial<Merged> {
  const fault = (field: string, message: string) => invalid({ field: `take.${field}`, code: 'not_allowed', message })
  // The one whose status was chosen goes before the one that stays.
  const ranked = all.toSorted((a, b) => Number(b.id === chosen.status) - Number(a.id === chosen.status))
  const converted = ranked.find(({ status }) => status === 'Converted')
  if (converted !== undefined && chosen.status !== undefined && put.status !== 'Converted')
    throw fault('status', 'must name a lead that is Converted, as one of them is; leave it out')
  const { status, contact_id, converted_at } = converted ?? { ...put, contact_id: null, converted_at: null }
  const reasons = chosen.lost_reason === undefined ? ranked.filter(lead => lead.status === status) : [put]
  const isLost = lostStatuses.includes(status)
  const reason = isLost ? (reasons.find(lead => lead.lost_reason !== null)?.lost_reason ?? null) : null
  if (status === 'Unqualified' && reason === null)
    throw fault('lost_reason', 'must name a lead that has one, as an Unqualified lead needs it; or leave it out')
  const [first_responded_at = null] = all.flatMap(lead => lead.first_responded_at ?? []).toSorted()
  return { status, contact_id, converted_at, lost_reason: reason, first_responded_at }
}

/** Somebody must be able to write to a lead, or to call it. */
function requireReachable({ email, phone }: Pick<Lead, 'email' | 'phone'>): void {
  if (email === null && phone === null) throw invalid(unreachable)
}

/** Who owns a lead may read leads. */
function requireReader({ owner_id: owner }: Named): void {
  if (owner === undefined) return
  const [role, readers] = [owner['role'] as Role, rolesWith('leads:read')]
  // Of a role of the organization's own, what it holds.
  const own = owner['reads'] as readonly string[] | null | undefined
  if (own?.includes('leads:read') ?? readers.includes(role)) return
  throw invalid({
    field: 'owner_id',
    code: 'not_allowed',
    message: `${own ? 'has a role that' : `is a ${role}, who`} may not read leads. Name a user with one of: ${readers.join(', ')}`,
  })
}

function requireReopener(from: LeadStatus, { role }: Pick<Actor, 'role'>): void {
  if (role !== 'Sales Executive') return
  throw new Problem('insufficient_role', {
    message: `Only a Sales Manager or an Admin reopens a lead that is ${from}. Ask one of them.`,
  })
}

/**
 * The reason that a lead is given up for; a lead that is not given up has none.
 * @param lead with the status that it is to have @param sent the reason that is sent; undefined where none is
 */
function lostReason(lead: Lead, sent: string | null | undefined): { lost_reason?: string | null } {
  const fault = (code: string, message: string) => invalid({ field: 'lost_reason', code, message })
  if (!lostStatuses.includes(lead.status)) {
    if (sent !== undefined && sent !== null)
      throw fault('not_allowed', `belongs to a lead that is ${lostStatuses.join(' or ')}; send that status with it`)
    return lead.lost_reason === null ? {} : { lost_reason: null }
  }
  const reason = sent === undefined ? lead.lost_reason : sent
  if (lead.status === 'Unqualified' && reason === null)
    throw fault('required', 'is required for a lead that is Unqualified')
  return { lost_reason: reason }
}

/**
 * The statuses by which a lead becomes Converted: from Qualified, or where `qualify` says so from an earlier one by way of it.
 * @throws Problem `invalid_transition`
 */
export function decideConversion(from: LeadStatus, qualify: boolean): LeadStatus[] {
  if (move(leadTable, from, 'convert') !== undefined) return ['Converted']
  if (qualify && move(leadTable, from, 'qualify') !== undefined) return ['Qualified', 'Converted']
  const details = [{ field: 'status', code: 'invalid_transition', message: 'allowed: Qualified' }]
  const remedy =
    move(leadTable, from, 'qualify') === undefined ? 'Reopen it first.' : 'Qualify it first, or send qualify: true.'
  throw new Problem('invalid_transition', {
    message: `Only a Qualified lead is converted, and this one is ${from}. ${remedy}`,
    details,
  })
}
