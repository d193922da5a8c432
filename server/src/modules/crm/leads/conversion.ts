// Converting a lead: it becomes a contact, and the company that it speaks for a company, in one transaction. Those that are there already
// are used, and only their empty fields are filled.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable } from '../../../kernel/endpoint/schema.ts'
import { requireRoom } from '../../../kernel/noun/composites.ts'
import { decideChange, decideCreation, refuseForeign } from '../../../kernel/noun/decide.ts'
import { findDuplicates, lockKeys, matchKeys } from '../../../kernel/noun/duplicates.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { holdRecord, lockRecords } from '../../../kernel/noun/locks.ts'
import { namesOf } from '../../../kernel/noun/noun_names.ts'
import { showRecord } from '../../../kernel/noun/records.ts'
import { maySee, type NounTable, tableNamed } from '../../../kernel/noun/registry.ts'
import { holdsRight } from '../../../kernel/noun/rights.ts'
import { paramsSchema, recordSchema } from '../../../kernel/noun/schemas.ts'
import type { AnySpec } from '../../../kernel/noun/spec.ts'
import { findRecord } from '../../../kernel/noun/verbs_read.ts'
import { findNamed, lockNamed, requestOrigin } from '../../../kernel/noun/verbs_write.ts'
import { type Write, writeRecords } from '../../../kernel/noun/write.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { leads } from './noun.ts'
import { decideConversion, type LeadStatus } from './rules.ts'
import { foundRecord, isCompanyThere } from './store.ts'

const idOf = (prefix: string, description: string) =>
  Nullable(Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, description }))

const ConversionBody = Type.Object({
  company_id: Type.Optional(
    idOf(
      'cmp',
      'The company to use; null for none. Left out: the one that the lead names, or that has its name, or a new one.',
    ),
  ),
  contact_id: Type.Optional(
    idOf(
      'con',
      'The contact to use; null for a new one. Left out: the one with the same e-mail or phone, or a new one.',
    ),
  ),
  qualify: Type.Optional(Type.Boolean({ default: false, description: 'Qualifies the lead first, if it is not.' })),
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Says what would come of it, and changes nothing.' }),
  ),
})

const Result = Type.Object({
  id: Nullable(Type.String({ description: 'Identifier; null of one that a dry run would create.' })),
  title: Type.String({ description: 'What it is called.' }),
  created: Type.Boolean({ description: 'Whether it was not there before.' }),
})

const spec = leads.spec as unknown as AnySpec
const { sampleRecord: sampleLead } = namesOf(spec)

export const convertLead = endpoint({
  version: 'v1',
  category: 'CRM',
  envelope: 'success',
  versioned: true,
  id: 'leads.convert',
  rowKind: 'leads',
  method: 'POST',
  path: '/api/leads/{id}/convert',
  name: 'Convert a lead',
  description:
    'Makes a contact of a Qualified lead, and a company of the one it speaks for; of records that are used only empty fields are filled. The lead becomes Converted and names both. One that is converted already is answered with the same records, as far as they are there and the caller may see them. Writes lead.status_changed and lead.converted, and the events of the records. Needs the permissions to create contacts and companies as far as it creates them.',
  permission: 'leads:update',
  params: paramsSchema(spec),
  body: ConversionBody,
  reply: Type.Object({
    lead: Type.Unsafe<Record<string, unknown>>(recordSchema(spec)),
    company: Nullable(Result),
    contact: Nullable({
      ...Result,
      description:
        'Null of a lead that was converted before, where its contact is removed for good or hidden from the caller.',
    }),
  }),
  problems: ['not_found', 'invalid_transition'],
  sample: {
    params: { id: 17 },
    body: { qualify: true },
    reply: {
      lead: { ...sampleLead, status: 'Converted', version: 3 },
      company: { id: 'cmp_01k9r7d3w2v8e6q4n5m1b0c9xz', title: 'Analytical Engines', created: true },
      contact: { id: 'con_01k9r7d3w2v8e6q4n5m1b0c9xz', title: 'Ada Lovelace', created: true },
    },
  },
  async handle(context) {
    const { tx, params, body, principal, now, ifMatch, setVersion } = context
    const noun = tableNamed('lead')
    const shownLead = (of: NounRecord) => showRecord(noun.spec, of)
    const { lead, parts } = await lockAll(tx, principal, params, { ...body, ifMatch, nowMs: now })
    if (parts === undefined) {
      setVersion(lead.version)
      return { lead: shownLead(lead), ...(await resultsOf(tx, principal, lead)) }
    }
    const { steps, company, contact } = parts
    if (body.dry_run === true) {
      setVersion(lead.version)
      const before = (part: Part) => (part.isNew ? { ...shown(part), id: null } : shown(part))
      return { lead: shownLead(lead), company: shownCompany(company, before), contact: before(contact) }
    }
    for (const { noun, write } of [company, contact].filter(part => part !== undefined))
      if (write !== undefined) await writeRecords(tx, principal, noun, [write], requestOrigin(now))
    const converted = await convert(tx, principal, lead, { steps, company, contact, nowMs: now })
    setVersion(converted.version)
    return {
      lead: shownLead(converted),
      company: shownCompany(company, shown),
      contact: shown(contact),
    }
  },
})

