// How a request comes into the audit log: what its endpoint declares, what it was done to, and from where.

import type { AuditEntry, AuditTarget } from '../audit/entry.ts'
import { type Asked, beginAudit, endAudit } from '../audit/record.ts'
import type { Tx } from '../data/db.ts'
import { auditActionsOf, type Endpoint } from '../endpoint/endpoint.ts'
import { resourceReader } from '../endpoint/resource.ts'
import type { Call } from './request_state.ts'

/** How a request of an endpoint comes into the audit log; undefined for one that does not. */
export function auditedAs(definition: Endpoint) {
  const [action] = auditActionsOf(definition)
  if (action === undefined) return undefined
  return {
    begin: (tx: Tx, call: Call) => beginAudit(tx, askedBy(call)),
    end(tx: Tx, call: Call, said: Partial<AuditEntry> | false, answer: string | undefined) {
      if (said === false) return undefined
      const { principal } = call
      if (principal === undefined) throw new Error(`${definition.id} is public: it writes its entry itself`)
      const named = resourceReader(definition)(call.params, answer)
      const target = named === null ? undefined : targetOf(action, named)
      const asked = definition.method === 'GET' ? call.query : call.body
      return endAudit(tx, principal, said.action ?? action, { target, asked, said })
    },
  }
}

/** From where a request comes. */
export function askedBy({ requestId, ip, header }: Call): Asked {
  return { requestId, ip, userAgent: header('user-agent') ?? null }
}

/** `lead:12` says of what it is; other ids are of what the action is about. */
function targetOf(action: string, named: string): AuditTarget {
  const at = named.indexOf(':')
  return at === -1 ? { type: action.split('.')[0]!, id: named } : { type: named.slice(0, at), id: named.slice(at + 1) }
}
