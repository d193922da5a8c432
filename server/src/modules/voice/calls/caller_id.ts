// Which number a call may show as its caller: until the organization has a trunk any, then one of its own, unless a trunk
// shows foreign ones. In test mode nobody is called, so any will do.
import type { Tx } from '../../../kernel/db.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { Problem } from '../../../kernel/problem.ts'
import { findNumberByAddress } from '../../messaging/numbers/index.ts'
import { allowedCallerIds } from '../trunks/index.ts'

/** @throws Problem `caller_id_not_allowed` */
export async function checkCallerId(tx: Tx, principal: Principal, from: string): Promise<void> {
  if (principal.mode !== 'live' || (await allowedCallerIds(tx, principal)) === 'any') return
  const number = await findNumberByAddress(tx, principal, from)
  if (number?.voice === true) return
  const why = number === undefined ? 'is no number of the organization' : 'makes no calls: its voice is false'
  throw new Problem('caller_id_not_allowed', {
    message: `from ${why}. Use one of GET /v2/numbers, or add it with POST /v2/numbers.`,
    details: [{ field: 'from', code: number === undefined ? 'not_owned' : 'not_capable', message: why }],
  })
}
