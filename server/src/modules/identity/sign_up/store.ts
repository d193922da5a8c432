// SQL of sign-ups, by functions: no organization is known yet.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest()
const codeHashOf = (code: string | undefined) => (code === undefined ? null : hashOf(code.trim()))

export type Asked = {
  token: string
  email: string
  name: string
  organization: string
  code: string | undefined
  place: string
  nowMs: number
  untilMs: number
}

/** @returns false where too many came from there of late */
export async function openSignUp(db: Db, asked: Asked, perPlace: number): Promise<boolean> {
  const { token, email, name, organization, code, place, nowMs, untilMs } = asked
  const text = 'select open_sign_up($1, $2, $3, $4, $5, $6, $7, $8, $9) as kept'
  const hashes = [hashOf(token), email, name, organization, codeHashOf(code)]
  const rows = await db.call<{ kept: boolean }>('open_sign_up', text, [
    ...hashes,
    place,
    isoMs(nowMs),
    isoMs(untilMs),
    perPlace,
  ])
  return rows[0]?.kept === true
}

export async function isCodeGood(db: Db, code: string, nowMs: number): Promise<boolean> {
  const text = 'select is_organization_code_good($1, $2) as good'
  const rows = await db.call<{ good: boolean }>('is_organization_code_good', text, [codeHashOf(code), isoMs(nowMs)])
  return rows[0]?.good === true
}

export type MailRow = { organization_id: number; tenant_id: number; is_known: boolean }

/** In whose name its mail goes out; undefined where the address gets no more of them. */
export async function findSignUpMail(db: Db, token: string, perAddress: number): Promise<MailRow | undefined> {
  const values = [hashOf(token), perAddress]
  return (await db.call<MailRow>('sign_up_mail', 'select * from sign_up_mail($1, $2)', values))[0]
}

export type SignUpRow = { email: string; name: string; organization: string; code_hash: Buffer | null }

export async function findSignUp(db: Db, token: string, nowMs: number): Promise<SignUpRow | undefined> {
  const values = [hashOf(token), isoMs(nowMs)]
  return (await db.call<SignUpRow>('find_sign_up', 'select * from find_sign_up($1, $2)', values))[0]
}

export async function useSignUp(tx: Tx, token: string, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select use_sign_up(${hashOf(token)}, ${isoMs(nowMs)}) as used`.execute(
    tx,
  )
  return rows[0]?.used === true
}

export async function useCode(tx: Tx, hash: Buffer, organizationId: number, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select use_organization_code(${hash}, ${organizationId}, ${isoMs(nowMs)}) as used`.execute(tx)
  return rows[0]?.used === true
}

export { codeHashOf }

export type OwnerRow = { owned: number; is_verified: boolean; email: string; name: string }

/** The account that is to own one more, locked until the transaction ends. */
export async function lockOwner(tx: Tx, accountId: number): Promise<OwnerRow> {
  const { rows } =
    await sql<OwnerRow>`select owned::int, is_verified, email, name from lock_owner(${accountId})`.execute(tx)
  return rows[0] as OwnerRow
}

/** Gives the account of somebody who is a member of nothing another password and name; undefined where there is none. */
export async function reviveAccount(tx: Tx, { email, name }: SignUpRow, hash: string): Promise<void> {
  await sql`select revive_account(${email}, ${name}, ${hash}, true)`.execute(tx)
}
