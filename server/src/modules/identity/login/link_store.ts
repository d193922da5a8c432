// SQL of logins by mail: links are found before any organization is known, and kept as hashes.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** Whether any organization lets people log in so. */
export async function findOffered(db: Db): Promise<boolean> {
  const rows = await db.call<{ offered: boolean }>(
    'offers_sign_in_links',
    'select offers_sign_in_links() as offered',
    [],
  )
  return rows[0]?.offered === true
}

type SignInRow = { account_id: number; organization_id: number; user_id: number }
type FoundRow = SignInRow & {
  mail_organization_id: number
  mail_tenant_id: number
  email: string
  name: string
  locale: string | null
}

/** Whom a login by mail would be for, where it is allowed, and in whose name the mail goes. */
export async function findSignIn(db: Db, email: string): Promise<FoundRow | undefined> {
  const rows = await db.call<FoundRow>('find_sign_in', 'select * from find_sign_in($1)', [email])
  return rows[0]
}

type NewSignIn = {
  accountId: number
  organizationId: number
  userId: number
  token: string
  browser: string
  nowMs: number
  untilMs: number
}

/** False when the account asked too often. */
export async function keepSignIn(tx: Tx, link: NewSignIn): Promise<boolean> {
  const { accountId, organizationId, userId, token, browser, nowMs, untilMs } = link
  const { rows } = await sql<{ kept: boolean }>`
    select keep_account_link(${hashOf(token)}, 'sign_in', ${accountId}, null, ${hashOf(browser)}, ${organizationId}, ${userId},
      ${isoMs(nowMs)}, ${isoMs(untilMs)}) as kept`.execute(tx)
  return rows[0]?.kept === true
}

/** Takes it, once, in the browser that asked. */
export async function takeSignIn(
  db: Db,
  { token, browser, nowMs }: { token: string; browser: string; nowMs: number },
): Promise<SignInRow | undefined> {
  const rows = await db.call<SignInRow>('take_sign_in', 'select * from take_sign_in($1, $2, $3)', [
    hashOf(token),
    hashOf(browser),
    isoMs(nowMs),
  ])
  return rows[0]
}
