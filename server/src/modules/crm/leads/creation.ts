// Creating a lead: the endpoint of the noun, carried out by hand, as concurrent requests share one statement and one commit.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { isClaimed, replayOf } from '../../../kernel/data/idempotency.ts'
import type { Context, Endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { decideCreation } from '../../../kernel/noun/decide.ts'
import {
  findDuplicates,
  lockKeys,
  matchKeys,
  refuseDuplicates,
  shownDuplicates,
} from '../../../kernel/noun/duplicates.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { factsOf, namesRecords } from '../../../kernel/noun/named.ts'
import { type NewIds, numbered } from '../../../kernel/noun/new_ids.ts'
import { fieldsOf, idsNamed, readBody, showRecord } from '../../../kernel/noun/records.ts'
import { tableNamed, visibleOwners } from '../../../kernel/noun/registry.ts'
import { holdsRight } from '../../../kernel/noun/rights.ts'
import type { Facts } from '../../../kernel/noun/spec.ts'
import { readingOf } from '../../../kernel/noun/verbs_read.ts'
import { duplicateModeOf } from '../../../kernel/values/duplicate_mode.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { type Created, creationOf, insertLead, leadWriter, openAnswer } from './creation_store.ts'
import { leads } from './noun.ts'
import { creationFaults } from './rules.ts'

type CreateContext = Context<unknown, unknown, unknown>
type Values = Record<string, unknown>

export const createLead: Endpoint = {
  ...leads.endpointOf.create,
  logBody: 'refusals',
  transaction: 'none',
  check: ({ body }) => creationFaults(body as Parameters<typeof creationFaults>[0]),
  handle: create,
}

async function create(context: CreateContext) {
  const { body, principal, header } = context
  const { spec } = tableNamed('lead')
  const mode = duplicateModeOf(header('x-duplicate-mode'), principal.settings.duplicateMode)
  const values = readBody(spec, body as Values, readingOf(principal))
  // Who may read none is warned of none.
  const warns = mode === 'warn' && holdsRight(principal, spec.names[1], 'read')
  // What a group finds is stored as it is found, so that nobody would be spared what they may not read.
  const seesAll = visibleOwners(spec, principal) === undefined
  const isApart = mode === 'block' || (warns && !seesAll) || namesRecords(spec, values)
  const looks = mode === 'block' ? 'blocks' : warns ? 'warns' : 'off'
  return isApart ? createApart(context, values, looks) : createInGroup(context, values, warns)
}

/** Whether something must be asked about what a lead names; who creates it is there. */
function isNaming({ userId }: Principal, values: Values): boolean {
  return fieldsOf(tableNamed('lead').spec).some(
    ([name, field]) =>
      field.of !== undefined && idsNamed(field, values[name]).some(id => field.of !== 'user' || id !== userId),
  )
}

/** Of the owner. What names nothing but its creator asks nothing of the database. */
async function ownerFacts({ principal, services, idempotency }: CreateContext, values: Values): Promise<Facts> {
  if (!isNaming(principal, values)) return {}
  return services.db.inTenant(principal, async tx => {
    // What was answered before is answered as it was.
    const isKnown = idempotency !== undefined && (await isClaimed(tx, principal, idempotency.key))
    return isKnown ? {} : factsOf(tx, principal, tableNamed('lead'), values)
  })
}

async function takeId({ services }: CreateContext): Promise<NewIds> {
  return numbered(tableNamed('lead').spec, [await leadWriter(services.db).nextId()])
}

function decided({ principal, now, setVersion }: CreateContext, values: Values, facts: Facts, ids: NewIds): NounRecord {
  const { after: lead } = decideCreation(tableNamed('lead'), principal, values, facts, now, { ids })
  setVersion(lead.version)
  return lead
}

async function createInGroup(context: CreateContext, values: Values, warn: boolean) {
  const { idempotency, principal, serialize, services } = context
  const facts = await ownerFacts(context, values)
  const record = decided(context, values, facts, await takeId(context))
  const lead = showRecord(tableNamed('lead').spec, record)
  // The database puts the duplicates in: it finds them in the transaction that stores the answer.
  const answer = idempotency && { ...idempotency, head: openAnswer(serialize({ lead, duplicates: [] })) }
  const created = await leadWriter(services.db).create({ ...creationOf(record, principal, lead), warn, answer })
  if (created.outcome === 'answered' && idempotency !== undefined) {
    return { replay: replayOf(created.stored, idempotency.fingerprint) }
  }
  return { lead, duplicates: duplicatesOf(created) }
}

/**
 * In a transaction of its own: where duplicates are blocked, for nobody else can create a lead with this e-mail or phone
 * meanwhile; for those who may not read all leads; and where it names records, for nobody can merge these meanwhile.
 */
async function createApart(context: CreateContext, values: Values, looks: Looks) {
  const { principal, transact } = context
  const noun = tableNamed('lead')
  const { spec } = noun
  const ids = await takeId(context)
  return transact(async tx => {
    // Before what is named, as kernel/noun/locks.ts says.
    if (looks === 'blocks' && namesRecords(spec, values)) await lockKeys(tx, principal, noun, matchKeys(noun, values))
    const facts = isNaming(principal, values) ? await factsOf(tx, principal, noun, values) : {}
    const record = decided(context, values, facts, ids)
    const found = await sameAs(tx, principal, record, looks)
    duplicatesOf(await insertLead(tx, creationOf(record, principal)))
    return { lead: showRecord(spec, record), duplicates: shownDuplicates(spec, found) }
  })
}

/** What is done about leads that are the same. */
type Looks = 'blocks' | 'warns' | 'off'

async function sameAs(tx: Tx, principal: Principal, record: NounRecord, looks: Looks) {
  const noun = tableNamed('lead')
  if (looks === 'off') return []
  if (looks === 'warns') return findDuplicates(tx, principal, noun, matchKeys(noun, record), record.id)
  await refuseDuplicates(tx, principal, noun, { before: undefined, after: record })
  return []
}

/** @throws Problem `validation_failed` for an owner who was disabled meanwhile */
function duplicatesOf(created: Created) {
  if (created.outcome === 'created') return created.duplicates
  throw invalid({ field: 'owner_id', code: 'not_found', message: 'names no user that you may see' })
}
