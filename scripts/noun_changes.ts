// What a noun's table lacks of its declaration, as the statements that lead there: the declared table is made in a schema of its own, in a
// transaction that is rolled back, and PostgreSQL's own words for both are compared.
import type { ClientBase } from 'pg'
import { fieldsOf } from '../server/src/kernel/noun/records.ts'
import type { NounTable } from '../server/src/kernel/noun/registry.ts'
import { migrationOf, tagsHeld } from './noun_ddl.ts'

type Shape = {
  columns: Map<string, { type: string; notNull: boolean }>
  checks: Map<string, string>
  keys: Map<string, string>
  indexes: Map<string, string>
  /** By name what they do; of the functions that they call the text. */
  triggers: Map<string, string>
}

const schema = 'declared_noun'

/**
 * The statements that lead from the table in the database to the declared one; none where it is that. What a migration adds beside the
 * declaration (other checks, indexes, triggers) stays.
 * @param client the owner's, of a database with every migration
 */
export async function changesOf(
  client: ClientBase,
  noun: NounTable,
  tableOf: (name: string) => string,
): Promise<string[]> {
  const { table } = noun
  const { rowCount } = await client.query("select from pg_tables where schemaname = 'public' and tablename = $1", [
    table,
  ])
  if (rowCount === 0) return [migrationOf(noun, tableOf)]
  const there = await shapeOf(client, 'public', table)
  await client.query('begin')
  try {
    await client.query(`create schema ${schema}`)
    await client.query(`set local search_path = ${schema}, public`)
    await client.query(migrationOf(noun, tableOf))
    const declared = await shapeOf(client, schema, table)
    return differences(noun, there, declared)
  } finally {
    await client.query('rollback')
  }
}

function differences(noun: NounTable, there: Shape, declared: Shape): string[] {
  const { spec, table } = noun
  const alter = (what: string) => `alter table ${table} ${what};`
  const fields = fieldsOf(spec)
  const initialOf = (column: string) => fields.find(([name]) => name === column)?.[1].initial
  const statements: string[] = []
  for (const name of there.columns.keys())
    if (!declared.columns.has(name)) statements.push(alter(`drop column ${name}`))
  for (const [name, { type, notNull }] of declared.columns) {
    const known = there.columns.get(name)
    if (known === undefined) statements.push(...added(table, name, type, notNull, initialOf(name)))
    else {
      if (known.type !== type)
        statements.push(alter(`alter column ${name} type ${type} using ${name}::${plainType(type)}`))
      if (known.notNull !== notNull) statements.push(alter(`alter column ${name} ${notNull ? 'set' : 'drop'} not null`))
    }
  }
  const gone = [...there.columns.keys()].filter(name => !declared.columns.has(name))
  const ofGone = (constraint: string) => gone.some(name => constraint === `${table}_${name}_check`)
  const ofColumn = (constraint: string) =>
    [...there.columns.keys()].some(name => constraint === `${table}_${name}_check`)
  for (const [name, text] of there.checks)
    if (!ofGone(name) && ofColumn(name) && declared.checks.get(name) !== text)
      statements.push(alter(`drop constraint ${name}`))
  for (const [name, text] of declared.checks)
    if (there.checks.get(name) !== text) statements.push(alter(`add constraint ${name} ${text}`))
  for (const [name, text] of declared.keys)
    if (![...there.keys.values()].includes(text)) statements.push(alter(`add constraint ${name} ${text}`))
  for (const [name, text] of declared.indexes)
    if (there.indexes.get(name) !== text)
      statements.push(...(there.indexes.has(name) ? [`drop index ${name};`] : []), `${text};`)
  return [...statements, ...madeWith(noun, there, declared)]
}

const plainType = (type: string) => type.replace(/ collate .*/, '')

/** A column that no row has yet: with what a new record has, or else with a value that somebody has to choose. */
function added(table: string, name: string, type: string, notNull: boolean, initial: unknown): string[] {
  const column = `alter table ${table} add column ${name} ${type}`
  if (!notNull) return [`${column};`]
  if (initial !== undefined && typeof initial !== 'object')
    return [
      `${column} not null default '${String(initial).replaceAll("'", "''")}';`,
      `alter table ${table} alter column ${name} drop default;`,
    ]
  return [
    `${column};`,
    `-- Records that are there already have no ${name}: give them one here, with an update.`,
    `alter table ${table} alter column ${name} set not null;`,
  ]
}

/** What `make_noun()` and `hold_tags()` add. */
function madeWith(noun: NounTable, there: Shape, declared: Shape): string[] {
  const { table } = noun
  const differing = [...declared.triggers].filter(([name, text]) => there.triggers.get(name) !== text)
  const tags = `${table}_tags_marked`
  const statements = differing.some(([name]) => name === tags) ? [tagsHeld(noun)] : []
  if (differing.every(([name]) => name === tags)) return statements
  return [
    ...statements,
    `-- make_noun('${table}', …) was called with other facets, or another owner: what counts records is another one now. Change its call in the`,
    '-- migration that creates the table; where that was released, replace the functions count_… and find_… and count once more.',
  ]
}

async function shapeOf(client: ClientBase, at: string, table: string): Promise<Shape> {
  const named = async (text: string) => {
    const { rows } = await client.query<{ name: string; text: string }>(text, [`${at}.${table}`])
    return new Map(rows.map(({ name, text }) => [name, text.replaceAll(`${at}.`, '').replaceAll('public.', '')]))
  }
  const { rows } = await client.query<{ name: string; type: string; notNull: boolean; collation: string | null }>(
    `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "notNull",
       case when attcollation <> t.typcollation then (select collname from pg_collation c where c.oid = attcollation) end as collation
     from pg_attribute a join pg_type t on t.oid = atttypid
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [`${at}.${table}`],
  )
  const constraints = (kind: string) =>
    named(
      `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
       where conrelid = $1::regclass and contype = '${kind}'`,
    )
  return {
    columns: new Map(
      rows.map(({ name, type, notNull, collation }) => [
        name,
        { type: collation === null ? type : `${type} collate "${collation}"`, notNull },
      ]),
    ),
    checks: await constraints('c'),
    keys: await constraints('f'),
    indexes: await named(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as text
       from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass and not i.indisprimary`,
    ),
    triggers: await named(
      `select tgname as name, pg_get_triggerdef(t.oid) || p.prosrc as text
       from pg_trigger t join pg_proc p on p.oid = t.tgfoid where tgrelid = $1::regclass and not tgisinternal`,
    ),
  }
}
