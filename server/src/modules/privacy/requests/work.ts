// What the steps of a request share: the request, its lease, and how they write down how far they are.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { type PageSize, withinTimeout } from '../../../kernel/data/page_size.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type Progress, type RequestRow, saveProgress } from './store.ts'

export type Work = {
  services: Services
  scope: Scope & { organizationId: number }
  token: string
  leaseSeconds: number
  /** Of the table that it is about at present. */
  page: PageSize & { of: string }
}

/** One bounded piece of a request; answers how it stands then. */
export type Step = (work: Work, request: RequestRow) => Promise<RequestRow>

/** Writes down what was done, in its transaction. @throws Error where the lease is lost */
export function save(
  { scope, token, leaseSeconds }: Work,
  tx: Tx,
  { id }: RequestRow,
  progress: Progress,
): Promise<RequestRow> {
  return saveProgress(tx, scope, { id, token, leaseSeconds }, progress)
}

/** A piece of a table, of at most so many rows; of fewer where these take longer than a statement may. */
export function onePage(
  { page }: Work,
  of: { table: string; most: number },
  run: (rows: number) => Promise<RequestRow>,
): Promise<RequestRow> {
  if (page.of !== of.table) Object.assign(page, { of: of.table, rows: of.most })
  return withinTimeout(page, run)
}