/** A record that a lead becomes part of: there already, or about to be written. */
type Part = { noun: NounTable; record: NounRecord; isNew: boolean; write: Write | undefined; isHidden?: boolean }

function shown({ noun, record, isNew }: Part): Static<typeof Result> {
  return { id: record.id, title: String(record[noun.spec.title]), created: isNew }
}

/** Null where there is none, or one that the caller does not see. */
function shownCompany(company: Part | undefined, show: (part: Part) => Static<typeof Result>) {
  return company === undefined || company.isHidden === true ? null : show(company)
}

/** The records that a converted lead names, as they are now; null for what is removed for good, or not seen by the caller. */
async function resultsOf(tx: Tx, principal: Principal, lead: NounRecord) {
  const result = async (name: string, id: string | null) => {
    if (id === null) return null
    const noun = tableNamed(name)
    const record = await foundRecord(findRecord(tx, principal, noun, id, { deleted: true }))
    return record === undefined ? null : shown({ noun, record, isNew: false, write: undefined })
  }
  const { company_id, contact_id } = lead as NounRecord & Partial<Record<'company_id' | 'contact_id', string | null>>
  return {
    company: await result('company', company_id ?? null),
    contact: await result('contact', contact_id ?? null),
  }
}

/** @throws Problem `insufficient_scope` */
function requireRight(principal: Principal, noun: NounTable, right: 'create' | 'update'): void {
  const [one, many] = noun.spec.names
  if (holdsRight(principal, many, right)) return
  const remedy = right === 'create' ? ` Name a ${one} that is there instead.` : ''
  throw new Problem('insufficient_scope', {
    message: `The conversion would ${right} a ${one}, which needs the permission ${many}:${right}.${remedy}`,
  })
}

function created(noun: NounTable, principal: Principal, values: Record<string, unknown>, nowMs: number): Part {
  requireRight(principal, noun, 'create')
  const write = decideCreation(noun, principal, values, {}, nowMs)
  return { noun, record: write.after, isNew: true, write }
}

type Wanted = Static<typeof ConversionBody> & {
  ifMatch: number | undefined
  nowMs: number
}

/**
 * The lead, and what it becomes part of, locked as kernel/noun/locks.ts says: what is decided of the lead before it is locked is decided
 * once more where it was changed meanwhile. No parts of one that is converted already.
 * @throws Problem `not_found`, `version_mismatch`, `invalid_transition`
 */
