// SQL of who a person is: the leads and contacts that are theirs, with what they are called and reached by.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

/** A lead or a contact, in the trash or not. */
export type PersonRow = {
  id: string
  name: string
  /** In small letters. */
  emails: string[]
  /** E.164. */
  phones: string[]
  /** The contact that a lead became. */
  contact_id: string | null
}

const leadId = /^lead:[1-9]\d{0,14}$/

export async function findPeople(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<PersonRow[]> {
  const leads = ids.filter(id => leadId.test(id)).map(id => Number(id.slice(5)))
  const contacts = ids.filter(id => !leadId.test(id))
  const { rows } = await sql<PersonRow>`
    select 'lead:' || l.id as id, l.name, array_remove(array[lower(l.email)], null) as emails,
      array_remove(array[l.phone], null) as phones, l.contact_id
    from leads l where l.tenant_id = ${tenantId} and l.id = any(${leads}::bigint[])
    union all
    select c.id, c.name,
      array(select lower(e.value ->> 'value') from json_array_elements(coalesce(c.emails, '[]')) e),
      array(select e.value ->> 'value' from json_array_elements(coalesce(c.phones, '[]')) e), null
    from contacts c where c.tenant_id = ${tenantId} and c.id = any(${contacts}::text[])`.execute(tx)
  return rows
}

/** Records that are of the same person as these: leads that became one of these contacts, and what was merged into one of them. */
export async function findFormer(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select 'lead:' || l.id as id from leads l
    where l.tenant_id = ${tenantId} and (l.contact_id = any(${ids}::text[])
      or l.deleted_at is not null and l.merged_into = any(${ids}::text[]))
    union
    select c.id from contacts c
    where c.tenant_id = ${tenantId} and c.deleted_at is not null and c.merged_into = any(${ids}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Leads and contacts with one of these addresses. */
export async function findAt(
  tx: Tx,
  { tenantId }: Scope,
  { phones, emails }: { phones: readonly string[]; emails: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from records_at(${tenantId}, ${phones}::text[], ${emails}::text[]) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Those of these names that somebody else has too. */
export async function findNamesakes(
  tx: Tx,
  { tenantId }: Scope,
  names: readonly string[],
  records: readonly string[],
): Promise<string[]> {
  const small = names.map(name => name.toLowerCase())
  const { rows } = await sql<{ name: string }>`
    select name from namesakes(${tenantId}, ${small}::text[], ${records}::text[]) as name`.execute(tx)
  return rows.map(({ name }) => name)
}
