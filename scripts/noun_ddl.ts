// The table that a noun expects: what `npm run noun <name> -- --sql` prints for a migration, and what a test asks the database for.
import type { Column } from '../server/src/kernel/noun/field.ts'
import { isHost } from '../server/src/kernel/noun/hosts.ts'
import { idsOf } from '../server/src/kernel/noun/record_ids.ts'
import { fieldsOf } from '../server/src/kernel/noun/records.ts'
import type { NounTable } from '../server/src/kernel/noun/registry.ts'

const stamps: readonly Column[] = [
  { name: 'tenant_id', type: 'bigint', notNull: true },
  { name: 'id', type: 'text collate "C"', notNull: true },
  { name: 'version', type: 'integer', notNull: true },
  { name: 'created_at', type: 'timestamptz(3)', notNull: true },
  { name: 'updated_at', type: 'timestamptz(3)', notNull: true },
  { name: 'deleted_at', type: 'timestamptz(3)', notNull: false },
  { name: 'merged_into', type: 'text collate "C"', notNull: false },
]

/** The columns of a noun's table, in their order; those whose values are checked have the condition. */
export function expectedColumns({ spec }: NounTable): Column[] {
  const own = fieldsOf(spec).flatMap(([name, field]) => field.parts.columns(name))
  const id = spec.prefix === undefined ? { name: 'id', type: 'bigint', notNull: true } : undefined
  return [
    ...stamps.map(stamp => (stamp.name === 'id' && id) || stamp),
    ...own,
    { name: 'find', type: 'text', notNull: true },
  ]
}

/** Indexes by name, with what they are on and which rows are in them. */
export function expectedIndexes({ spec, table }: NounTable): Map<string, string> {
  const present = 'where deleted_at is null'
  const indexes = new Map([[`${table}_created`, `(tenant_id, created_at, id) ${present}`]])
  const owner = spec.rows?.owner
  if (owner !== undefined) {
    const key = `(case when ${owner} is null then 0 else ${owner} end)`
    indexes.set(`${table}_owner`, `(tenant_id, ${key}, created_at, id) ${present}`)
  }
  for (const name of spec.facets) indexes.set(`${table}_${name}`, `(tenant_id, ${name}, created_at, id) ${present}`)
  for (const name of spec.order.indexed) {
    const field = spec.fields[name]!
    const collation = ['text', 'email', 'domain'].includes(field.kind) ? ' collate "und-x-icu"' : ''
    const filled = field.required ? '' : ` and ${name} is not null`
    indexes.set(`${table}_by_${name}`, `(tenant_id, ${name}${collation}, id) ${present}${filled}`)
    if (!field.required) indexes.set(`${table}_without_${name}`, `(tenant_id, id) ${present} and ${name} is null`)
  }
  for (const [name, field] of fieldsOf(spec))
    if (field.kind === 'record')
      indexes.set(`${table}_of_${name}`, `(tenant_id, ${name}, created_at, id) where ${name} is not null`)
    else if (field.kind === 'ref') indexes.set(`${table}_of_${name}`, `(tenant_id, ${name}) where ${name} is not null`)
  indexes.set(`${table}_deleted`, '(tenant_id, created_at, id) where deleted_at is not null')
  return indexes
}

/** The migration of a noun's table. @param tableOf the table of the noun that a reference names */
export function migrationOf(noun: NounTable, tableOf: (name: string) => string): string {
  const { spec, table } = noun
  const columns = expectedColumns(noun)
  const width = Math.max(...columns.map(({ name }) => name.length))
  const lines = columns.map(({ name, type, notNull, check }) => {
    const isText = name === 'id' && spec.prefix !== undefined
    const condition = isText ? `id ~ '^${spec.prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$'` : check
    return [name.padEnd(width), type, notNull ? 'not null' : '', condition === undefined ? '' : `check (${condition})`]
      .filter(part => part !== '')
      .join(' ')
  })
  const references = fieldsOf(spec).flatMap(([name, { kind, of }]) =>
    kind === 'ref' ? [`foreign key (tenant_id, ${name}) references ${tableOf(of!)} (tenant_id, id)`] : [],
  )
  const indexes = [...expectedIndexes(noun)].map(([name, on]) => `create index ${name} on ${table} ${on};`)
  const owner = spec.rows === undefined ? '' : `, '${spec.rows.owner}'`
  // Where ids are numbers, they are taken before the rows are written.
  const sequence = [`create sequence ${table}_id_seq;`, `grant usage on sequence ${table}_id_seq to tandem_app;`]
  return [
    `-- ${spec.about}`,
    ...(spec.prefix === undefined ? sequence : []),
    `create table ${table} (`,
    [...lines, 'primary key (tenant_id, id)', ...references].map(line => `  ${line}`).join(',\n'),
    ');',
    ...indexes,
    `select make_noun('${table}', '${spec.names[0]}', '{${spec.facets.join(',')}}'${owner});`,
    ...(isHost(spec) ? [tagsHeld(noun)] : []),
    '',
  ].join('\n')
}

/** The statement that lets its records hold tags. */
export function tagsHeld({ spec, table }: NounTable): string {
  const { isNumbered, prefix } = idsOf(spec)
  return `select hold_tags('${table}'${isNumbered ? `, '${prefix}'` : ''});`
}
