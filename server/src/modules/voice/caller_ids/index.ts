// Which number a call may show as its caller: until the organization has a trunk any, then one of its own, unless a trunk
// shows foreign ones. In test mode nobody is called, so any will do. Asked of calls, of instructions when they are given, and
// again when a leg is dialled: a callback may have answered them, and trunks change.

import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { findNumbersByAddress } from '../../messaging/numbers/index.ts'
import { type Instruction, propertiesIn } from '../instructions/index.ts'
import { allowedCallerIds } from '../trunks/index.ts'

type Refusal = { code: 'not_owned' | 'not_capable'; message: string }
/** Whose call it is, and in which mode. */
type Showing = Scope & { mode: 'live' | 'test' }

const contested = 'is a number that another organization on this server has too, and is not verified as yours'

/** Those of these numbers that may not be shown, with why. */
async function refusalsOf(tx: Tx, scope: Showing, numbers: readonly string[]): Promise<Map<string, Refusal>> {
  if (numbers.length === 0 || scope.mode !== 'live' || (await allowedCallerIds(tx, scope)) === 'any') return new Map()
  const own = new Map((await findNumbersByAddress(tx, scope, numbers)).map(number => [number.address, number]))
  return new Map(
    numbers.flatMap((number): [string, Refusal][] => {
      const row = own.get(number)
      if (row?.ownership === 'contested') return [[number, { code: 'not_owned', message: contested }]]
      if (row?.voice === true) return []
      if (row !== undefined) return [[number, { code: 'not_capable', message: 'makes no calls: its voice is false' }]]
      return [[number, { code: 'not_owned', message: 'is no number of the organization' }]]
    }),
  )
}

/** Whether a leg may show this number. */
export async function mayShow(tx: Tx, scope: Showing, number: string): Promise<boolean> {
  return (await refusalsOf(tx, scope, [number])).size === 0
}

/** @throws Problem `caller_id_not_allowed` */
export async function checkCallerId(tx: Tx, principal: Principal, from: string): Promise<void> {
  await checkShown(tx, principal, [['from', from]])
}

/**
 * Checks every `callerId` of instructions.
 * @param root where the list, or the one instruction, is in the body
 * @throws Problem `caller_id_not_allowed`, with the place of each
 */
export async function checkCallerIds(
  tx: Tx,
  principal: Principal,
  instructions: readonly Instruction[] | Instruction,
  root: string,
): Promise<void> {
  const shown = [...propertiesIn(instructions, root)].flatMap(([place, name, value]) =>
    name === 'callerId' && typeof value === 'string' ? [[place, value] as const] : [],
  )
  await checkShown(tx, principal, shown)
}

async function checkShown(tx: Tx, principal: Principal, shown: readonly (readonly [field: string, number: string])[]) {
  const refusals = await refusalsOf(tx, principal, [...new Set(shown.map(([, number]) => number))])
  const details = shown.flatMap(([field, number]) => {
    const refusal = refusals.get(number)
    return refusal === undefined ? [] : [{ field, ...refusal }]
  })
  const [first] = details
  if (first === undefined) return
  const remedy = 'Use one of GET /v2/numbers, add it with POST /v2/numbers, or verify it there.'
  throw new Problem('caller_id_not_allowed', { message: `${first.field} ${first.message}. ${remedy}`, details })
}
