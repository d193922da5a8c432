// What the endpoints of imports share: whose imports one sees, and the one that a request means, locked in a state that takes what is asked.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { RecordId } from '../../../kernel/endpoint/schema.ts'
import { seesAllRows } from '../../../kernel/noun/registry.ts'
import type { EventType } from '../../../kernel/values/noun.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { move } from '../../../kernel/values/states.ts'
import { Import, presentImport, presentWhole } from './present.ts'
import { type ImportEvent, type ImportState, importTable } from './rules.ts'
import { findImport, type ImportRow, listFaults } from './store.ts'

export const ImportParams = Type.Object({ id: RecordId('imp', 'Identifier of the import.') })
export const common = { version: 'v1', category: 'CRM', envelope: 'success' } as const
export const reply = Type.Object({ import: Import })

/** An Admin and a Sales Manager see the imports of all, as long as they see the records of all. */
export const whose = (principal: Principal) =>
  ['Admin', 'Sales Manager'].includes(principal.role) && seesAllRows(principal) ? undefined : principal.userId

export type Asked = { principal: Principal; params: { id: string }; now: number; ifMatch: number | undefined }

/** The import, locked, at the version that was meant, and the state that follows. */
export async function locked(
  tx: Tx,
  { principal, params: { id }, ifMatch }: Asked,
  event: ImportEvent,
): Promise<{ row: ImportRow; state: ImportState }> {
  const row = requireVersion(await findImport(tx, principal, id, { userId: whose(principal), locked: true }), ifMatch)
  const state = move(importTable, row.state, event)
  if (state !== undefined) return { row, state }
  throw new Problem('import_state', {
    message: `The import is ${row.state}, and takes no such change. ${row.state === 'checking' || row.state === 'running' ? 'Wait for its end, or cancel it.' : 'Send the file again as a new import.'}`,
  })
}

const shownFaults = 100

/** With what is wrong with its first refused rows. */
export async function presented(tx: Tx, principal: Principal, row: ImportRow) {
  return presentWhole(principal.tenantId, row, await listFaults(tx, principal, row, 0, shownFaults))
}

/** Leaves the event of a change. */
export function report(tx: Tx, principal: Principal, type: EventType, row: ImportRow): Promise<unknown> {
  return emit(tx, principal, { type, resourceId: row.id, data: presentImport(principal.tenantId, row) })
}
