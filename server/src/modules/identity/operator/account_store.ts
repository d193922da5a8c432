// SQL of accounts, for the command line.
import { sql } from 'kysely'
import type { OperatorLevel } from '../../../kernel/access/operator.ts'
import type { Db, Tx } from '../../../kernel/data/db.ts'

export type AccountRow = {
  account_id: number
  email: string
  name: string
  operator: OperatorLevel | null
  factors: number
  organizations: string[]
}

export function listAccounts(db: Db): Promise<AccountRow[]> {
  return db.call('list_accounts', 'select * from list_accounts(null)', [])
}

export async function findAccountId(db: Db, email: string): Promise<number | undefined> {
  const rows = await db.call<AccountRow>('find_listed_account', 'select * from list_accounts($1)', [email])
  return rows[0]?.account_id
}

/** How many there were. The transaction is the account's. */
export async function removeFactors(tx: Tx, accountId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from account_factors where account_id = ${accountId}`.execute(tx)
  await sql`delete from recovery_codes where account_id = ${accountId}`.execute(tx)
  return Number(numAffectedRows)
}
