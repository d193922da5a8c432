// Creation of leads at speed: concurrent requests share one statement and one commit. Ids are drawn from the sequence in
// blocks beforehand, so that the whole answer is known before the commit and can be stored with its Idempotency-Key.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Db, Tx } from '../../../kernel/data/db.ts'
import { createGroupOfModes, type Group } from '../../../kernel/data/group.ts'
import type { StoredAnswer } from '../../../kernel/data/idempotency.ts'
import { plainArray, plainColumn, sparseColumn, textArray, textColumn } from '../../../kernel/data/pg_array.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { showRecord, storeRecord } from '../../../kernel/noun/records.ts'
import { tableNamed } from '../../../kernel/noun/registry.ts'
import { newId } from '../../../kernel/values/ids.ts'

/** One lead on its way into the database. */
export type Creation = {
  organizationId: number
  /** Whose it is, for its share of the database. */
  mode: 'live' | 'test'
  creatorId: number
  /** The API key that it is created with. */
  keyId: string | null
  row: LeadRow
  /** Whether to look for duplicates. */
  warn: boolean
  /** The lead as the API shows it, as JSON: the data of the event. */
  snapshot: string
  /** With an Idempotency-Key: the answer up to and including the `[` of its last member `duplicates`. */
  answer: { key: string; fingerprint: Buffer; head: string } | undefined
}

type Duplicate = { id: number; title: string; matched_by: string }

/** The columns of a new lead. */
type LeadRow = { tenant_id: number; id: number; created_at: string } & Readonly<
  Record<
    'name' | 'email' | 'phone' | 'company' | 'priority' | 'source' | 'notes' | 'company_id' | 'find',
    string | null
  >
> & { owner_id: number | null }

export type Created =
  | { outcome: 'created'; duplicates: Duplicate[] }
  | { outcome: 'owner_not_found' }
  | { outcome: 'answered'; stored: StoredAnswer }

export type LeadWriter = {
  /** The next lead id; a promise only when a new block must be fetched. */
  nextId(): number | Promise<number>
  /** Creates a lead; resolves when it is durable. */
  create: Group<Creation, Created>
}

const writers = new WeakMap<Db, LeadWriter>()

/**
 * A statement by itself costs as much as several of the leads that it creates: at a busy server one is under way and the next one fills
 * meanwhile, and begins beside it when it has as many as make that cost small. What comes alone leaves at once.
 */
const gathering = { overlapAfterMs: 10, overlapItems: 20, gatherMs: 3 }

/** The one writer of a database door: it gathers what all requests of the process create. */
export function leadWriter(db: Db): LeadWriter {
  let writer = writers.get(db)
  if (writer === undefined) {
    const create = createGroupOfModes({
      run: (creations: Creation[], mode) => createLeads(db, creations, mode),
      ...gathering,
      holderOf: creation => creation.row.tenant_id,
    })
    writer = { nextId: idBlocks(db), create }
    writers.set(db, writer)
  }
  return writer
}

const idsAtOnce = 256

function idBlocks(db: Db): LeadWriter['nextId'] {
  let ids: number[] = []
  let fetching: Promise<void> | undefined

  async function fetch(): Promise<void> {
    const text = `select nextval('leads_id_seq') as id from generate_series(1, ${idsAtOnce})`
    const rows = await db.call<{ id: number }>('next_lead_ids', text, [])
    ids = [...rows.map(row => row.id).reverse(), ...ids]
  }

  async function wait(): Promise<number> {
    while (ids.length === 0) {
      fetching ??= fetch().finally(() => {
        fetching = undefined
      })
      await fetching
    }
    return ids.pop() as number
  }

  return () => ids.pop() ?? wait()
}

/** What the database needs to create a lead that was decided. @param shown the lead as the API shows it, where that is known */
export function creationOf(
  record: NounRecord,
  { organizationId, userId, keyId, mode }: Pick<Principal, 'organizationId' | 'userId' | 'keyId' | 'mode'>,
  shown: object = showRecord(tableNamed('lead').spec, record),
): Creation {
  const row = storeRecord(tableNamed('lead').spec, record) as LeadRow
  const snapshot = JSON.stringify(shown)
  return { organizationId, mode, creatorId: userId, keyId, row, warn: false, snapshot, answer: undefined }
}

