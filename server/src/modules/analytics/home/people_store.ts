// Who is behind a telephone number: the lead or contact that has it, as far as the person who asks may see them.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { holdersOf } from '../../../kernel/noun/keys.ts'
import { tableNamed, targetNamed, titlesOf } from '../../../kernel/noun/registry.ts'

export type Person = { kind: 'lead' | 'contact'; id: string; name: string }

/** Behind a number: nobody's, somebody whom one sees, or only people whom others look after. */
export type Behind = { person: Person | null; isOthers: boolean }

const kinds = ['contact', 'lead'] as const

/** A contact before a lead, and the newest of several. @param phones E.164 */
export async function whoseNumbers(
  tx: Tx,
  principal: Principal,
  phones: readonly string[],
): Promise<Map<string, Behind>> {
  const asked = [...new Set(phones)]
  const found = new Map<string, Behind>(asked.map(phone => [phone, { person: null, isOthers: false }]))
  if (asked.length === 0) return found
  for (const kind of kinds) {
    if (!principal.permissions.has(`${kind}s:read`)) continue
    const noun = tableNamed(kind)
    const { rows } = await sql<{ text: string; id: string }>`
      select c.text, max(c.id) as id from (${targetNamed(kind).called(principal, asked)}) c group by 1`.execute(tx)
    const titles = await titlesOf(tx, principal, new Map([[kind, rows.map(row => row.id)]]))
    for (const { text, id } of rows) {
      const name = titles[kind]?.[id]?.title
      if (name !== undefined && !found.get(text)?.person)
        found.set(text, { person: { kind, id: id.replace(/^lead:/, ''), name }, isOthers: false })
    }
    const keys = asked.flatMap(value => (noun.spec.match ?? []).map(field => ({ field, value })))
    const held = await sql<{ value: string }>`
      select distinct k.value from ${holdersOf(noun, principal, keys)} k`.execute(tx)
    for (const { value } of held.rows)
      if (!rows.some(row => row.text === value) && !found.get(value)?.person)
        found.set(value, { person: null, isOthers: true })
  }
  return found
}
