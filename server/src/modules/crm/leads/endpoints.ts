// Leads over HTTP: create, list, read, change, delete and restore.

import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit, type NewEvent } from '../../../kernel/data/events.ts'
import { isClaimed, replayOf } from '../../../kernel/data/idempotency.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, decodeCursor, v1Page } from '../../../kernel/endpoint/page.ts'
import { targetNamed } from '../../../kernel/noun/registry.ts'
import { searchFaults } from '../../../kernel/noun/search_text.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { type DuplicateMode, duplicateModeOf } from '../../../kernel/values/duplicate_mode.ts'
import { rolesWith } from '../../../kernel/values/permission.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { rolePermissions } from '../../../nouns.ts'
import { convertLead } from './conversion.ts'
import {
  type Created,
  type Creation,
  creationOf,
  insertLead,
  leadWriter,
  newRow,
  openAnswer,
} from './creation_store.ts'
import { filtersOf, orderOf } from './filters.ts'
import { cursorKey, listLeads } from './list_store.ts'
import { lockVisible } from './lock_visible.ts'
import {
  type Contact,
  decideChange,
  duplicateLead,
  isRestricted,
  type LeadPatch,
  type LeadRow,
  matchedBy,
  maySee,
  newLead,
  presentLead,
  unreachable,
} from './rules.ts'
import {
  Duplicate,
  DuplicateHeaders,
  Lead,
  LeadListQuery,
  LeadListReply,
  LeadParams,
  LeadPatchBody,
  NewLeadBody,
  sampleLead,
} from './schemas.ts'
import { changeLead, findLead, findLeadsByContact, insertStatusChange, lockContact, roleOfActive } from './store.ts'

const v1Lead = { version: 'v1', category: 'CRM', envelope: 'success', versioned: true } as const

export const createLead = endpoint({
  ...v1Lead,
  id: 'leads.create',
  method: 'POST',
  path: '/api/leads',
  name: 'Create a lead',
  description:
    'Adds a lead with status New. The answer lists leads of the tenant that have the same e-mail (in any letter case) or phone; the header X-Duplicate-Mode, or else the setting of the organization, decides whether such a lead is created with that warning (warn), refused with 409 (block), or not looked for (off). A lead created by a Sales Executive is their own. Writes the event lead.created.',
  permission: 'leads:create',
  logBody: 'refusals',
  status: 201,
  transaction: 'none',
  body: NewLeadBody,
  headers: DuplicateHeaders,
  reply: Type.Object({
    lead: Lead,
    duplicates: Type.Array(Duplicate, {
      description: 'Leads with the same e-mail or phone, the oldest first, at most ten, of those that one may read.',
    }),
  }),
  problems: ['duplicate_lead', 'owner_not_found'],
  check: ({ body }) => (isBlank(body.email) && isBlank(body.phone) ? [unreachable] : []),
  sample: {
    body: {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+1 555 010 0001',
      company: 'Analytical Engines',
      priority: 'Hot',
      source: 'web',
    },
    reply: { lead: sampleLead, duplicates: [{ id: 9, name: 'A. Lovelace', matched_by: 'email' }] },
  },
  async handle(context) {
    const { body, principal, now, services } = context
    const mode = duplicateModeOf(context.header('x-duplicate-mode'), principal.settings.duplicateMode)
    const lead = newLead(body, principal)
    const { owner_id, company_id = null } = lead
    if ((owner_id !== null && owner_id !== principal.userId) || company_id !== null)
      await services.db.inTenant(principal, async tx => {
        // What was answered before is answered as it was.
        if (context.idempotency !== undefined && (await isClaimed(tx, principal, context.idempotency.key))) return
        if (owner_id !== null) await checkOwner(tx, principal, owner_id)
        if (company_id !== null) await checkCompany(tx, principal, company_id)
      })
    const row = newRow(lead, await leadWriter(services.db).nextId(), principal, now)
    const creation = creationOf(row, principal)
    context.setVersion(row.version)
    // What a group finds is stored as it is found, so that nobody would be spared what they may not read.
    const isApart = mode === 'block' || (mode === 'warn' && isRestricted(principal))
    return isApart ? createApart(context, creation, mode) : createInGroup(context, creation, mode === 'warn')
  },
})

