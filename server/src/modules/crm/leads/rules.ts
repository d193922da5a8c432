// Rules of leads: their states and moves, how input becomes a lead, who sees and changes which, and what a change does.
// Nothing here knows HTTP or SQL.

import type { Principal, Settings } from '../../../kernel/access/principal.ts'
import { cleanText } from '../../../kernel/values/clean_text.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { parsePhone, phoneFault } from '../../../kernel/values/phone.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { allowedEvents, move, type Table } from '../../../kernel/values/states.ts'

export const leadStatuses = ['New', 'Contacted', 'Nurturing', 'Qualified', 'Converted', 'Unqualified', 'Junk'] as const
export type LeadStatus = (typeof leadStatuses)[number]

export const leadPriorities = ['Hot', 'Warm', 'Cold'] as const
export type LeadPriority = (typeof leadPriorities)[number]

export type LeadEvent = 'contact' | 'nurture' | 'qualify' | 'convert' | 'disqualify' | 'discard' | 'reopen'

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

/** States in which a lead is given up; only these carry a `lost_reason`. */
const lostStatuses: readonly LeadStatus[] = ['Unqualified', 'Junk']

export type LeadRow = {
  tenant_id: number
  id: number
  name: string
  email: string | null
  phone: string | null
  company: string | null
  priority: LeadPriority
  status: LeadStatus
  owner_id: number | null
  source: string | null
  notes: string | null
  lost_reason: string | null
  first_responded_at: string | null
  company_id: string | null
  contact_id: string | null
  converted_at: string | null
  status_changed_at: string
  created_at: string
  updated_at: string
  deleted_at: string | null
  version: number
}

