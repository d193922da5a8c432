// Leads of people of whom nothing is known but a telephone number: who wrote or called, and is nobody's lead yet.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { lockKeys } from '../../../kernel/noun/duplicates.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { takeIds } from '../../../kernel/noun/new_ids.ts'
import { emptyValues } from '../../../kernel/noun/records.ts'
import { tableNamed } from '../../../kernel/noun/registry.ts'
import { writeRecords } from '../../../kernel/noun/write.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { phonesOfLeads } from './store.ts'

/**
 * Adds a lead for each of these numbers (E.164 with +) that no lead has, in the given transaction, with its event as if it had been
 * created by hand, whatever the organization thinks of duplicates. Of transactions that do this at the same time, or are about to refuse
 * duplicates, only one comes to pass.
 * @param source where they came from, such as `sms`
 */
export async function addLeadsOfPhones(
  tx: Tx,
  scope: Scope,
  { phones, source }: { phones: readonly string[]; source: string },
  nowMs: number,
): Promise<NounRecord[]> {
  const noun = tableNamed('lead')
  const unknown = await without(tx, scope, [...new Set(phones)])
  const keys = unknown.map(value => ({ field: 'phone', value }))
  await lockKeys(tx, scope, noun, keys)
  const strangers = await without(tx, scope, unknown)
  if (strangers.length === 0) return []
  const at = isoMs(nowMs)
  const stamps = { tenant_id: scope.tenantId, version: 1, created_at: at, updated_at: at, deleted_at: null }
  const ids = await takeIds(tx, noun, strangers.length)
  const leads = strangers.map(phone => {
    const values = { ...emptyValues(noun.spec), name: phone, phone, source }
    return { ...values, ...stamps, id: ids.next(nowMs), merged_into: null } as NounRecord
  })
  const nobody = { tenantId: scope.tenantId, organizationId: scope.organizationId, userId: null, keyId: null }
  const writes = leads.map(after => ({ before: undefined, after, events: ['created'] }))
  await writeRecords(tx, nobody, noun, writes, { source: 'inbound', batchId: null, nowMs })
  return leads
}

/** Those of the numbers that no lead has. */
async function without(tx: Tx, scope: Scope, phones: readonly string[]): Promise<string[]> {
  if (phones.length === 0) return []
  const known = await phonesOfLeads(tx, scope, phones)
  return phones.filter(phone => !known.has(phone))
}