async function lockAll(tx: Tx, principal: Principal, params: unknown, wanted: Wanted) {
  const noun = tableNamed('lead')
  for (;;) {
    const seen = await findNamed(tx, principal, noun, params, wanted.ifMatch)
    if (seen['status'] === 'Converted') return { lead: seen, parts: undefined }
    refuseForeign(noun.spec, principal, seen, {})
    const steps = decideConversion(seen['status'] as LeadStatus, wanted.qualify === true)
    let parts: Awaited<ReturnType<typeof partsOf>>
    try {
      parts = await partsOf(tx, principal, seen, wanted)
    } catch (error) {
      if (error instanceof CompanyGone) continue
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error
      // A merge that was waited for has the lead name another company.
      const { version } = await findNamed(tx, principal, noun, params, wanted.ifMatch)
      if (version === seen.version) throw error
      continue
    }
    const lead = await lockNamed(tx, principal, noun, params, wanted.ifMatch)
    if (lead.version === seen.version) return { lead, parts: { steps, ...parts } }
  }
}

async function partsOf(tx: Tx, principal: Principal, lead: NounRecord, { company_id, contact_id, nowMs }: Wanted) {
  const [companies, contacts] = [tableNamed('company'), tableNamed('contact')]
  const [spokenFor, values] = [companyValues(lead), contactValues(lead)]
  const named = company_id === undefined ? await companyOf(tx, principal, lead) : company_id
  // Two leads that speak for one new company, or are one new person, are converted one after the other.
  const toFind = company_id === undefined && named === null ? spokenFor : undefined
  if (toFind !== undefined) await lockKeys(tx, principal, companies, matchKeys(companies, toFind))
  if (contact_id === undefined) await lockKeys(tx, principal, contacts, matchKeys(contacts, values))
  const company =
    toFind !== undefined
      ? ((await sameCompany(tx, principal, toFind)) ?? created(companies, principal, toFind, nowMs))
      : named === null
        ? undefined
        : company_id === undefined
          ? await companyNamed(tx, principal, named)
          : await companyThere(tx, principal, named)
  return { company, contact: await contactFor(tx, principal, values, { asked: contact_id, company, nowMs }) }
}

const companyValues = (lead: NounRecord) =>
  lead['company'] === null ? undefined : { name: lead['company'], owner_id: lead['owner_id'] }

/** The first record that is the same and that the caller sees. One that was merged while it was waited for is none. */
async function firstSame(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  values: Record<string, unknown>,
  held: (id: string) => Promise<NounRecord>,
): Promise<NounRecord | undefined> {
  const gone = new Set<string>()
  for (;;) {
    const found = await findDuplicates(tx, principal, noun, matchKeys(noun, values))
    const first = found.find(({ id, isSeen }) => isSeen && !gone.has(id))
    if (first === undefined) return undefined
    const record = await foundRecord(held(first.id))
    if (record !== undefined) return record
    gone.add(first.id)
  }
}

async function heldCompany(tx: Tx, principal: Principal, id: string): Promise<NounRecord> {
  await holdRecord(tx, principal, id)
  return findRecord(tx, principal, tableNamed('company'), id)
}

async function companyThere(tx: Tx, principal: Principal, id: string): Promise<Part> {
  const record = await heldCompany(tx, principal, id)
  return { noun: tableNamed('company'), record, isNew: false, write: undefined }
}

/** What the lead names is looked up once more. */
class CompanyGone extends Error {}

/** The company that a lead names: none where that is in the trash. */
async function companyOf(tx: Tx, principal: Principal, lead: NounRecord): Promise<string | null> {
  const id = lead['company_id'] as string | null
  return id !== null && (await isCompanyThere(tx, principal, id)) ? id : null
}

/**
 * The company that a lead names stays the one that it is of, also where it is somebody else's and the caller does not see it.
 * @throws CompanyGone where it was merged, or moved to the trash, while it was waited for
 */
async function companyNamed(tx: Tx, principal: Principal, id: string): Promise<Part> {
  const noun = tableNamed('company')
  const [record] = await lockRecords(tx, principal, noun, [id])
  if (record === undefined || record.deleted_at !== null) throw new CompanyGone()
  const isHidden = !holdsRight(principal, noun.spec.names[1], 'read') || !maySee(noun.spec, principal, record)
  return { noun, record, isNew: false, write: undefined, isHidden }
}

