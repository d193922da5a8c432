// The list of calls, with its filters.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { MomentInput, OneOf, PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { findVisibleLead } from '../../crm/leads/index.ts'
import { type CallFilters, listCalls, presentCall } from '../call_records/index.ts'
import { CallRecord, directions, Outcome, State, sampleCall } from './schemas.ts'

export const list = endpoint({
  id: 'calls.list',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/calls',
  name: 'List calls',
  description: 'Calls of the tenant, newest first, filtered by any of the parameters together.',
  permission: 'calls:read',
  query: Type.Object({
    ...v2PageQuery,
    state: Type.Optional(State),
    from: Type.Optional(PhoneInput),
    to: Type.Optional(PhoneInput),
    direction: Type.Optional(OneOf(directions, { description: 'Who called: outbound by us, inbound to us.' })),
    parentCallId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only the legs that this call brought about.' }),
    ),
    legs: Type.Optional(
      Type.Boolean({ description: 'False leaves out what other calls brought about: one row for one conversation.' }),
    ),
    trunkId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only calls by this trunk, whichever way.' }),
    ),
    outcome: Type.Optional(Outcome),
    leadId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only calls with the number of this lead as it is now, whichever way; needs leads:read.',
      }),
    ),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
  }),
  reply: CallRecord,
  envelope: 'page',
  sample: { query: { state: 'completed', limit: 2 }, reply: sampleCall },
  async handle({ query, tx, principal }) {
    const { limit = 50, cursor, state, direction, parentCallId, legs, trunkId, outcome, leadId } = query
    const person = leadId === undefined ? undefined : await phoneOfLead(tx, principal, leadId)
    if (person === null) return { items: [], limit, nextCursor: null }
    const filters: CallFilters = {
      state,
      direction,
      parentCallId,
      legs,
      trunkId,
      outcome,
      with: person,
      from: sought(query.from, principal, 'from'),
      to: sought(query.to, principal, 'to'),
      createdAfter: query.createdAfter && isoMs(Date.parse(query.createdAfter)),
      createdBefore: query.createdBefore && isoMs(Date.parse(query.createdBefore)),
    }
    const rows = await listCalls(tx, principal, filters, readCursor(cursor, filters, 'time', 'id:call'), limit + 1)
    const page = cutPage(rows, limit, row => [row.created_at, row.id], filters)
    return { items: page.rows.map(presentCall), limit, nextCursor: page.nextCursor }
  },
})

/** Null where nobody can have been called: there is no such lead for this person, or it has no number. */
async function phoneOfLead(tx: Tx, principal: Principal, leadId: number): Promise<string | null> {
  if (!principal.permissions.has('leads:read'))
    throw invalid({ field: 'leadId', code: 'not_allowed', message: 'needs the permission leads:read' })
  return ((await findVisibleLead(tx, principal, leadId))?.['phone'] as string | undefined) ?? null
}

/** A number to filter by. A + that was not percent-encoded arrives as a space. */
function sought(text: string | undefined, { settings }: Principal, field: string): string | undefined {
  if (text === undefined) return undefined
  const number = parsePhone(text.replace(/^ /, '+'), settings.defaultCountry ?? undefined)
  if (number === undefined) throw invalid({ field, code: 'wrong_format', message: 'must be a telephone number with +' })
  return number
}
