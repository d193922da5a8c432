// Creating a lead: the endpoint of the noun, carried out by hand, as concurrent requests share one statement and one commit.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { isClaimed, replayOf } from '../../../kernel/data/idempotency.ts'
import type { Context, Endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { decideCreation, factsOf } from '../../../kernel/noun/decide.ts'
import { findDuplicates, matchKeys, refuseDuplicates, shownDuplicates } from '../../../kernel/noun/duplicates.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { numbered } from '../../../kernel/noun/new_ids.ts'
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
  const { body, principal, now, services } = context
  const noun = tableNamed('lead')
  const { spec } = noun
  const mode = duplicateModeOf(context.header('x-duplicate-mode'), principal.settings.duplicateMode)
  const values = readBody(spec, body as Values, readingOf(principal))
  const facts = await factsFor(context, values)
  const ids = numbered(spec, [await leadWriter(services.db).nextId()])
  const { after: lead } = decideCreation(noun, principal, values, facts, now, { ids })
  context.setVersion(lead.version)
  // Who may read none is warned of none.
  const warns = mode === 'warn' && holdsRight(principal, spec.names[1], 'read')
  // What a group finds is stored as it is found, so that nobody would be spared what they may not read.
  const seesAll = visibleOwners(spec, principal) === undefined
  const isApart = mode === 'block' || (warns && !seesAll)
  return isApart ? createApart(context, lead, mode === 'block') : createInGroup(context, lead, warns)
}

/** Of what a lead names. What names nothing but its creator asks nothing of the database. */
async function factsFor({ principal, services, idempotency }: CreateContext, values: Values): Promise<Facts> {
  const { spec } = tableNamed('lead')
  const isNaming = fieldsOf(spec).some(
    ([name, field]) =>
      field.of !== undefined &&
      idsNamed(field, values[name]).some(id => field.of !== 'user' || id !== principal.userId),
  )
  if (!isNaming) return {}
  return services.db.inTenant(principal, async tx => {
    // What was answered before is answered as it was.
    const isKnown = idempotency !== undefined && (await isClaimed(tx, principal, idempotency.key))
    return isKnown ? {} : factsOf(tx, principal, spec, values)
  })
}

async function createInGroup(context: CreateContext, record: NounRecord, warn: boolean) {
  const { idempotency, principal, serialize, services } = context
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
 * meanwhile; and for those who may not read all leads.
 */
async function createApart({ principal, transact }: CreateContext, record: NounRecord, blocks: boolean) {
  return transact(async tx => {
    const found = await sameAs(tx, principal, record, blocks)
    duplicatesOf(await insertLead(tx, creationOf(record, principal)))
    const { spec } = tableNamed('lead')
    return { lead: showRecord(spec, record), duplicates: shownDuplicates(spec, found) }
  })
}

async function sameAs(tx: Tx, principal: Principal, record: NounRecord, blocks: boolean) {
  const noun = tableNamed('lead')
  if (!blocks) return findDuplicates(tx, principal, noun, matchKeys(noun, record), record.id)
  await refuseDuplicates(tx, principal, noun, { before: undefined, after: record })
  return []
}

/** @throws Problem `validation_failed` for an owner who was disabled meanwhile */
function duplicatesOf(created: Created) {
  if (created.outcome === 'created') return created.duplicates
  throw invalid({ field: 'owner_id', code: 'not_found', message: 'names no user that you may see' })
}
