// Where sealed texts lie in a database, found by looking into every column of every table that can hold text.
import assert from 'node:assert/strict'
import type pg from 'pg'
import { resealAll } from '../src/kernel/boot/reseal_store.ts'
import { activateNext, announceNext } from '../src/kernel/boot/rotation.ts'
import { sealedColumns } from '../src/sealed_columns.ts'
import type { TestApp } from './harness.ts'
import { testRootSource } from './root_key.ts'

export type SealedPlace = { table: string; column: string; versions: number[] }

export function sealedPlaces(
  asOwner: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>,
): Promise<SealedPlace[]> {
  return asOwner(async client => {
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select c.relname as table, a.attname as column
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'varchar'::regtype, 'text[]'::regtype)
       order by 1, 2`,
    )
    const places: SealedPlace[] = []
    for (const { table, column } of columns) {
      const name = client.escapeIdentifier(column)
      const { rows } = await client.query<{ version: string }>(
        `select distinct (regexp_match(${name}::text, '(?:^|")sealed\\.([1-9]\\d*)\\.[\\w-]{38,}'))[1] as version
         from ${client.escapeIdentifier(table)} where ${name}::text like '%sealed.%'`,
      )
      const versions = rows.flatMap(({ version }) => (version === null ? [] : Number(version)))
      if (versions.length > 0) places.push({ table, column, versions })
    }
    return places
  })
}

/** Rotates the sealing key of a database that a test has filled: every sealed text has to be in a column of the list, and to open. */
export async function assertResealed(t: TestApp): Promise<void> {
  const ground = { owner: t.owner, source: testRootSource, nowMs: t.clock.now() }
  await announceNext(ground, 'sealing_key', null)
  const { version } = (await activateNext(ground, 'sealing_key', null))!
  await t.instance.reload()
  const { unreadable } = await resealAll(t.asEngine, t.instance.keyring, sealedColumns)
  assert.deepEqual(unreadable, [])
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  for (const { table, column, versions } of await sealedPlaces(t.asOwner)) {
    assert.ok(
      listed.includes(`${table}.${column}`),
      `${table}.${column} holds sealed texts: list it in sealed_columns.ts`,
    )
    assert.deepEqual(versions, [version], `${table}.${column}`)
  }
}
