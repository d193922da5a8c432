// SQL of what is a person's own: the account, and the devices that stand for a second factor. The transactions are the account's.
import { sql } from 'kysely'
import type { Tx } from '../../../kernel/data/db.ts'

/** The account of somebody who is logged in. */
export type OwnAccount = {
  id: number
  email: string
  email_verified_at: string | null
  name: string
  locale: string | null
  password_hash: string | null
  password_changed_at: string | null
  password_ends_at: string | null
}

const ownColumns = [
  'id',
  'email',
  'email_verified_at',
  'name',
  'locale',
  'password_hash',
  'password_changed_at',
  'password_ends_at',
] as const

/** The transaction is the account's. */
export async function findOwnAccount(tx: Tx, id: number): Promise<OwnAccount> {
  return tx.selectFrom('accounts').select(ownColumns).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Locked, so that another change waits. */
export async function lockOwnAccount(tx: Tx, id: number): Promise<OwnAccount> {
  return tx.selectFrom('accounts').select(ownColumns).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/** Changes the account, and what organizations show of it. */
export async function changeOwnAccount(
  tx: Tx,
  id: number,
  change: { name?: string | undefined; locale?: string | null | undefined },
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  if (change.name !== undefined) await sql`select copy_account(${id})`.execute(tx)
}

/** A password that its owner chose: what was mailed to set one, or to log in, is of no use any more. */
export async function changeOwnPassword(tx: Tx, id: number, password_hash: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ password_hash, password_is_temporary: false, password_changed_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await sql`select void_account_links(${id}, clock_timestamp())`.execute(tx)
}

/** Whether a device still stands for the second factor, by what its person said and by what the organization allows now. */
export async function isTrustedPlace(
  tx: Tx,
  accountId: number,
  place: string,
  { nowMs, days }: { nowMs: number; days: number },
): Promise<boolean> {
  const [now, latest] = [nowMs, nowMs + days * 86_400_000].map(ms => new Date(ms).toISOString())
  const { rows } = await sql`
    select from login_places where account_id = ${accountId} and place = ${place}
      and trusted_until > ${now}::timestamptz and trusted_until <= ${latest}::timestamptz`.execute(tx)
  return rows.length > 0
}

export async function trustPlaces(tx: Tx, accountId: number, places: string[], untilMs: number): Promise<void> {
  await sql`update login_places set trusted_until = ${new Date(untilMs).toISOString()}
            where account_id = ${accountId} and place = any (${places}::text[])`.execute(tx)
}

/** What is known of where an account logged in from: anything, a browser, and the surest of these places. */
export type KnownPlaces = { hasAny: boolean; hasDevice: boolean; isKnown: boolean }

export async function findKnownPlaces(tx: Tx, accountId: number, places: readonly string[]): Promise<KnownPlaces> {
  const { rows } = await sql<KnownPlaces>`
    select count(*) > 0 as "hasAny", count(*) filter (where id is not null) > 0 as "hasDevice",
      count(*) filter (where place = ${places[0] ?? ''}) > 0 as "isKnown"
    from login_places where account_id = ${accountId}`.execute(tx)
  return rows[0] as KnownPlaces
}

export type DeviceRow = {
  id: string
  user_agent: string | null
  ip: string | null
  trusted_until: string | null
  created_at: string
  seen_at: string
}

/** Browsers that an account logged in with, the one seen last first. */
export async function listDevices(tx: Tx, accountId: number): Promise<DeviceRow[]> {
  return tx
    .selectFrom('login_places')
    .select(['id', 'user_agent', 'ip', 'trusted_until', 'created_at', 'seen_at'])
    .where('account_id', '=', accountId)
    .where('id', 'is not', null)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .$castTo<DeviceRow>()
    .execute()
}

/** Forgets one, or all: they are new to the account when they come again. @returns how many there were */
export async function forgetDevices(tx: Tx, accountId: number, id?: string): Promise<number> {
  const all = tx.deleteFrom('login_places').where('account_id', '=', accountId).where('id', 'is not', null)
  const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