type CreateContext = Pick<
  Context<unknown, unknown, unknown>,
  'principal' | 'services' | 'idempotency' | 'serialize' | 'transact'
>

async function createInGroup(context: CreateContext, creation: Creation, warn: boolean) {
  const { idempotency, principal, serialize, services } = context
  const lead = presentLead(creation.row)
  // The database puts the duplicates in: it finds them in the transaction that stores the answer.
  const answer = idempotency && { ...idempotency, head: openAnswer(serialize({ lead, duplicates: [] })) }
  const created = await leadWriter(services.db).create({ ...creation, mode: principal.mode, warn, answer })
  if (created.outcome === 'answered' && idempotency !== undefined) {
    return { replay: replayOf(created.stored, idempotency.fingerprint) }
  }
  return { lead, duplicates: duplicatesOf(created) }
}

/**
 * In a transaction of its own: where duplicates are blocked, for nobody else can create a lead with this e-mail or phone
 * meanwhile; and for those who may not read all leads.
 */
async function createApart({ principal, transact }: CreateContext, creation: Creation, mode: DuplicateMode) {
  const { row } = creation
  return transact(async tx => {
    if (mode === 'block') await refuseDuplicate(tx, principal, row)
    const found = mode === 'block' ? [] : await findLeadsByContact(tx, row)
    duplicatesOf(await insertLead(tx, creation))
    const duplicates = found
      .filter(lead => maySee(principal, lead))
      .slice(0, 10)
      .map(lead => ({ id: lead.id, name: lead.name, matched_by: matchedBy(row, lead) }))
    return { lead: presentLead(row), duplicates }
  })
}

function duplicatesOf(created: Created) {
  if (created.outcome === 'created') return created.duplicates
  throw new Problem('owner_not_found')
}

/** @throws Problem `owner_not_found` for who is no active user of the organization, or may not read leads */
async function checkOwner(tx: Tx, principal: Principal, ownerId: number): Promise<void> {
  if (ownerId === principal.userId) return
  const role = await roleOfActive(tx, principal, ownerId)
  if (role === undefined) throw new Problem('owner_not_found')
  if (rolePermissions[role].has('leads:read')) return
  const message = `The role ${role} may not read leads. Name a user with one of: ${rolesWith('leads:read').join(', ')}.`
  const details = [{ field: 'owner_id', code: 'not_allowed', message: `is a ${role}, who may not read leads` }]
  throw new Problem('owner_not_found', { message, details })
}

/** @throws Problem `validation_failed` for a company that the caller does not see */
async function checkCompany(tx: Tx, principal: Principal, companyId: string): Promise<void> {
  const found = await targetNamed('company').facts(tx, principal, [companyId])
  if (found.has(companyId)) return
  throw invalid({ field: 'company_id', code: 'not_found', message: 'names no company that you may see' })
}

/** @throws Problem `duplicate_lead` when another lead has this e-mail or phone */
async function refuseDuplicate(tx: Tx, principal: Principal, contact: Contact, ownId?: number): Promise<void> {
  await lockContact(tx, principal, contact)
  const found = (await findLeadsByContact(tx, contact)).filter(lead => lead.id !== ownId)
  if (found.length > 0) throw duplicateLead(principal, contact, found)
}

function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === ''
}

