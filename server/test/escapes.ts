// Tries to reach what belongs to another organization: over HTTP with every id of it in every place of every request that may
// hold one, and over SQL as the server's own role in every table. Nothing of the victim may be disclosed, and nothing of it may
// change, which is seen in the database itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { catalog } from '../src/catalog.ts'
import type { Tx } from '../src/kernel/data/db.ts'
import type { Endpoint } from '../src/kernel/endpoint/endpoint.ts'
import { roles } from '../src/kernel/values/permission.ts'
import { loadContracts, send } from './contract.ts'
import type { ContractRequest } from './contract_types.ts'
import type { TestApp } from './harness.ts'

export type Escapes = {
  /** Requests and statements that were tried. */
  http: number
  statements: number
  /** What was tried against how many tables that hold rows of the victim, and how many endpoints. */
  tables: number
  endpoints: number
  /** What got through, in words; empty when all is well. */
  through: string[]
}

export type EscapeOptions = {
  /** Every credential and every id of the victim; else one credential, and of each kind of id one. */
  everything: boolean
}

/** Nothing of main's contains this: where it appears, something of the victim was disclosed. */
const marker = 'Zebra-4711'

type TenantTable = { name: string; column: 'tenant_id' | 'organization_id' }

/** @param t an application of its own: it is filled and not tidied */
export async function tryToEscape(t: TestApp, options: EscapeOptions): Promise<Escapes> {
  await fillVictim(t)
  const tables = await victimTables(t)
  const before = await settledState(t, tables)
  const ids = await idsOf(t, tables)
  const found: Escapes = { http: 0, statements: 0, tables: 0, endpoints: 0, through: [] }
  await tryRequests(t, ids, options, found)
  const after = await settledState(t, tables)
  for (const [table, state] of before)
    if (after.get(table) !== state) found.through.push(`rows of the victim in ${table} changed`)
  await inventRows(t, tables)
  const filled = await victimTables(t)
  found.tables = filled.length
  await tryStatements(t, filled, found)
  return found
}

/**
 * A row of the victim in each table that has none, which no rule but that of tenants stands before: statements are tried
 * against every table there is, and nothing else is asked of this database afterwards.
 */
