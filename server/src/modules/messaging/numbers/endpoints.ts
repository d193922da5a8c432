// Numbers and sender ids over HTTP: add, list, change and release them, and look any telephone number up.
import { Type } from 'typebox'
import { type Asking, customerUrl } from '../../../kernel/callback_url.ts'
import { isoMs } from '../../../kernel/clock.ts'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { emit } from '../../../kernel/events.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import { invalid, Problem } from '../../../kernel/problem.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { forgetDirectory } from '../directory.ts'
import { moveOptOuts } from '../opt_outs/index.ts'
import { holdService } from '../services/index.ts'
import { lookUpNumber } from './lookup.ts'
import { kindFaults, type NumberRow, numberKinds, ownerships, presentNumber, readAddress } from './rules.ts'
import {
  changeNumber,
  findNumber,
  findNumberByAddress,
  holdCarrier,
  insertNumber,
  listNumbers,
  lockNumber,
  removeNumber,
} from './store.ts'

const Label = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' })
const labelText = 'What it is for, in words of your own.'
const serviceText = 'The messaging service whose senders it is one of.'
const carrierText = 'The only carrier that carries what it sends; null lets the routes decide.'
const callbackText =
  'Address that gets the events of what comes in to it; without one, that of its messaging service is used.'
const leadsText = 'Whether a text from a number that no lead has adds a lead with that number.'
const ownershipText =
  'Of a telephone number of the live mode. unverified: no other organization on this server had it before, so it works until one proves that it is theirs. verified: proved. contested: another organization has it, so it takes no calls and is no sender until you prove that it is yours with POST /v2/numbers/{numberId}/verification. Null for all else.'
const paceText = 'Segments it may send in a second; null sends as fast as the carrier takes them.'
const Pace = Type.Number({ minimum: 0.01, maximum: 10_000 })
const CallbackUrl = Type.String({ format: 'url', maxLength: 2_048 })

