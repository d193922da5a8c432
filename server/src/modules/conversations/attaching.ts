// Says who an unknown sender is: a lead or contact that is there, or a new lead. The record learns the address, and mails that stand on no
// record move to it.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { requireRecord } from '../../kernel/endpoint/record.ts'
import { requireRoom } from '../../kernel/noun/composites.ts'
import { decideChange, decideCreation } from '../../kernel/noun/decide.ts'
import type { NounRecord } from '../../kernel/noun/field.ts'
import { hostOf, requireUpdate } from '../../kernel/noun/hosts.ts'
import { lockRecords } from '../../kernel/noun/locks.ts'
import { factsOf } from '../../kernel/noun/named.ts'
import { takeIds } from '../../kernel/noun/new_ids.ts'
import { readBody } from '../../kernel/noun/records.ts'
import { maySee, tableNamed } from '../../kernel/noun/registry.ts'
import { requireRight } from '../../kernel/noun/rights.ts'
import { readingOf } from '../../kernel/noun/verbs_read.ts'
import { requestOrigin } from '../../kernel/noun/verbs_write.ts'
import { writeRecords } from '../../kernel/noun/write.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { putOnRecord } from './attach.ts'
import { moveMails } from './join_store.ts'
import { findConversation } from './list_store.ts'
import type { PersonRecord } from './people_store.ts'
import { holdPosition } from './position_store.ts'
import { sightOf } from './sight_store.ts'
import { type Address, type ConversationRow, listAddresses, lockConversations } from './store.ts'

type NewLead = { name: string; email?: string; phone?: string; company?: string }
type Asked = { recordId?: string; lead?: NewLead }

/** @throws Problem `not_found`, `record_not_found`, `conversation_has_record` */
export async function attachConversation(
  tx: Tx,
  principal: Principal,
  id: string,
  asked: Asked,
  nowMs: number,
): Promise<ConversationRow> {
  const sight = sightOf(principal)
  const before = requireRecord(await findConversation(tx, principal, sight, id))
  const addresses = await listAddresses(tx, principal, [before.id])
  // Locks are taken in this order everywhere: the record, the position, conversations.
  const record =
    asked.recordId === undefined
      ? await newLead(tx, principal, asked.lead!, addresses, nowMs)
      : await knownRecord(tx, principal, asked.recordId, addresses, nowMs)
  await holdPosition(tx, principal, true)
  const row = requireRecord(await findConversation(tx, principal, sight, id, { locked: true }))
  if (row.record_id !== null && row.record_id !== record.id) throw new Problem('conversation_has_record')
  await moveMails(tx, principal, row.id, record.id)
  const { userId, keyId } = principal
  const now =
    row.record_id === record.id ? row.id : await putOnRecord(tx, principal, row, record, { userId, keyId, nowMs })
  const [shown] = await lockConversations(tx, principal, [now])
  return shown!
}

async function newLead(
  tx: Tx,
  principal: Principal,
  lead: NewLead,
  addresses: readonly Address[],
  nowMs: number,
): Promise<PersonRecord> {
  requireRight(principal, 'leads', 'create')
  const noun = tableNamed('lead')
  const of = (channel: Address['channel']) => addresses.find(one => one.channel === channel)?.address
  const body = {
    ...lead,
    phone: lead.phone ?? of('phone'),
    email: lead.email ?? of('mail'),
    source: addresses[0]?.channel === 'mail' ? 'mail' : 'sms',
  }
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const values = readBody(noun.spec, given, readingOf(principal))
  const facts = await factsOf(tx, principal, noun, values)
  const write = decideCreation(noun, principal, values, facts, nowMs, { ids: await takeIds(tx, noun, 1) })
  await writeRecords(tx, principal, noun, [write], requestOrigin(nowMs))
  return personOf('lead', write.after)
}

function personOf(kind: 'lead' | 'contact', record: NounRecord): PersonRecord {
  return { id: record.id, kind, name: record['name'] as string, owner_id: record['owner_id'] as number | null }
}

/** The record, locked, with the addresses where it had no such one. @throws Problem `record_not_found` */
async function knownRecord(
  tx: Tx,
  principal: Principal,
  recordId: string,
  addresses: readonly Address[],
  nowMs: number,
): Promise<PersonRecord> {
  const host = hostOf(recordId)
  const kind = host?.name
  if (kind !== 'lead' && kind !== 'contact') throw noRecord(recordId)
  const noun = tableNamed(kind)
  requireRight(principal, noun.spec.names[1], 'read')
  requireUpdate(principal, recordId)
  const [record] = await lockRecords(tx, principal, noun, [recordId])
  if (record === undefined || record.deleted_at !== null || !maySee(noun.spec, principal, record))
    throw noRecord(recordId)
  const patch = kind === 'lead' ? leadPatch(record, addresses) : contactPatch(record, addresses)
  const write = Object.keys(patch).length === 0 ? undefined : decideChange(noun, principal, record, patch, {}, nowMs)
  if (write !== undefined) await writeRecords(tx, principal, noun, [write], requestOrigin(nowMs))
  return personOf(kind, write?.after ?? record)
}

function noRecord(id: string): Problem {
  return new Problem('record_not_found', {
    message: `${id} is no lead or contact that you see. Name one as lead:17 or con_….`,
    details: [{ field: 'recordId', code: 'not_found', message: 'must name a lead or contact that you see' }],
  })
}

/** A lead has one of each. */
function leadPatch(record: NounRecord, addresses: readonly Address[]): Record<string, unknown> {
  const of = (channel: Address['channel']) => addresses.find(one => one.channel === channel)?.address
  const phone = record['phone'] === null ? of('phone') : undefined
  const email = record['email'] === null ? of('mail') : undefined
  return { ...(phone !== undefined && { phone }), ...(email !== undefined && { email }) }
}

type Listed = { value: string; label: string | null; is_primary: boolean }

function contactPatch(record: NounRecord, addresses: readonly Address[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const [channel, field] of [
    ['phone', 'phones'],
    ['mail', 'emails'],
  ] as const) {
    const there = (record[field] ?? []) as Listed[]
    const known = new Set(there.map(({ value }) => value.toLowerCase()))
    const fresh = addresses.filter(one => one.channel === channel && !known.has(one.address))
    if (fresh.length === 0) continue
    const added = fresh.map(({ address }, index) => ({
      value: address,
      label: null,
      is_primary: there.length === 0 && index === 0,
    }))
    patch[field] = [...there, ...added]
    const remedy = `remove some of the ${field} of ${record.id} first, or name another record`
    requireRoom('recordId', there, patch[field] as Listed[], remedy)
  }
  return patch
}