/** What the complete answer ends with when no duplicates are found; `create_leads` writes those it finds before the `]`. */
const emptyList = '"duplicates":[]}'

/**
 * The answer up to and including the `[` of its list of duplicates.
 * @param text the complete answer to a lead without duplicates
 * @throws Error when `duplicates` is not its last member: the database would write the list to the wrong place
 */
export function openAnswer(text: string): string {
  if (!text.endsWith(emptyList)) throw new Error(`an answer must end with ${emptyList} for create_leads to complete it`)
  return text.slice(0, -']}'.length)
}

type ResultRow = {
  outcome: Created['outcome']
  duplicates: string
  fingerprint: Buffer
  status: number | null
  body: string | null
  version: number | null
}

const types = [
  'bigint[]', // tenant_id
  'bigint[]', // organization_id
  'bigint[]', // id
  'text[]', // name
  'text[]', // email
  'text[]', // phone
  'text[]', // company
  'text[]', // priority
  'bigint[]', // owner_id
  'text[]', // source
  'text[]', // notes
  'text[]', // company_id
  'text[]', // find
  'bigint[]', // creator
  'text[]', // creator_key
  'timestamptz[]', // created_at
  'boolean[]', // warn
  'text[]', // event_id
  'text[]', // snapshot
  'text[]', // key
  'bytea[]', // fingerprint
  'text[]', // head
]
const createText = `select * from create_leads(${types.map((type, index) => `$${index + 1}::${type}`).join(', ')})`

async function createLeads(db: Db, creations: Creation[], mode: 'live' | 'test'): Promise<Created[]> {
  const rows = await db.call<ResultRow>('create_leads', createText, columnsOf(creations), { tenantId: 0, mode })
  return rows.map(createdOf)
}

/** Creates one lead inside a transaction of its tenant. */
export async function insertLead(tx: Tx, creation: Creation): Promise<Created> {
  const values = columnsOf([creation]).map((value, index) => sql`${value}::${sql.raw(types[index] as string)}`)
  const { rows } = await sql<ResultRow>`select * from create_leads(${sql.join(values)})`.execute(tx)
  return createdOf(rows[0] as ResultRow)
}

function createdOf({ outcome, duplicates, ...stored }: ResultRow): Created {
  if (outcome === 'created') {
    return { outcome, duplicates: duplicates === '' ? [] : (JSON.parse(`[${duplicates}]`) as Duplicate[]) }
  }
  return outcome === 'answered' ? { outcome, stored } : { outcome }
}

function columnsOf(creations: Creation[]): unknown[] {
  const rows = creations.map(creation => creation.row)
  return [
    plainColumn(rows, row => row.tenant_id),
    plainColumn(creations, creation => creation.organizationId),
    plainColumn(rows, row => row.id),
    textColumn(rows, row => row.name),
    textColumn(rows, row => row.email),
    textColumn(rows, row => row.phone),
    textColumn(rows, row => row.company),
    textColumn(rows, row => row.priority),
    sparseColumn(rows, row => row.owner_id, plainArray),
    sparseColumn(rows, row => row.source, textArray),
    sparseColumn(rows, row => row.notes, textArray),
    sparseColumn(rows, row => row.company_id, textArray),
    textColumn(rows, row => row.find),
    plainColumn(creations, creation => creation.creatorId),
    sparseColumn(creations, creation => creation.keyId, textArray),
    plainColumn(rows, row => row.created_at),
    plainColumn(creations, creation => creation.warn),
    textColumn(creations, () => newId('evt')),
    textColumn(creations, creation => creation.snapshot),
    sparseColumn(creations, creation => creation.answer?.key ?? null, textArray),
    sparseColumn(
      creations,
      creation => creation.answer?.fingerprint ?? null,
      fingerprints => fingerprints,
    ),
    sparseColumn(creations, creation => creation.answer?.head ?? null, textArray),
  ]
}