export const listLeadsEndpoint = endpoint({
  ...v1Lead,
  versioned: false,
  id: 'leads.list',
  method: 'GET',
  path: '/api/leads',
  name: 'List leads',
  description:
    'Leads by page or cursor, with filters, search and any order; totalCount is exact. A Sales Executive sees own and unassigned leads.',
  permission: 'leads:read',
  logBody: 'refusals',
  query: LeadListQuery,
  reply: LeadListReply,
  check: ({ query }) => [
    ...searchFaults(query.q),
    ...(query.cursor !== undefined && (query.page ?? 1) !== 1
      ? [{ field: 'page', code: 'not_allowed', message: 'cannot be combined with cursor' }]
      : []),
  ],
  sample: {
    query: { status: 'New,Contacted', sort: '-created_at,name', limit: 2 },
    reply: { leads: [sampleLead], pagination: { page: 1, limit: 2, totalCount: 1, nextCursor: null } },
  },
  async handle({ tx, query, principal }) {
    const { page, limit, offset } = v1Page(query)
    if (query.deleted === true) requireTrash(principal)
    const { timeZone, defaultCountry } = principal.settings
    const viewer = { userId: principal.userId, restricted: isRestricted(principal), timeZone, defaultCountry }
    const filters = filtersOf(query, viewer)
    const sort = orderOf(query.sort)
    const listed = { filters, sort }
    const behind = query.cursor === undefined ? undefined : decodeCursor(query.cursor, listed)
    const { rows, total, rough } = await listLeads(tx, principal, filters, sort, { limit, offset, behind })
    const cut = cutPage(rows, limit, row => cursorKey(sort, row, rough), listed)
    const pagination = { page, limit, totalCount: total, nextCursor: cut.nextCursor }
    return { leads: cut.rows.map(presentLead), pagination }
  },
})

function requireTrash({ permissions, role }: Principal): void {
  if (permissions.has('leads:delete')) return
  const code = role === 'Admin' || role === 'Sales Manager' ? 'insufficient_scope' : 'insufficient_role'
  throw new Problem(code, {
    message: 'The trash needs the permission leads:delete. Leave deleted out to list other leads.',
  })
}

export const getLead = endpoint({
  ...v1Lead,
  id: 'leads.get',
  method: 'GET',
  path: '/api/leads/{id}',
  name: 'Get a lead',
  description: 'One lead. Leads in the trash, and those a Sales Executive may not see, are not found.',
  permission: 'leads:read',
  params: LeadParams,
  reply: Type.Object({ lead: Lead }),
  problems: ['not_found'],
  sample: { params: { id: 17 }, reply: { lead: sampleLead } },
  async handle({ tx, params, principal, setVersion }) {
    const lead = await findLead(tx, principal, params.id)
    if (lead === undefined || lead.deleted_at !== null || !maySee(principal, lead)) throw new Problem('not_found')
    setVersion(lead.version)
    return { lead: presentLead(lead) }
  },
})

export const updateLead = endpoint({
  ...v1Lead,
  id: 'leads.update',
  method: 'PATCH',
  path: '/api/leads/{id}',
  name: 'Update a lead',
  description:
    'Changes the fields that are sent; null empties one. A status moves by the transition table only: Converted is reached by converting, Unqualified needs a lost_reason, and only a Sales Manager or an Admin reopens. A Sales Executive changes own leads, and takes an unassigned one by sending the own id as owner_id. Where the organization blocks duplicates, another e-mail or phone must not be that of another lead. Writes the events lead.status_changed (with previousStatus) and lead.updated, as far as each applies.',
  permission: 'leads:update',
  params: LeadParams,
  body: LeadPatchBody,
  headers: DuplicateHeaders,
  reply: Type.Object({ lead: Lead }),
  problems: ['not_found', 'invalid_transition', 'owner_not_found', 'duplicate_lead'],
  sample: {
    params: { id: 17 },
    body: { status: 'Contacted', notes: 'Called, wants a demonstration.' },
    reply: {
      lead: {
        ...sampleLead,
        status: 'Contacted',
        notes: 'Called, wants a demonstration.',
        first_responded_at: '2026-11-21T09:10:00.000Z',
        updated_at: '2026-11-21T09:10:00.000Z',
        version: 2,
      },
    },
  },
  async handle(context) {
    const { tx, params, body, principal, now, setVersion } = context
    const lead = await lockVisible(context, params.id)
    const { columns, moved, edited } = decideChange(lead, body as LeadPatch, principal, now)
    if (Object.keys(columns).length === 0) {
      setVersion(lead.version)
      return { lead: presentLead(lead) }
    }
    const { owner_id } = columns
    if (owner_id) await checkOwner(tx, principal, owner_id)
    if (columns.company_id) await checkCompany(tx, principal, columns.company_id)
    const mode = duplicateModeOf(context.header('x-duplicate-mode'), principal.settings.duplicateMode)
    if (mode === 'block' && (columns.email || columns.phone)) {
      await refuseDuplicate(tx, principal, { email: columns.email ?? null, phone: columns.phone ?? null }, lead.id)
    }
    const changed = await changeLead(tx, lead, columns, isoMs(now))
    const history = moved && insertStatusChange(tx, changed, { ...moved, changedBy: principal.userId })
    await Promise.all([history, emit(tx, principal, ...changeEvents(changed, moved?.from, edited))])
    setVersion(changed.version)
    return { lead: presentLead(changed) }
  },
})