export const OwnNumber = Type.Object({
  numberId: Type.String({ description: 'Identifier, `num_…`.' }),
  number: Type.String({ description: 'E.164 with +, the digits of a short code, or the sender id.' }),
  kind: OneOf(numberKinds, { description: 'A telephone number, a short code, or a name that only sends.' }),
  country: Nullable(
    Type.String({
      description: 'ISO 3166 country of its numbering plan; null for names, short codes and numbers of no country.',
    }),
  ),
  label: Nullable(Type.String({ description: labelText })),
  serviceId: Nullable(Type.String({ description: serviceText })),
  carrierId: Nullable(Type.String({ description: carrierText })),
  sms: Type.Boolean({ description: 'Whether it sends texts.' }),
  voice: Type.Boolean({ description: 'Whether it makes and takes calls.' }),
  segmentsPerSecond: Nullable(Type.Number({ description: paceText })),
  callbackUrl: Nullable(Type.String({ description: callbackText })),
  createsLeads: Type.Boolean({ description: leadsText }),
  ownership: Nullable(OneOf(ownerships, { description: ownershipText })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const sampleNumber = {
  numberId: 'num_01k9r7d3w2v8e6q4n5m1b0c9xz',
  number: '+493012345678',
  kind: 'long_code',
  country: 'DE',
  label: 'Front desk',
  serviceId: null,
  carrierId: null,
  sms: true,
  voice: true,
  segmentsPerSecond: 1,
  callbackUrl: 'https://example.com/texts',
  createsLeads: true,
  ownership: 'unverified',
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

const settings = {
  label: Type.Optional(Nullable(Type.Unsafe<string>({ ...Label, description: labelText }))),
  serviceId: Type.Optional(Nullable(Type.String({ maxLength: 100, description: serviceText }))),
  carrierId: Type.Optional(Nullable(Type.String({ maxLength: 100, description: carrierText }))),
  sms: Type.Optional(Type.Boolean({ description: 'Whether it sends texts.' })),
  voice: Type.Optional(
    Type.Boolean({
      description: 'Whether it makes and takes calls; only a telephone number does, and does by itself.',
    }),
  ),
  segmentsPerSecond: Type.Optional(Nullable(Type.Unsafe<number>({ ...Pace, description: paceText }))),
  callbackUrl: Type.Optional(Nullable(Type.Unsafe<string>({ ...CallbackUrl, description: callbackText }))),
  createsLeads: Type.Optional(Type.Boolean({ description: leadsText })),
}

type Settings = {
  label?: string | null
  serviceId?: string | null
  carrierId?: string | null
  sms?: boolean
  voice?: boolean
  segmentsPerSecond?: number | null
  callbackUrl?: string | null
  createsLeads?: boolean
}

/** The number as it is with these settings. @throws Problem `invalid_callback_url`, `validation_failed` */
function withSettings(
  row: NumberRow,
  body: Settings,
  { services: { egress }, principal: { mode } }: Asking,
): NumberRow {
  const { callbackUrl } = body
  const changed: NumberRow = {
    ...row,
    ...(body.label !== undefined && { label: body.label?.trim() ?? null }),
    ...(body.serviceId !== undefined && { service_id: body.serviceId }),
    ...(body.carrierId !== undefined && { carrier_id: body.carrierId }),
    ...(body.sms !== undefined && { sms: body.sms }),
    ...(body.voice !== undefined && { voice: body.voice }),
    ...(body.segmentsPerSecond !== undefined && { segments_per_second: body.segmentsPerSecond }),
    ...(callbackUrl !== undefined && {
      callback_url: callbackUrl === null ? null : customerUrl(callbackUrl, egress, { mode, stored: row.callback_url }),
    }),
    ...(body.createsLeads !== undefined && { creates_leads: body.createsLeads }),
  }
  const faults = kindFaults(changed)
  if (faults.length > 0) throw invalid(...faults)
  return changed
}

/**
 * Makes sure that what a number is to refer to is there and stays. Done before the number is locked: whoever changes a
 * service locks it first and its numbers then.
 * @throws Problem `service_not_found`, `validation_failed`
 */
async function holdReferences(tx: Tx, scope: Scope, { serviceId, carrierId }: Settings): Promise<void> {
  if (typeof serviceId === 'string' && !(await holdService(tx, scope, serviceId)))
    throw new Problem('service_not_found', {
      details: [{ field: 'serviceId', code: 'not_found', message: 'is no messaging service of this tenant' }],
    })
  if (typeof carrierId === 'string' && !(await holdCarrier(tx, scope, carrierId)))
    throw invalid({ field: 'carrierId', code: 'not_found', message: 'is no carrier of this tenant; list the carriers' })
}

export const addNumber = endpoint({
  id: 'numbers.create',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/numbers',
  name: 'Add a number',
  description:
    'Adds a telephone number, a short code or a sender id that the organization holds with a carrier, so that it can send and be reached at it. What kind it is follows from how it is written, its country from the numbering plan. A telephone number of the live mode that another organization on this server has already is contested until it is verified. Writes the event number.assigned.',
  permission: 'numbers:manage',
  status: 201,
  body: Type.Object({
    number: Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'A telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of up to 11 letters, digits, blanks and . & _ - with at least one letter.',
    }),
    ...settings,
  }),
  reply: OwnNumber,
  envelope: 'data',
  versioned: true,
  problems: ['invalid_from_number', 'number_taken', 'service_not_found', 'invalid_callback_url'],
  sample: {
    body: { number: '+49 30 12345678', label: 'Front desk', segmentsPerSecond: 1, createsLeads: true },
    reply: { ...sampleNumber, callbackUrl: null },
  },
  async handle({ tx, principal, body, now, services, setVersion, afterCommit }) {
    const { number, ...asked } = body
    const read = readAddress(number, principal.settings.defaultCountry)
    if (read === undefined) throw noSender(principal.settings.defaultCountry)
    const at = isoMs(now)
    const fresh: NumberRow = {
      ...{ ...read, id: newId('num'), label: null, service_id: null, carrier_id: null, sms: true },
      ...{ voice: read.kind === 'long_code', segments_per_second: null, callback_url: null, creates_leads: false },
      // The database knows who had it before.
      ...{ ownership: null, version: 1, created_at: at, updated_at: at },
    }
    const row = withSettings(fresh, asked, { services, principal })
    await holdReferences(tx, principal, asked)
    const stored = await insertNumber(tx, principal, row)
    if (stored === undefined) throw await numberTaken(tx, principal, row.address)
    await moveOptOuts(tx, principal, row.address, { from: null, to: row.service_id })
    const shown = presentNumber(stored)
    await emit(tx, principal, { type: 'number.assigned', resourceId: row.id, sequence: 1, data: shown })
    setVersion(stored.version)
    afterCommit(() => forgetDirectory(services.db, principal.tenantId))
    return shown
  },
})

function noSender(country: string | null): Problem {
  const home =
    country === null
      ? '; a telephone number needs + and country code, a short code has 3 to 8 digits, a sender id at most 11 characters'
      : ` (read for ${country})`
  const message = `is not a telephone number, short code or sender id${home}`
  return new Problem('invalid_from_number', { details: [{ field: 'number', code: 'wrong_format', message }] })
}

async function numberTaken(tx: Tx, scope: Scope, address: string): Promise<Problem> {
  const existing = await findNumberByAddress(tx, scope, address)
  const message = `is the number ${existing?.id ?? 'of another request'} already`
  return new Problem('number_taken', { details: [{ field: 'number', code: 'duplicate', message }] })
}

export const listAllNumbers = endpoint({
  id: 'numbers.list',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/numbers',
  name: 'List numbers',
  description: 'The numbers, short codes and sender ids of this tenant and mode, newest first.',
  permission: 'numbers:read',
  query: Type.Object({
    kind: Type.Optional(OneOf(numberKinds, { description: 'Only those of one kind.' })),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        errorMessage: 'must be an ISO 3166 code in capitals, such as DE',
        description: 'Only those of the numbering plan of one country.',
      }),
    ),
    serviceId: Type.Optional(Type.String({ maxLength: 100, description: 'Only senders of this messaging service.' })),
    carrierId: Type.Optional(Type.String({ maxLength: 100, description: 'Only those tied to this carrier.' })),
    number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only this one, in any usual spelling.' }),
    ),
    ...v2PageQuery,
  }),
  reply: OwnNumber,
  envelope: 'page',
  sample: { query: { kind: 'long_code' }, reply: sampleNumber },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const address = filter.number && readAddress(filter.number, principal.settings.defaultCountry)?.address
    const rows = await listNumbers(
      tx,
      principal,
      {
        kind: filter.kind ?? null,
        country: filter.country ?? null,
        serviceId: filter.serviceId ?? null,
        carrierId: filter.carrierId ?? null,
        // What is no sender at all is none of theirs either.
        number: filter.number === undefined ? null : (address ?? ''),
      },
      { limit, beforeId: cursor === undefined ? 'num_z' : idBehind(cursor, filter) },
    )
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentNumber), limit, nextCursor: cut.nextCursor }
  },
})

