// Takes a text for good out of what is kept of requests: their bodies, refusals that quote them, and answers kept under
// Idempotency-Keys. Anyone who erases something of a record erases it here too.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from './db.ts'

/** What one text becomes where it stands in something kept: without it, or the same where it is another. */
export type Erase = (text: string) => string

const batch = 200

/**
 * Erases a text from requests and answers of the tenant.
 * @param hint stands in every JSON that has the text, as it is written there: see `hintOf`
 */
export async function eraseKept(tx: Tx, { tenantId }: Scope, erase: Erase, hint: string): Promise<void> {
  const holds = (column: RawBuilder<unknown>) => sql`position(${hint} in ${column}) > 0`
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; body: string | null; response: string | null; note: string | null }>`
      select request_id as id, body, response, note from request_details
      where tenant_id = ${tenantId} and request_id > ${after} and (${holds(sql`body`)} or ${holds(sql`response`)})
      order by request_id limit ${batch}`.execute(tx)
    for (const { id, body, response, note } of rows) {
      const kept = { body: without(body, erase), response: without(response, erase) }
      if (kept.body === body && kept.response === response) continue
      const notes = [note, 'A text in it was erased.'].filter(Boolean).join(' ')
      await sql`
        update request_details set body = ${kept.body}, response = ${kept.response}, note = ${notes}
        where tenant_id = ${tenantId} and request_id = ${id}`.execute(tx)
    }
    if (rows.length < batch) break
    after = rows.at(-1)!.id
  }
  const { rows: answers } = await sql<{ key: string; body: string }>`
    select key, body from idempotency_keys where tenant_id = ${tenantId} and ${holds(sql`body`)}`.execute(tx)
  for (const { key, body } of answers)
    await sql`
      update idempotency_keys set body = ${without(body, erase)}
      where tenant_id = ${tenantId} and key = ${key}`.execute(tx)
}

/** A piece of a text that JSON writes as it is, and that survives what is done to single characters: its longest plain run. */
export function hintOf(text: string): string {
  const runs = text.match(/[a-z0-9 ]+/gi) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest.length >= 4 ? longest : JSON.stringify(text).slice(1, -1)
}

/** JSON without the text; nothing of what cannot be read, since it was cut or never was JSON. */
function without(json: string | null, erase: Erase): string | null {
  if (json === null) return null
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return null
  }
  let isFound = false
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'string') return member
    const left = erase(member)
    isFound ||= left !== member
    return left
  })
  return isFound ? text : json
}
