// SQL of mailboxes: leased by who reads them, with the cursor of what was read.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { MailboxRow } from './settings.ts'

export const mailboxes = resourceRows<MailboxRow, 'enabled'>({
  table: 'mailboxes',
  columns:
    'r.id, r.name, r.settings, r.secrets, r.enabled, r.reads_from, r.uid_validity::float8 as uid_validity, r.last_uid::float8 as last_uid, ' +
    'r.status, r.fault, r.read_at, r.failures, r.version, r.created_at, r.updated_at',
  json: ['settings'],
  filters: { enabled: 'enabled' },
})

export type LeasedMailbox = { tenant_id: number; organization_id: number; id: string }

export function claimMailboxes(
  db: Db,
  { token, limit, leaseSeconds }: { token: string; limit: number; leaseSeconds: number },
) {
  return db.work<LeasedMailbox>('claim_mailboxes', 'select * from claim_mailboxes($1, $2, $3)', [
    token,
    limit,
    leaseSeconds,
  ])
}

/** Those that are held still, with the versions of their settings. */
export function renewMailboxes(db: Db, token: string, leaseSeconds: number) {
  return db.work<{ tenant_id: number; id: string; version: number }>(
    'renew_mailboxes',
    'select * from renew_mailboxes($1, $2)',
    [token, leaseSeconds],
  )
}

export type Cursor = { uidValidity: number; lastUid: number }

/**
 * Moves the cursor of a mailbox that is held under the token; nobody else does before the transaction ends.
 * @returns false where it is not held any more: then nothing of the transaction may stay
 */
export async function moveCursor(
  tx: Tx,
  { tenantId }: Scope,
  { id, token }: { id: string; token: string },
  { uidValidity, lastUid }: Cursor,
): Promise<boolean> {
  const { rows } = await sql`
    update mailboxes set uid_validity = ${uidValidity}, last_uid = ${lastUid}
    where tenant_id = ${tenantId} and id = ${id} and lease_token = ${token} and enabled returning id`.execute(tx)
  return rows.length > 0
}

/** Says that it was looked into. */
export async function noteRead(
  tx: Tx,
  { tenantId }: Scope,
  { id, token }: { id: string; token: string },
  { fault, nowMs }: { fault: string | null; nowMs: number },
): Promise<void> {
  await sql`
    update mailboxes set status = 'reading', fault = ${fault}, failures = 0, read_at = ${isoMs(nowMs)}
    where tenant_id = ${tenantId} and id = ${id} and lease_token = ${token}`.execute(tx)
}

/** Gives it back: to be read again after a while, with why not now. */
export async function releaseMailbox(
  tx: Tx,
  { tenantId }: Scope,
  { id, token }: { id: string; token: string },
  { fault, afterSeconds }: { fault: string | null; afterSeconds: number },
): Promise<void> {
  await sql`
    update mailboxes set lease_token = null, due_at = clock_timestamp() + make_interval(secs => ${afterSeconds}),
      status = case when ${fault}::text is null then status else 'failing' end, fault = coalesce(${fault}, fault),
      failures = case when ${fault}::text is null then failures else failures + 1 end
    where tenant_id = ${tenantId} and id = ${id} and lease_token = ${token}`.execute(tx)
}

/** Lets the next look begin where nothing was read, for another folder or server was named. */
export const forgottenCursor = { uid_validity: null, last_uid: 0 }
