// SQL of SIP credentials and of where their phones are reached. Digests pass through here sealed.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { StoredInstructions } from '../instructions/index.ts'

/** How many a tenant may have. */
export const maxCredentials = 1_000

export type CredentialRow = {
  id: string
  username: string
  digests: string
  display_name: string | null
  caller_id: string | null
  callback_url: string | null
  instructions: StoredInstructions | null
  version: number
  created_at: string
  updated_at: string
}

const columnsText =
  'r.id, r.username, r.digests, r.display_name, r.caller_id, r.callback_url, r.instructions, r.version, r.created_at, ' +
  'r.updated_at'

/** Registrations of one user come one after the other: each locks its credential. */
export const sipCredentials = resourceRows<CredentialRow>({
  table: 'sip_credentials',
  columns: columnsText,
  json: ['instructions'],
})

export async function findCredentialNamed(tx: Tx, scope: Scope, name: string): Promise<CredentialRow | undefined> {
  const { rows } = await sql<CredentialRow>`
    select ${sql.raw(columnsText)} from sip_credentials r
    where r.tenant_id = ${scope.tenantId} and r.username = ${name}`.execute(tx)
  return rows[0]
}

/** Where a phone is reached: as the registrar of @tandem/sip has it, with times as the database has them. */
export type ContactRow = {
  credential_id: string
  contact: string
  path: string[]
  source: string
  call_id: string
  cseq: number
  q: number
  instance: string | null
  user_agent: string | null
  registered_at: string
  expires_at: string
}

/** Those that have not expired, best first. */
export async function listContacts(
  tx: Tx,
  { tenantId }: Scope,
  credentialIds: readonly string[],
  nowMs: number,
): Promise<ContactRow[]> {
  if (credentialIds.length === 0) return []
  const { rows } = await sql<ContactRow>`
    select credential_id, contact, path, source, call_id, cseq::float8 as cseq, q, instance, user_agent, registered_at,
      expires_at
    from sip_contacts
    where tenant_id = ${tenantId} and credential_id = any(${[...credentialIds]}) and expires_at > ${isoMs(nowMs)}
    order by credential_id, q desc, position`.execute(tx)
  return rows
}

/** Writes where the phones of one credential are reached in the place of what was there. */
export async function writeContacts(
  tx: Tx,
  { tenantId }: Scope,
  credentialId: string,
  contacts: readonly Omit<ContactRow, 'credential_id'>[],
): Promise<void> {
  await tx
    .deleteFrom('sip_contacts')
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .execute()
  if (contacts.length === 0) return
  const rows = contacts.map((contact, position) => ({
    ...contact,
    tenant_id: tenantId,
    credential_id: credentialId,
    position,
  }))
  await tx.insertInto('sip_contacts').values(rows).execute()
}

/** Those of these user names that the tenant has, with their ids. */
export async function credentialsNamed(
  tx: Tx,
  { tenantId }: Scope,
  usernames: readonly string[],
): Promise<Map<string, string>> {
  if (usernames.length === 0) return new Map()
  const { rows } = await sql<{ id: string; username: string }>`
    select id, username from sip_credentials
    where tenant_id = ${tenantId} and username = any(${[...usernames]})`.execute(tx)
  return new Map(rows.map(({ id, username }) => [username, id]))
}

/** The country whose numbers may be dialled without a country code. */
export async function defaultCountryOf(tx: Tx, { organizationId }: Scope): Promise<string | null> {
  const { rows } = await sql<{ default_country: string | null }>`
    select default_country from organizations where id = ${organizationId}`.execute(tx)
  return rows[0]?.default_country ?? null
}

export async function modeOf(tx: Tx, { tenantId, organizationId }: Scope): Promise<'live' | 'test'> {
  const { rows } = await sql<{ mode: 'live' | 'test' }>`
    select mode from tenants where organization_id = ${organizationId} and id = ${tenantId}`.execute(tx)
  return rows[0]?.mode ?? 'test'
}

/** Whether any tenant has a phone. */
export async function anyCredential(db: Db): Promise<boolean> {
  const rows = await db.work<{ any: boolean }>('any_sip_credential', 'select any_sip_credential() as any', [])
  return rows[0]?.any === true
}

/** The tenant of an organization and a mode. */
export async function tenantOf(db: Db, organizationId: number, mode: string): Promise<number | undefined> {
  const sqlText = 'select tenant_of($1, $2) as id'
  const rows = await db.call<{ id: number | null }>('tenant_of', sqlText, [organizationId, mode])
  return rows[0]?.id ?? undefined
}
