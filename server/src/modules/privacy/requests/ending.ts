// How a request ends: its state, its event and its entry in the audit log, in one transaction, so that none of them is ever without the others.
import { recordAudit } from '../../../kernel/audit/record.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { presentRequest } from './present.ts'
import { finishRequest, type RequestEnd, type RequestRow } from './store.ts'
import type { Work } from './work.ts'

/** @throws Error where the lease is lost */
export async function endRequest(tx: Tx, { scope, token }: Work, id: string, end: RequestEnd): Promise<RequestRow> {
  const request = await finishRequest(tx, scope, { id, token }, end)
  const type = request.state === 'completed' ? 'privacy_request.completed' : 'privacy_request.failed'
  await emit(tx, scope, { type, resourceId: request.id, data: presentRequest(request) })
  const by = { organizationId: scope.organizationId, type: 'system' } as const
  await recordAudit(tx, by, {
    action: type,
    targets: [{ type: 'privacy_request', id: request.id }],
    outcome: request.state === 'completed' ? 'ok' : 'failed',
    more: { kind: request.kind, ...request.counts },
  })
  return request
}