function idBehind(cursor: string, filter: unknown): string {
  const [id, ...more] = decodeCursor(cursor, filter)
  if (more.length > 0 || typeof id !== 'string' || !isId('num', id)) throw new Problem('invalid_cursor')
  return id
}

const NumberParams = Type.Object({
  numberId: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the number.' }),
})
const sampleParams = { numberId: sampleNumber.numberId }

export const getNumber = endpoint({
  id: 'numbers.get',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/numbers/{numberId}',
  name: 'Get a number',
  description: 'One number, short code or sender id with its settings.',
  permission: 'numbers:read',
  params: NumberParams,
  reply: OwnNumber,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: sampleParams, reply: sampleNumber },
  async handle({ tx, principal, params, setVersion }) {
    const row = await findNumber(tx, principal, params.numberId)
    if (row === undefined) throw new Problem('not_found')
    setVersion(row.version)
    return presentNumber(row)
  },
})

/** @throws Problem `not_found`, `version_mismatch` */
async function lockAsked(tx: Tx, scope: Scope, id: string, ifMatch: number | undefined): Promise<NumberRow> {
  const row = await lockNumber(tx, scope, id)
  if (row === undefined) throw new Problem('not_found')
  if (ifMatch !== undefined && ifMatch !== row.version) throw new Problem('version_mismatch')
  return row
}

export const updateNumber = endpoint({
  id: 'numbers.update',
  version: 'v2',
  category: 'Organization',
  method: 'PATCH',
  path: '/numbers/{numberId}',
  name: 'Change a number',
  description:
    'Changes the settings that are sent; null empties one. They hold on every node within two seconds. With serviceId the number moves into that messaging service, out of the one it was in; whoever opted out of it stays opted out where it goes.',
  permission: 'numbers:manage',
  params: NumberParams,
  body: Type.Object(settings, { minProperties: 1 }),
  reply: OwnNumber,
  envelope: 'data',
  versioned: true,
  problems: ['not_found', 'service_not_found', 'invalid_callback_url'],
  sample: {
    params: sampleParams,
    body: { label: 'Front desk', segmentsPerSecond: 1, createsLeads: true },
    reply: sampleNumber,
  },
  async handle({ tx, principal, params, body, now, services, ifMatch, setVersion, afterCommit }) {
    await holdReferences(tx, principal, body)
    const old = await lockAsked(tx, principal, params.numberId, ifMatch)
    const row = withSettings(old, body, { services, principal })
    await moveOptOuts(tx, principal, row.address, { from: old.service_id, to: row.service_id })
    const changed = await changeNumber(tx, principal, row, isoMs(now))
    setVersion(changed.version)
    afterCommit(() => forgetDirectory(services.db, principal.tenantId))
    return presentNumber(changed)
  },
})

export const releaseNumber = endpoint({
  id: 'numbers.delete',
  version: 'v2',
  category: 'Organization',
  method: 'DELETE',
  path: '/numbers/{numberId}',
  name: 'Release a number',
  description:
    'Takes a number out of the organization: it cannot be sent from any more. Its messages and calls stay, and who opted out of it stays opted out, should it be added again. Writes the event number.released.',
  permission: 'numbers:manage',
  params: NumberParams,
  reply: Type.Object({
    numberId: Type.String({ description: 'Identifier of what was released.' }),
    deleted: Type.Boolean({ description: 'Always true.' }),
  }),
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: sampleParams, reply: { numberId: sampleNumber.numberId, deleted: true } },
  async handle({ tx, principal, params, services, ifMatch, setVersion, afterCommit }) {
    const row = await lockAsked(tx, principal, params.numberId, ifMatch)
    await moveOptOuts(tx, principal, row.address, { from: row.service_id, to: null })
    await removeNumber(tx, principal, row.id)
    const sequence = row.version + 1
    await emit(tx, principal, { type: 'number.released', resourceId: row.id, sequence, data: presentNumber(row) })
    setVersion(sequence)
    afterCommit(() => forgetDirectory(services.db, principal.tenantId))
    return { numberId: row.id, deleted: true }
  },
})

export const endpoints = [listAllNumbers, addNumber, lookUpNumber, getNumber, updateNumber, releaseNumber]
