// SQL of factors and recovery codes. They are a person's own: every transaction here is the account's.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../kernel/data/db.ts'
import { newId } from '../../../kernel/values/ids.ts'

export type FactorKind = 'totp' | 'passkey'

export type FactorRow = {
  id: string
  kind: FactorKind
  name: string
  secret: string | null
  credential_id: string | null
  public_key: Buffer | null
  counter: number
  transports: string[]
  backed_up: boolean | null
  confirmed_at: string | null
  last_used_at: string | null
  created_at: string
}

const columns = [
  'id',
  'kind',
  'name',
  'secret',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'backed_up',
  'confirmed_at',
  'last_used_at',
  'created_at',
] as const

/** What the account asks for beside a password, the oldest first. */
export async function listFactors(tx: Tx, accountId: number): Promise<FactorRow[]> {
  return tx
    .selectFrom('account_factors')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .$castTo<FactorRow>()
    .execute()
}

/** Also one that waits for its first code. */
export async function findFactor(tx: Tx, accountId: number, id: string): Promise<FactorRow | undefined> {
  return tx
    .selectFrom('account_factors')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$castTo<FactorRow>()
    .executeTakeFirst()
}

/** Changes of what an account asks for happen one after the other. */
export async function lockFactors(tx: Tx, accountId: number): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
}

/** One that waits for its first code takes the place of another that does. */
export async function insertTotp(
  tx: Tx,
  accountId: number,
  { id, name, secret }: { id: string; name: string; secret: string },
) {
  await tx.deleteFrom('account_factors').where('account_id', '=', accountId).where('confirmed_at', 'is', null).execute()
  await tx.insertInto('account_factors').values({ account_id: accountId, id, kind: 'totp', name, secret }).execute()
}

type PasskeyRow = {
  id: string
  name: string
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  aaguid: string
  backed_up: boolean
}

/** False when a passkey of this id is kept already, no matter whose. */
export async function insertPasskey(tx: Tx, accountId: number, row: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_factors')
    .values({ account_id: accountId, kind: 'passkey', confirmed_at: sql`now()`, ...row })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Keeps what a passkey counted, which must be more than before: false for a copy of it (WebAuthn §6.1.1). Those that do not count say
 * 0 always.
 */
export async function takeCount(
  tx: Tx,
  accountId: number,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account_factors set counter = ${counter}, backed_up = ${backedUp}, last_used_at = now()
    where account_id = ${accountId} and id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Whether it is the first time that this proof is used; it is used then, if the transaction commits. */
export async function takeProof(tx: Tx, proof: string, until: Date): Promise<boolean> {
  const hash = createHash('sha256').update(proof).digest()
  const { rows } = await sql<{ first: boolean }>`select use_once(${hash}, ${until.toISOString()}) as first`.execute(tx)
  return rows[0]?.first === true
}

export function newFactorId(): string {
  return newId('fac')
}

export async function confirmFactor(tx: Tx, accountId: number, id: string): Promise<void> {
  await tx
    .updateTable('account_factors')
    .set({ confirmed_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Takes a step of time, once: false when its code, or a later one, was used already (RFC 6238 §5.2). */
export async function takeStep(tx: Tx, accountId: number, id: string, step: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account_factors set last_step = ${step}, last_used_at = now()
    where account_id = ${accountId} and id = ${id} and last_step < ${step}`.execute(tx)
  return numAffectedRows === 1n
}

export async function renameFactor(tx: Tx, accountId: number, id: string, name: string): Promise<void> {
  await tx
    .updateTable('account_factors')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

export async function removeFactor(tx: Tx, accountId: number, id: string): Promise<void> {
  await tx.deleteFrom('account_factors').where('account_id', '=', accountId).where('id', '=', id).execute()
}

/** Puts new recovery codes in the place of all there were. */
export async function replaceRecoveryCodes(
  tx: Tx,
  accountId: number,
  { hashes, pepper_version }: { hashes: Buffer[]; pepper_version: number },
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map(hash => ({ account_id: accountId, hash, pepper_version })))
    .execute()
}

/** Takes a recovery code, once. @param hashes under each pepper that is accepted */
export async function takeRecoveryCode(tx: Tx, accountId: number, hashes: Buffer[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recovery_codes set used_at = now()
    where account_id = ${accountId} and hash = any (${hashes}) and used_at is null`.execute(tx)
  return numAffectedRows === 1n
}

export async function countRecoveryCodes(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** What other logins of the person proved is not enough any more. */
export async function doubtLogins(tx: Tx, accountId: number, butLogin: string): Promise<void> {
  await sql`select doubt_logins(${accountId}, ${butLogin})`.execute(tx)
}

/** Where mails to the person go, and how they are addressed. */
export async function findAddress(tx: Tx, accountId: number): Promise<{ email: string; name: string }> {
  return tx.selectFrom('accounts').select(['email', 'name']).where('id', '=', accountId).executeTakeFirstOrThrow()
}
