// Who runs the installation: a person with a token of its own, which no endpoint of an organization takes and which names no tenant. What
// the person may do is asked each time, so what was taken away is gone at once.
import type { Db } from '../data/db.ts'
import { Problem } from '../values/problem.ts'
import type { Tokens } from './tokens.ts'

/** `support` looks, `full` also acts. */
export const operatorLevels = ['support', 'full'] as const
export type OperatorLevel = (typeof operatorLevels)[number]

export type Operator = {
  /** Null for the command line. */
  readonly accountId: number | null
  readonly level: OperatorLevel
  readonly email: string
}

type Row = { level: OperatorLevel; email: string }

/** The operator of a token. @throws Problem `invalid_token`, `token_expired` or `token_revoked` */
export async function authenticateOperator(
  { db, tokens }: { db: Db; tokens: Tokens },
  credential: string,
  nowMs: number,
): Promise<Operator> {
  const { accountId, sessionId } = await tokens.verifyOperator(credential, nowMs)
  const asked = [accountId, sessionId]
  const [row] = await db.call<Row>('auth_operator', 'select * from auth_operator($1, $2)', asked)
  if (row === undefined) throw new Problem('token_revoked')
  return { accountId, level: row.level, email: row.email }
}
