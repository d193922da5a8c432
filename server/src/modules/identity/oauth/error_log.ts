// What goes wrong at the authorization server, kept for the people who make the app: the protocol answers apps tersely, so that nobody
// learns from it, and the cause that the library knows stands in the app's own log.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { insertAppError } from './errors_store.ts'
import type { Caller } from './limits.ts'
import type { Records } from './records_store.ts'

export type Fault = {
  clientId: string
  /** Below /oauth. */
  path: string
  status: number
  error: string
  description: string | undefined
  /** What was not answered. */
  detail: string | undefined
}

/** To ask whether the person of a device has answered, or whether one can be asked nothing, is nothing wrong. */
const noFault = new Set(['authorization_pending', 'login_required'])
/** An app that fails in a loop says all it has to say in these. */
const faultsAMinute = 20

/** Writes down what an app of an organization was refused; never fails. */
export async function noteFault(
  { db, limiter, log }: Services,
  records: Records,
  { clientId, path, status, error, description, detail }: Fault,
  { ip, nowMs, requestId, userAgent }: Caller,
): Promise<void> {
  if (!clientId.startsWith('tdm_app_') || noFault.has(error)) return
  try {
    const app = await records.findClient(clientId)
    if (app === undefined) return
    if (!(await limiter.take(`oauth faults ${clientId}`, faultsAMinute, nowMs)).allowed) return
    const scope = { organizationId: app.organization_id, tenantId: app.tenant_id }
    await db.inTenant(scope, tx =>
      insertAppError(tx, scope, {
        id: newId('oer', nowMs),
        app_id: app.app_id,
        client_id: clientId,
        mode: app.mode,
        path: `/oauth${path}`,
        status,
        error,
        description: textOf(description),
        detail: textOf(detail),
        ip: ip === '' ? null : ip,
        user_agent: textOf(userAgent ?? undefined),
        request_id: requestId,
      }),
    )
  } catch (err) {
    log.warn({ err }, 'error of an app not noted')
  }
}

/** What a stranger may have written, in a form that can be stored. */
function textOf(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text.replaceAll('\u0000', '').toWellFormed().slice(0, 500)
}