async function inventRows(t: TestApp, filled: readonly TenantTable[]): Promise<void> {
  const known = new Set(filled.map(({ name }) => name))
  const empty = (await tenantTables(t)).filter(({ name }) => !known.has(name))
  await t.asOwner(async client => {
    // No triggers, and no foreign keys, which are triggers.
    await client.query('set session_replication_role = replica')
    for (const { name, column } of empty) {
      const { rows: checks } = await client.query<{ conname: string }>(
        `select conname from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
        [name],
      )
      for (const { conname } of checks) await client.query(`alter table ${name} drop constraint "${conname}"`)
      const { rows } = await client.query<{ column: string; type: string }>(
        `select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull and attgenerated = ''
           and attidentity <> 'a'`,
        [name],
      )
      const holder = column === 'organization_id' ? t.other.organizationId : t.other.liveTenantId
      const values = rows.map(row => (row.column === column ? String(holder) : anyValue(row.type)))
      await client.query(
        `insert into ${name} (${rows.map(row => row.column).join(', ')}) values (${values.join(', ')})`,
      )
    }
    await client.query('set session_replication_role = origin')
  })
}

/** Any value of a type, as SQL. */
function anyValue(type: string): string {
  if (/^(bigint|integer|smallint|numeric|real|double)/.test(type)) return '1'
  if (type.endsWith('[]')) return `'{}'::${type}`
  if (type === 'boolean') return 'true'
  if (type === 'date' || type.startsWith('timestamp')) return `now()::${type}`
  if (type.startsWith('json')) return `'{}'::${type}`
  if (type === 'bytea') return `'\\x00'::bytea`
  return `'x'::${type}`
}

/** Every record that the contracts know how to make for the other organization. */
async function fillVictim(t: TestApp): Promise<void> {
  for (const { foreign } of (await loadContracts()).values()) await foreign?.(t)
  for (const as of [t.other.tokens.Admin, t.other.testKey]) {
    await t.call('POST', '/v2/messages/sms', { as, body: { from: '+15005550006', to: '+15005550100', body: marker } })
    await t.call('POST', '/v2/voice/calls', { as, body: { from: '+15005550006', to: '+15005550200' } })
  }
  const victim = [t.other.liveTenantId, t.other.testTenantId]
  await t.ownerSql(`update leads set name = $2 || ' ' || id where tenant_id = any($1)`, [victim, marker])
  await t.ownerSql(`update users set name = $2 where organization_id = $1`, [t.other.organizationId, marker])
  await t.ownerSql(`update organizations set name = $2 where id = $1`, [t.other.organizationId, marker])
}

const holderOf = (t: TestApp, { column }: TenantTable) =>
  column === 'organization_id' ? [t.other.organizationId] : [t.other.liveTenantId, t.other.testTenantId]

/** Every table whose rows belong to a tenant or an organization. */
function tenantTables(t: TestApp): Promise<TenantTable[]> {
  return t.ownerSql<TenantTable>(
    // Rows of the organization that say which tenant they are of: those of its other tenant are its own.
    `select c.relname as name, case when bool_or(a.attname = 'tenant_id') and c.relname not in ('api_keys', 'sessions') then 'tenant_id'
       else 'organization_id' end as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname in ('tenant_id', 'organization_id')
     group by c.relname order by c.relname`,
  )
}

/** Those that hold rows of the victim. */
async function victimTables(t: TestApp): Promise<TenantTable[]> {
  const filled: TenantTable[] = []
  for (const table of await tenantTables(t)) {
    const [count] = await t.ownerSql<{ n: number }>(
      `select count(*)::int as n from ${table.name} where ${table.column} = any($1)`,
      [holderOf(t, table)],
    )
    if ((count?.n ?? 0) > 0) filled.push(table)
  }
  return filled
}

/** The state of the victim's rows when what is written behind its own last requests (their log, their counts) is there. */
async function settledState(t: TestApp, tables: readonly TenantTable[]): Promise<Map<string, string>> {
  let state = await stateOf(t, tables)
  for (let tries = 0; tries < 20; tries++) {
    await sleep(1_500)
    const next = await stateOf(t, tables)
    if (tables.every(({ name }) => next.get(name) === state.get(name))) return next
    state = next
  }
  throw new Error('the rows of the victim do not come to rest')
}

/** A digest of the victim's rows of each table; when a key was used last is written seconds later. */
async function stateOf(t: TestApp, tables: readonly TenantTable[]): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  for (const table of tables) {
    const [row] = await t.ownerSql<{ state: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(d, '' order by d)), '') as state
       from (select md5((to_jsonb(r) - 'last_used_at')::text) as d from ${table.name} r where ${table.column} = any($1)) s`,
      [holderOf(t, table)],
    )
    states.set(table.name, row?.state ?? '')
  }
  return states
}

/** Ids of the victim by kind: the prefix of those that have one, else the table whose number it is. */
async function idsOf(t: TestApp, tables: readonly TenantTable[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, Set<string>>()
  const add = (kind: string, id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id))
  for (const table of tables) {
    const rows = await t.ownerSql<{ row: Record<string, unknown> }>(
      `select to_jsonb(r) as row from ${table.name} r where ${table.column} = any($1) limit 50`,
      [holderOf(t, table)],
    )
    for (const { row } of rows) {
      if (typeof row['id'] === 'number') add(table.name, String(row['id']))
      for (const value of Object.values(row))
        if (typeof value === 'string' && /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/.test(value))
          add(value.slice(0, value.indexOf('_')), value)
    }
  }
  return new Map([...ids].map(([kind, set]) => [kind, [...set].slice(0, 3)]))
}

/** A place of a request that may hold an id, and what the sample has there. */
type Slot = { name: string; sample: unknown; put(request: ContractRequest, id: string): void }

function slotsOf(definition: Endpoint): Slot[] {
  const { params = {}, query = {}, body } = definition.sample
  const slots: Slot[] = Object.entries(params).map(([name, sample]) => ({
    name: `path ${name}`,
    sample,
    put(request, id) {
      request.params = { ...request.params, [name]: id }
    },
  }))
  for (const name of Object.keys(definition.query?.properties ?? {}))
    if (/Id$|_id$|^(cursor|from|to|number|resourceId|q)$/.test(name))
      slots.push({
        name: `query ${name}`,
        sample: query[name],
        put(request, id) {
          request.query = { ...query, ...request.query, [name]: id }
        },
      })
  const schema = definition.body as { properties?: Record<string, { type?: string }> } | undefined
  for (const [name, { type }] of Object.entries(schema?.properties ?? {}))
    if (/Ids?$|_ids?$/.test(name))
      slots.push({
        name: `body ${name}`,
        sample: (body as Record<string, unknown> | undefined)?.[name],
        put(request, id) {
          const value = /^\d+$/.test(id) ? Number(id) : id
          request.body = {
            ...(body as object),
            ...(request.body as object),
            [name]: type === 'array' ? [value] : value,
          }
        },
      })
  return slots
}

async function tryRequests(
  t: TestApp,
  ids: ReadonlyMap<string, readonly string[]>,
  { everything }: EscapeOptions,
  found: Escapes,
): Promise<void> {
  const { main } = t
  const credentials = everything
    ? [...roles.map(role => main.tokens[role]), main.liveKey, main.testKey]
    : [main.tokens.Admin]
  const contracts = await loadContracts()
  for (const definition of catalog) {
    if (definition.permission === 'public' || contracts.get(definition.id)?.endsCredential) continue
    const slots = slotsOf(definition)
    if (slots.length > 0) found.endpoints++
    for (const slot of slots)
      for (const id of chosenIds(ids, slot, everything))
        for (const as of credentials) await tryRequest(t, definition, slot, { id, as }, found)
  }
}

/** All of them; or those of the kind that the sample has there, and one of each other kind of number. */
function chosenIds(ids: ReadonlyMap<string, readonly string[]>, { sample }: Slot, everything: boolean): string[] {
  if (everything) return [...ids.values()].flat()
  const prefix = typeof sample === 'string' ? /^([a-z]+)_/.exec(sample)?.[1] : undefined
  if (prefix !== undefined) return [...(ids.get(prefix) ?? [])]
  return [...ids.values()].flatMap(([first]) => (first !== undefined && /^\d+$/.test(first) ? [first] : []))
}

async function tryRequest(
  t: TestApp,
  definition: Endpoint,
  slot: Slot,
  { id, as }: { id: string; as: string },
  found: Escapes,
): Promise<void> {
  const request: ContractRequest = {}
  slot.put(request, id)
  found.http++
  const { status, text } = await send(t, definition, request, { as })
  const said = (why: string) => found.through.push(`${definition.id}, ${slot.name} = ${id}: ${status}, ${why}`)
  if (status >= 500) said(text.slice(0, 200))
  if (text.includes(marker)) said('says something about the victim')
  // Numbers count from one in each tenant, so that one's own record may have the same.
  else if (status < 300 && slot.name.startsWith('path ') && id.includes('_')) said('found what is the victim’s')
}

/** Statements as the server's role, each in a transaction of the main organization. */
async function tryStatements(t: TestApp, tables: readonly TenantTable[], found: Escapes): Promise<void> {
  const { liveTenantId: tenantId, organizationId } = t.main
  const { db } = t.app.services
  const attempt = async (table: string, what: string, work: (tx: Tx) => Promise<number>) => {
    found.statements++
    // Refused by the database, or it touched nothing.
    const touched = await db.inTenant({ tenantId, organizationId }, work).catch(() => 0)
    if (touched > 0) found.through.push(`${what} in ${table}: ${touched} rows of the victim`)
    found.statements++
    const outside = await db.outside(work).catch(() => 0)
    if (outside > 0) found.through.push(`${what} in ${table} without a tenant: ${outside} rows`)
  }
  for (const table of tables) {
    const [name, column] = [sql.table(table.name), sql.ref(table.column)]
    const own = table.column === 'tenant_id' ? tenantId : organizationId
    for (const holder of holderOf(t, table)) {
      const rows = await t.ownerSql<{ row: string }>(
        `select to_jsonb(r)::text as row from ${table.name} r where ${table.column} = $1 limit 1`,
        [holder],
      )
      const count = async (tx: Tx, statement: ReturnType<typeof sql>) =>
        (await statement.execute(tx)).rows.length || Number((await statement.execute(tx)).numAffectedRows ?? 0)
      await attempt(table.name, 'reading', tx => count(tx, sql`select 1 from ${name} where ${column} = ${holder}`))
      await attempt(table.name, 'reading all', tx => count(tx, sql`select 1 from ${name} where ${column} <> ${own}`))
      await attempt(table.name, 'locking', tx =>
        count(tx, sql`select 1 from ${name} where ${column} = ${holder} for update`),
      )
      await attempt(table.name, 'changing', tx =>
        count(tx, sql`update ${name} set ${column} = ${column} where ${column} = ${holder} returning 1`),
      )
      await attempt(table.name, 'deleting', tx =>
        count(tx, sql`delete from ${name} where ${column} = ${holder} returning 1`),
      )
      await attempt(table.name, 'giving away', tx =>
        count(tx, sql`update ${name} set ${column} = ${holder} where ${column} = ${own} returning 1`),
      )
      for (const { row } of rows)
        await attempt(table.name, 'adding', tx =>
          count(tx, sql`insert into ${name} select * from json_populate_record(null::${name}, ${row}) returning 1`),
        )
    }
  }
}
