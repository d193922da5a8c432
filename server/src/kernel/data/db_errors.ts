// What an error of the database says: refused by PostgreSQL, so that nothing of it happened, or lost on the way.
import pg from 'pg'
import { Problem } from '../values/problem.ts'

/** Whether PostgreSQL itself reported the error (so the statement is certainly rolled back), not the connection. */
export function isServerError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !error.code?.startsWith('57P')
}

/** SQLSTATE of a database error, for the few a handler turns into a Problem (23505 unique, 23503 foreign key). */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether PostgreSQL has canceled the statement, nearly always because it took longer than it may (statement_timeout). */
export const isCanceled = (error: unknown) => sqlState(error) === '57014'

const passingStates = new Set(['55P03', '57014', '40P01', '40001'])

/** Lock and statement timeouts, deadlocks, serialization failures: rolled back, and likely to pass on another try. */
export const isPassing = (error: unknown) => passingStates.has(sqlState(error) ?? '')

/** The constraint a database error names. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

const connectionProblems = new WeakSet<Error>()

/** The problem of a request whose connection failed: what became of it is unknown. */
export function unavailable(cause: unknown): Problem {
  const problem = new Problem('unavailable', { headers: { 'retry-after': '1' } })
  problem.cause = cause
  connectionProblems.add(problem)
  return problem
}

/** Whether an error says that the connection failed, rather than what was asked on it. */
export function isConnectionProblem(error: unknown): error is Problem {
  return error instanceof Error && connectionProblems.has(error)
}

/**
 * Whether PostgreSQL refused a value or a row: what is tried again meets the same (SQLSTATE classes 22 and 23, and 54: more than an index or
 * a statement holds).
 */
export function isRefusedRow(error: unknown): error is Error {
  return isServerError(error) && /^(?:2[23]|54)/.test(sqlState(error) ?? '')
}
