// Who has an address, among all record types that have any.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { allTables, targetNamed, titlesOf } from '../../../kernel/noun/registry.ts'
import { type Kind, kinds, preferred } from './rules.ts'

type Holder = { type: Kind; id: string; name: string }

/** Who has each of these keys, as far as the caller may see them. */
export async function holders(tx: Tx, principal: Principal, keys: readonly string[]): Promise<Map<string, Holder>> {
  const asked = kinds.filter(kind => kind === 'user' || principal.permissions.has(readingOf(kind)))
  if (keys.length === 0 || asked.length === 0) return new Map()
  const { rows } = await sql<{ type: Kind; key: string; id: string }>`${sql.join(
    asked.map(
      kind => sql`select ${kind}::text as type, c.text as key, c.id::text as id
        from (${targetNamed(kind).called(principal, keys)}) c`,
    ),
    sql` union all `,
  )}`.execute(tx)
  const best = preferred(rows, kinds)
  const byKind = Map.groupBy(best.values(), ({ type }) => type)
  const named = await titlesOf(
    tx,
    principal,
    new Map([...byKind].map(([type, found]) => [type, found.map(({ id }) => (type === 'user' ? Number(id) : id))])),
  )
  return new Map(
    [...best].flatMap(([key, { type, id }]): [string, Holder][] => {
      const title = named[type]?.[id]?.title
      return title === undefined ? [] : [[key, { type, id, name: title }]]
    }),
  )
}

function readingOf(kind: Kind) {
  const noun = allTables().find(({ spec }) => spec.names[0] === kind)
  if (noun === undefined) throw new Error(`no noun is called ${kind}`)
  return `${noun.spec.names[1]}:read` as 'leads:read'
}
