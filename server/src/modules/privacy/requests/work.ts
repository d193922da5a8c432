// What the steps of a request share: the request, its lease, and how they write down how far they are.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type Progress, type RequestRow, saveProgress } from './store.ts'

export type Work = {
  services: Services
  scope: Scope & { organizationId: number }
  token: string
  leaseSeconds: number
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