async function sameCompany(tx: Tx, principal: Principal, values: Record<string, unknown>): Promise<Part | undefined> {
  const noun = tableNamed('company')
  const record = await firstSame(tx, principal, noun, values, id => heldCompany(tx, principal, id))
  return record && { noun, record, isNew: false, write: undefined }
}

type Entry = { value: string; label: string | null; is_primary: boolean }
type Asked = { asked: string | null | undefined; company: Part | undefined; nowMs: number }

const entry = (value: string | null | undefined): Entry[] =>
  value === null || value === undefined ? [] : [{ value, label: null, is_primary: true }]

function contactValues(lead: NounRecord) {
  return {
    name: lead['name'],
    emails: entry(lead['email'] as string | null),
    phones: entry(lead['phone'] as string | null),
    owner_id: lead['owner_id'],
    source: lead['source'],
    notes: lead['notes'],
  }
}

async function contactFor(
  tx: Tx,
  principal: Principal,
  own: ReturnType<typeof contactValues>,
  { asked, company, nowMs }: Asked,
): Promise<Part> {
  const noun = tableNamed('contact')
  const values = { ...own, companies: entry(company?.record.id) }
  const locked = (id: string) => findRecord(tx, principal, noun, id, { locked: true })
  const record =
    asked === undefined
      ? await firstSame(tx, principal, noun, values, locked)
      : asked === null
        ? undefined
        : await locked(asked)
  if (record === undefined) return created(noun, principal, values, nowMs)
  const filled = {
    emails: joined(record, 'emails', values.emails),
    phones: joined(record, 'phones', values.phones),
    companies: joined(record, 'companies', values.companies),
    owner_id: record['owner_id'] ?? values.owner_id,
    source: record['source'] ?? values.source,
    notes: record['notes'] ?? values.notes,
  }
  const write = decideChange(noun, principal, record, filled, {}, nowMs)
  if (write !== undefined) requireRight(principal, noun, 'update')
  return { noun, record, isNew: false, write }
}

/**
 * What is there stays, in its order and with its primary; what is new comes behind it.
 * @throws Problem `validation_failed` for a contact whose list is full
 */
function joined(contact: NounRecord, field: 'emails' | 'phones' | 'companies', more: readonly Entry[]): Entry[] {
  const there = contact[field] as Entry[]
  const known = new Set(there.map(({ value }) => value.toLowerCase()))
  const added = more.filter(({ value }) => !known.has(value.toLowerCase()))
  const all = [...there, ...added.map(entry => ({ ...entry, is_primary: there.length === 0 }))]
  const remedy = `remove some of contact ${contact.id} first, or name another one as contact_id, or null for a new one`
  requireRoom(field, there, all, remedy)
  return all
}

type Conversion = { steps: readonly LeadStatus[]; company: Part | undefined; contact: Part; nowMs: number }

/** Writes the lead as it is after each step. */
async function convert(tx: Tx, principal: Principal, lead: NounRecord, { steps, company, contact, nowMs }: Conversion) {
  const noun = tableNamed('lead')
  const at = isoMs(nowMs)
  let now = lead
  for (const status of steps) {
    const moved = { type: 'status_changed', more: { previousStatus: now['status'] } }
    const isLast = status === 'Converted'
    const after = {
      ...now,
      status,
      first_responded_at: now['first_responded_at'] ?? at,
      ...(isLast && { company_id: company?.record.id ?? null, contact_id: contact.record.id, converted_at: at }),
      version: now.version + 1,
      updated_at: at,
    }
    const events = isLast ? [moved, 'converted'] : [moved]
    await writeRecords(tx, principal, noun, [{ before: now, after, events }], requestOrigin(nowMs))
    now = after
  }
  return now
}