function changeEvents(lead: LeadRow, previousStatus: string | undefined, edited: boolean): NewEvent[] {
  const data = presentLead(lead)
  return [
    ...(previousStatus === undefined
      ? []
      : [{ type: 'lead.status_changed' as const, resourceId: lead.id, data: { ...data, previousStatus } }]),
    ...(edited ? [{ type: 'lead.updated' as const, resourceId: lead.id, data }] : []),
  ]
}

export const deleteLead = endpoint({
  ...v1Lead,
  id: 'leads.delete',
  method: 'DELETE',
  path: '/api/leads/{id}',
  name: 'Delete a lead',
  description:
    'Moves a lead to the trash, from which it can be restored, and answers it as it is there. Writes the event lead.deleted.',
  permission: 'leads:delete',
  params: LeadParams,
  reply: Type.Object({ lead: Lead }),
  problems: ['not_found'],
  sample: { params: { id: 17 }, reply: { lead: { ...sampleLead, version: 2 } } },
  async handle(context) {
    const { tx, params, principal, now } = context
    const lead = await lockVisible(context, params.id)
    const deleted = await changeLead(tx, lead, { deleted_at: isoMs(now) }, isoMs(now))
    await emit(tx, principal, trashEvent('lead.deleted', deleted))
    context.setVersion(deleted.version)
    return { lead: presentLead(deleted) }
  },
})

export const restoreLead = endpoint({
  ...v1Lead,
  id: 'leads.restore',
  method: 'POST',
  path: '/api/leads/{id}/restore',
  name: 'Restore a lead',
  description:
    'Restores a lead from the trash, as it was. A lead that is not in the trash is answered as it is. Where the organization blocks duplicates, it stays there while another lead has its e-mail or phone. Writes the event lead.restored.',
  permission: 'leads:delete',
  params: LeadParams,
  headers: DuplicateHeaders,
  reply: Type.Object({ lead: Lead }),
  problems: ['not_found', 'duplicate_lead'],
  sample: { params: { id: 17 }, reply: { lead: { ...sampleLead, version: 3 } } },
  async handle(context) {
    const { tx, params, principal, now } = context
    let lead = await lockVisible(context, params.id, 'any')
    if (lead.deleted_at !== null) {
      const mode = duplicateModeOf(context.header('x-duplicate-mode'), principal.settings.duplicateMode)
      if (mode === 'block') await refuseDuplicate(tx, principal, lead, lead.id)
      lead = await changeLead(tx, lead, { deleted_at: null }, isoMs(now))
      await emit(tx, principal, trashEvent('lead.restored', lead))
    }
    context.setVersion(lead.version)
    return { lead: presentLead(lead) }
  },
})

function trashEvent(type: 'lead.deleted' | 'lead.restored', lead: LeadRow): NewEvent {
  return { type, resourceId: lead.id, data: presentLead(lead) }
}

export const endpoints = [createLead, listLeadsEndpoint, getLead, updateLead, deleteLead, restoreLead, convertLead]