/** The columns of a lead that are read; what a search looks through stays in the database. */
export const leadColumns = [
  'tenant_id',
  'id',
  'name',
  'email',
  'phone',
  'company',
  'priority',
  'status',
  'owner_id',
  'source',
  'notes',
  'lost_reason',
  'first_responded_at',
  'company_id',
  'contact_id',
  'converted_at',
  'status_changed_at',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const satisfies readonly (keyof LeadRow)[]

/** A lead as the API shows it. `deleted_at` is there only when the lead is in the trash. */
export function presentLead({ status_changed_at: _, deleted_at, ...row }: LeadRow) {
  const { tenant_id, id, name, email, phone, company, priority, status, created_at, ...more } = row
  const lead = { id, tenant_id, name, email, phone, company, priority, status, created_at, ...more }
  return deleted_at === null ? lead : { ...lead, deleted_at }
}

export type Actor = Pick<Principal, 'userId' | 'role'> & { settings: Pick<Settings, 'defaultCountry'> }

/** A Sales Executive sees own and unassigned leads only; everybody else who may read leads sees all of the tenant. */
export function isRestricted(actor: Pick<Actor, 'role'>): boolean {
  return actor.role === 'Sales Executive'
}

export function maySee(actor: Pick<Actor, 'role' | 'userId'>, lead: { owner_id: number | null }): boolean {
  return !isRestricted(actor) || lead.owner_id === null || lead.owner_id === actor.userId
}

type OptionalText = string | null | undefined

/** What creation and change have in common; a member that is missing is not touched. */
export type LeadInput = {
  name?: string
  email?: string | null
  phone?: string | null
  company?: string | null
  priority?: string
  owner_id?: number | null
  source?: string | null
  notes?: string | null
  company_id?: string | null
}

export type NewLead = Pick<
  LeadRow,
  'name' | 'email' | 'phone' | 'company' | 'priority' | 'owner_id' | 'source' | 'notes'
> & { company_id?: string | null }

/**
 * Makes a lead of a creation's input.
 * @throws Problem `validation_failed` (phone), `insufficient_role` (a Sales Executive naming another owner)
 */
export function newLead(input: LeadInput & { name: string }, actor: Actor): NewLead {
  if (isRestricted(actor) && input.owner_id !== undefined && input.owner_id !== actor.userId) {
    throw new Problem('insufficient_role', {
      message: `The leads a Sales Executive creates are their own. Leave owner_id out, or send your own id ${actor.userId}.`,
    })
  }
  return {
    name: cleanText(input.name) as string,
    email: cleanText(input.email),
    phone: readPhone(input.phone, actor.settings.defaultCountry),
    company: cleanText(input.company),
    priority: canonicalPriority(input.priority ?? 'Warm'),
    owner_id: input.owner_id ?? (isRestricted(actor) ? actor.userId : null),
    source: cleanText(input.source),
    notes: cleanText(input.notes),
    ...(input.company_id != null && { company_id: input.company_id }),
  }
}

/** `hot`, `HOT`, `Hot` → `Hot`. The schema lets nothing else through. */
export function canonicalPriority(text: string): LeadPriority {
  return leadPriorities.find(priority => priority.toLowerCase() === text.toLowerCase()) as LeadPriority
}

/**
 * The E.164 form of a number in any usual spelling; one without + is read as a number of the organization's country.
 * @throws Problem `validation_failed` naming the remedy
 */
export function readPhone(text: OptionalText, defaultCountry: string | null): string | null {
  if (cleanText(text) === null) return null
  const phone = parsePhone(text as string, defaultCountry ?? undefined)
  if (phone !== undefined) return phone
  throw invalid({ field: 'phone', ...phoneFault(defaultCountry) })
}

/** What a PATCH may say. */
export type LeadPatch = LeadInput & { status?: LeadStatus; lost_reason?: string | null }

export type Changed = Omit<LeadRow, 'tenant_id' | 'id' | 'created_at' | 'deleted_at' | 'version'>

export type LeadChange = {
  /** The columns that get another value; empty when nothing changes. */
  columns: Partial<Changed>
  /** The move, when the status changes. */
  moved: { from: LeadStatus; to: LeadStatus; secondsInState: number } | undefined
  /** Whether anything but the status (and what follows from it) changes. */
  edited: boolean
}

/**
 * Decides what a change does to a lead the actor sees.
 * @throws Problem `insufficient_role`, `invalid_transition`, `validation_failed`
 */
export function decideChange(lead: LeadRow, patch: LeadPatch, actor: Actor, nowMs: number): LeadChange {
  refuseForeign(lead, patch, actor)
  const moved = decideMove(lead, patch.status ?? lead.status, actor, nowMs)
  const status = moved?.to ?? lead.status
  const columns: Partial<Changed> = differences(lead, {
    ...edits(patch, actor.settings.defaultCountry),
    lost_reason: lostReason(lead, patch, status),
  })
  const { email, phone } = { ...lead, ...columns }
  if (email === null && phone === null) throw invalid(unreachable)
  // The reason belongs to the move it comes with.
  const edited = Object.keys(columns).some(column => column !== 'lost_reason' || moved === undefined)
  if (moved !== undefined) {
    const now = isoMs(nowMs)
    Object.assign(columns, { status, status_changed_at: now })
    if (lead.first_responded_at === null && moved.from === 'New') columns.first_responded_at = now
  }
  return { columns, moved, edited }
}

/** The fault of a lead that nobody could write to or call. */
export const unreachable = { field: 'email', code: 'required', message: 'is required when there is no phone' }

function refuseForeign(lead: LeadRow, patch: LeadPatch, actor: Actor): void {
  if (!isRestricted(actor)) return
  const { owner_id } = patch
  if (owner_id !== undefined && owner_id !== actor.userId && owner_id !== lead.owner_id) {
    throw new Problem('insufficient_role', {
      message: 'A Sales Executive cannot give leads away. Ask a Sales Manager or an Admin to assign it.',
    })
  }
  if (lead.owner_id === actor.userId || owner_id === actor.userId) return
  throw new Problem('insufficient_role', {
    message: `A Sales Executive changes own leads only, and this one is unassigned. Take it first: send owner_id ${actor.userId}, alone or with the change.`,
  })
}

function decideMove(lead: LeadRow, to: LeadStatus, actor: Actor, nowMs: number): LeadChange['moved'] {
  const { status: from } = lead
  if (to === from) return undefined
  const event = eventTo(to)
  if (to === 'Converted' || move(leadTable, from, event) === undefined) throw refusedMove(from, to)
  if (event === 'reopen' && isRestricted(actor)) {
    throw new Problem('insufficient_role', {
      message: `Only a Sales Manager or an Admin reopens a lead that is ${from}. Ask one of them.`,
    })
  }
  return { from, to, secondsInState: Math.max(0, (nowMs - Date.parse(lead.status_changed_at)) / 1000) }
}

/** A step of a lead from one status to the next. */
export type LeadMove = { from: LeadStatus; to: LeadStatus; secondsInState: number }

/**
 * The steps by which a lead becomes Converted: from Qualified, or where `qualify` says so from an earlier status by way of it.
 * @throws Problem `insufficient_role`, `invalid_transition`
 */
export function decideConversion(lead: LeadRow, qualify: boolean, actor: Actor, nowMs: number): LeadMove[] {
  refuseForeign(lead, {}, actor)
  const secondsInState = Math.max(0, (nowMs - Date.parse(lead.status_changed_at)) / 1000)
  const { status: from } = lead
  if (move(leadTable, from, 'convert') !== undefined) return [{ from, to: 'Converted', secondsInState }]
  if (qualify && move(leadTable, from, 'qualify') !== undefined)
    return [
      { from, to: 'Qualified', secondsInState },
      { from: 'Qualified', to: 'Converted', secondsInState: 0 },
    ]
  const details = [{ field: 'status', code: 'invalid_transition', message: 'allowed: Qualified' }]
  const remedy =
    move(leadTable, from, 'qualify') === undefined ? 'Reopen it first.' : 'Qualify it first, or send qualify: true.'
  throw new Problem('invalid_transition', {
    message: `Only a Qualified lead is converted, and this one is ${from}. ${remedy}`,
    details,
  })
}

function eventTo(status: LeadStatus): LeadEvent {
  return (Object.keys(leadTable) as LeadEvent[]).find(event => leadTable[event].to === status) as LeadEvent
}

/** The statuses a PATCH may ask for, from a status: all the table knows but Converted, which is reached by converting. */
export function reachableStatuses(from: LeadStatus): LeadStatus[] {
  return allowedEvents(leadTable, from)
    .map(event => leadTable[event].to)
    .filter(status => status !== 'Converted')
}

function refusedMove(from: LeadStatus, to: LeadStatus): Problem {
  const allowed = reachableStatuses(from)
  const choice = allowed.length === 0 ? 'It stays as it is.' : `Allowed from ${from}: ${allowed.join(', ')}.`
  const why =
    to === 'Converted' ? 'A lead becomes Converted only by converting it.' : `A lead cannot go from ${from} to ${to}.`
  const details = [{ field: 'status', code: 'invalid_transition', message: `allowed: ${allowed.join(', ') || 'none'}` }]
  return new Problem('invalid_transition', { message: `${why} ${choice}`, details })
}

/** The reason a lead is given up for, after the change; a lead that is not given up has none. */
function lostReason(lead: LeadRow, patch: LeadPatch, status: LeadStatus): string | null {
  const sent = cleanText(patch.lost_reason)
  const fault = (code: string, message: string) => invalid({ field: 'lost_reason', code, message })
  if (!lostStatuses.includes(status)) {
    if (sent !== null)
      throw fault('not_allowed', `belongs to a lead that is ${lostStatuses.join(' or ')}; send that status with it`)
    return null
  }
  const reason = patch.lost_reason === undefined ? lead.lost_reason : sent
  if (status === 'Unqualified' && reason === null) throw fault('required', 'is required for a lead that is Unqualified')
  return reason
}

function edits(patch: LeadPatch, defaultCountry: string | null): Partial<Changed> {
  const { name, email, phone, company, priority, owner_id, source, notes, company_id } = patch
  return {
    ...(name !== undefined && { name: cleanText(name) as string }),
    ...(email !== undefined && { email: cleanText(email) }),
    ...(phone !== undefined && { phone: readPhone(phone, defaultCountry) }),
    ...(company !== undefined && { company: cleanText(company) }),
    ...(priority !== undefined && { priority: canonicalPriority(priority) }),
    ...(owner_id !== undefined && { owner_id }),
    ...(source !== undefined && { source: cleanText(source) }),
    ...(notes !== undefined && { notes: cleanText(notes) }),
    ...(company_id !== undefined && { company_id }),
  }
}

function differences(lead: LeadRow, wanted: Partial<Changed>): Partial<Changed> {
  const changed = Object.entries(wanted).filter(([column, value]) => lead[column as keyof Changed] !== value)
  return Object.fromEntries(changed)
}

export type Contact = { email: string | null; phone: string | null }

/** How a lead is the same as another: by e-mail in any letter case, else by phone. */
export function matchedBy(contact: Contact, lead: Contact): 'email' | 'phone' {
  return contact.email !== null && contact.email.toLowerCase() === lead.email?.toLowerCase() ? 'email' : 'phone'
}

/** The refusal of a duplicate, naming each lead that is there already and that the actor may read. */
export function duplicateLead(
  actor: Pick<Actor, 'role' | 'userId'>,
  contact: Contact,
  leads: readonly LeadRow[],
): Problem {
  const known = leads.filter(lead => maySee(actor, lead))
  const details = leads.map(lead => {
    const field = matchedBy(contact, lead)
    const whose = known.includes(lead) ? `lead ${lead.id} (${lead.name})` : 'a lead of somebody else'
    return { field, code: 'duplicate', message: `is the ${field} of ${whose}` }
  })
  const ids = known.length > 0 ? `lead ${known.map(lead => lead.id).join(', ')}` : 'a lead of somebody else'
  const remedy =
    known.length > 0 ? 'Use that lead, or allow' : 'Ask a Sales Manager or an Admin to assign it to you, or allow'
  const message = `The organization blocks duplicates, and this ${details[0]?.field} is that of ${ids}. ${remedy} duplicates with X-Duplicate-Mode: warn.`
  return new Problem('duplicate_lead', { message, details })
}
