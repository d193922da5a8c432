// Makes what happened part of conversations: finds whose each exchange is, begins what is new, and moves what is there. In a handful of
// statements, however much is taken in at once. Anyone who calls this holds the position of the tenant (position_store.ts).
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { emit, type NewEvent } from '../../kernel/data/events.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { newId } from '../../kernel/values/ids.ts'
import { putOnRecord } from './attach.ts'
import { insertEntries, type NewEntry, type NewSignal, signal } from './entries_store.ts'
import type { Claim, FoundExchange, Meaning } from './exchanges.ts'
import { findPersons, type PersonRecord, personsOf } from './people_store.ts'
import { presentForEvent } from './present.ts'
import { recordedCalls } from './recorded_store.ts'
import { begin, follow, type Standing, setAside } from './rules.ts'
import {
  type Address,
  type ConversationRow,
  conversationsOfAddresses,
  conversationsOfRecords,
  insertAddresses,
  insertConversations,
  lockConversations,
  type NewConversation,
  setPreviews,
  updateStandings,
} from './store.ts'

export type Applying = {
  nowMs: number
  /** Whether it happened long ago and nobody has to hear of it. */
  isQuiet?: boolean
}

/** In the order in which it happened. */
export async function apply(tx: Tx, scope: Scope, meanings: readonly Meaning[], applying: Applying): Promise<void> {
  const claims = meanings.flatMap(meaning => (meaning.is === 'claim' ? [meaning.claim] : []))
  await applyClaims(tx, scope, claims, applying)
  for (const meaning of meanings)
    if (meaning.is === 'became') await applyBecame(tx, scope, meaning.recordId, meaning.into, applying)
  const exchanges = meanings.flatMap(meaning => (meaning.is === 'exchange' ? [meaning.exchange] : []))
  await applyExchanges(tx, scope, exchanges, applying)
  const ignored = meanings.flatMap(meaning => (meaning.is === 'ignored' ? [meaning] : []))
  await applyIgnored(tx, scope, ignored, applying)
  const reworded = meanings.flatMap(meaning => (meaning.is === 'reworded' ? [meaning] : []))
  await applyReworded(tx, scope, reworded, applying)
}

/** Records got addresses: conversations with unknown people of these addresses are with them. */
async function applyClaims(tx: Tx, scope: Scope, claims: readonly Claim[], { nowMs }: Applying): Promise<void> {
  const known = await conversationsOfAddresses(tx, scope, [...new Set(claims.flatMap(claim => claim.addresses))])
  if (known.size === 0) return
  const rows = await lockConversations(tx, scope, [...new Set(known.values())])
  const strangers = new Map(rows.filter(row => row.record_id === null).map(row => [row.id, row]))
  for (const { recordId, addresses } of claims)
    for (const address of addresses) {
      const row = strangers.get(known.get(address) ?? '')
      if (row === undefined) continue
      strangers.delete(row.id)
      const person = (await findPersons(tx, scope, [recordId])).get(recordId)
      if (person !== undefined) await putOnRecord(tx, scope, row, person, { userId: null, nowMs })
    }
}

/** A lead became a contact; or a mail of an unknown person was put on a record. */
async function applyBecame(tx: Tx, scope: Scope, from: string, into: string, { nowMs }: Applying): Promise<void> {
  const person = (await findPersons(tx, scope, [into])).get(into)
  const id =
    (await conversationsOfRecords(tx, scope, [from])).get(from) ??
    (await conversationsOfAddresses(tx, scope, [from])).get(from)
  if (person === undefined || id === undefined) return
  const [row] = await lockConversations(tx, scope, [id])
  // An address that is somebody's already stays theirs.
  if (row === undefined || row.record_id === into || (row.record_id !== null && row.record_id !== from)) return
  await putOnRecord(tx, scope, row, person, { userId: null, nowMs })
}

type Target = { exchange: FoundExchange; key: string; person: PersonRecord | undefined; id: string | undefined }

async function applyExchanges(
  tx: Tx,
  scope: Scope,
  given: readonly FoundExchange[],
  applying: Applying,
): Promise<void> {
  if (given.length === 0) return
  const exchanges = (await withVoicemails(tx, scope, given)).toSorted((a, b) =>
    a.at < b.at ? -1 : Number(a.at > b.at),
  )
  const targets = await targetsOf(tx, scope, exchanges)
  const standing = await lockConversations(tx, scope, [...new Set(targets.flatMap(({ id }) => id ?? []))])
  const rows = new Map<string, ConversationRow>(standing.map(row => [row.id, row]))
  const byKey = Map.groupBy(targets, ({ key }) => key)
  const moved: (Standing & { id: string })[] = []
  const fresh: NewConversation[] = []
  const addresses: Address[] = []
  const entries: NewEntry[] = []
  const reports: { id: string; type: 'created' | 'reopened' | 'answered' | null }[] = []
  for (const group of byKey.values()) {
    const id = group[0]!.id ?? newId('cnv')
    const before = rows.get(id)
    const first = group[0]!.exchange
    let now: Standing = before ?? begin(first)
    for (const { exchange } of before === undefined ? group.slice(1) : group) {
      const { next, happened } = follow(now, exchange)
      now = next
      if (happened === 'reopened') entries.push(reopened(id, exchange.at))
      if (happened !== null) reports.push({ id, type: happened })
    }
    if (before === undefined) {
      fresh.push({ ...now, ...partyOf(group[0]!), id, created_at: first.at })
      reports.unshift({ id, type: 'created' })
    } else moved.push({ ...now, id })
    reports.push({ id, type: null })
    for (const { exchange } of group) {
      if (exchange.address !== null) addresses.push({ ...exchange.address, conversation_id: id })
      // A mail that stands on no record is found by this alone.
      if (exchange.kind === 'mail' && exchange.recordId === null)
        entries.push({
          conversationId: id,
          at: exchange.at,
          id: exchange.itemId,
          kind: 'mail',
          userId: exchange.userId,
          data: {},
        })
    }
  }
  await insertConversations(tx, scope, fresh)
  await updateStandings(tx, scope, moved)
  await insertAddresses(tx, scope, await freeAddresses(tx, scope, addresses))
  await insertEntries(tx, scope, applying.isQuiet === true ? entries.filter(({ kind }) => kind !== 'event') : entries)
  if (applying.isQuiet !== true) await report(tx, scope, reports, applying)
}

const reopened = (id: string, at: string): NewEntry => ({
  conversationId: id,
  at,
  kind: 'event',
  userId: null,
  data: { type: 'reopened' },
})

/** A call that nobody took and that was recorded left a message. */
async function withVoicemails(tx: Tx, scope: Scope, given: readonly FoundExchange[]): Promise<FoundExchange[]> {
  const missed = given.filter(
    ({ kind, direction, effect }) => kind === 'call' && direction === 'inbound' && effect === 'waits',
  )
  const recorded = await recordedCalls(
    tx,
    scope,
    missed.map(({ itemId }) => itemId),
  )
  return given.map(exchange =>
    recorded.has(exchange.itemId) ? { ...exchange, kind: 'voicemail', preview: 'Voicemail' } : exchange,
  )
}

/**
 * Whose each exchange is: of the record that it stands on, else of whom the address belongs to. What went out to nobody's address, and what
 * nobody has to answer, begins no conversation with an unknown person.
 */
async function targetsOf(tx: Tx, scope: Scope, exchanges: readonly FoundExchange[]): Promise<Target[]> {
  const addressed = exchanges.flatMap(({ address }) => address ?? [])
  const byAddress = await conversationsOfAddresses(tx, scope, [...new Set(addressed.map(({ address }) => address))])
  const unknown = addressed.filter(({ address }) => !byAddress.has(address))
  const owners = await personsOf(tx, scope, [...new Map(unknown.map(one => [one.address, one])).values()])
  const named = exchanges.flatMap(({ recordId }) => recordId ?? [])
  const records = await findPersons(tx, scope, [...new Set(named)])
  const recordIds = [...new Set([...records.keys(), ...[...owners.values()].map(({ id }) => id)])]
  const byRecord = await conversationsOfRecords(tx, scope, recordIds)
  const begun = new Set<string>()
  return exchanges.flatMap(exchange => {
    const address = exchange.address?.address
    const mapped = address === undefined ? undefined : byAddress.get(address)
    const named = exchange.recordId === null ? undefined : records.get(exchange.recordId)
    const person = named ?? (mapped === undefined && address !== undefined ? owners.get(address) : undefined)
    const id = person === undefined ? mapped : byRecord.get(person.id)
    const key = id ?? person?.id ?? address
    if (key === undefined) return []
    if (id === undefined && person === undefined && exchange.effect !== 'waits' && !begun.has(key)) return []
    begun.add(key)
    return [{ exchange, key, person, id }]
  })
}

function partyOf({ person, exchange }: Target) {
  if (person !== undefined)
    return { record_id: person.id, party_kind: person.kind, name: person.name, owner_id: person.owner_id }
  return { record_id: null, party_kind: 'unknown', name: exchange.address!.address, owner_id: null } as const
}

/** Addresses that belong to no conversation yet. */
async function freeAddresses(tx: Tx, scope: Scope, addresses: readonly Address[]): Promise<Address[]> {
  const known = await conversationsOfAddresses(tx, scope, [...new Set(addresses.map(({ address }) => address))])
  return addresses.filter(({ address }) => !known.has(address))
}

/** Mails that were set aside: a conversation in which nothing else waits is closed. */
async function applyIgnored(
  tx: Tx,
  scope: Scope,
  ignored: readonly { itemId: string; at: string; address: string }[],
  { nowMs }: Applying,
): Promise<void> {
  const byAddress = await conversationsOfAddresses(
    tx,
    scope,
    ignored.map(({ address }) => address),
  )
  const rows = await lockConversations(tx, scope, [...new Set(byAddress.values())])
  const inOrder = ignored.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const changes = rows.flatMap(row => {
    const mails = inOrder.filter(({ address }) => byAddress.get(address) === row.id)
    const next = mails.reduce<Standing>((standing, mail) => setAside(standing, mail) ?? standing, row)
    return next === row ? [] : [{ ...row, ...next, wasClosed: row.state === 'closed' }]
  })
  await updateStandings(tx, scope, changes)
  await report(
    tx,
    scope,
    changes.map(({ id, state, wasClosed }) => ({ id, type: state === 'closed' && !wasClosed ? 'closed' : null })),
    { nowMs },
  )
}

/** Notes that say something else: what is shown of a conversation that ends with one. */
async function applyReworded(
  tx: Tx,
  scope: Scope,
  reworded: readonly { itemId: string; preview: string }[],
  applying: Applying,
): Promise<void> {
  const previews = new Map(reworded.map(({ itemId, preview }) => [itemId, preview]))
  const ids = await setPreviews(tx, scope, previews)
  await report(
    tx,
    scope,
    ids.map(id => ({ id, type: null })),
    applying,
  )
}

type Reported = { id: string; type: 'created' | 'reopened' | 'answered' | 'closed' | null }

/** Events, and signals for those who have the inbox open. */
async function report(tx: Tx, scope: Scope, reports: readonly Reported[], { nowMs }: Applying): Promise<void> {
  const rows = await lockConversations(tx, scope, [...new Set(reports.map(({ id }) => id))])
  const byId = new Map(rows.map(row => [row.id, row]))
  const events = reports.flatMap(({ id, type }): NewEvent[] => {
    const row = byId.get(id)
    return type === null || row === undefined
      ? []
      : [{ type: `conversation.${type}`, resourceId: id, data: presentForEvent(row, null) }]
  })
  await emit(tx, scope, ...events)
  const signals = rows.map(
    (conversation): NewSignal => ({ type: 'conversation.updated', conversation, userId: null, at: isoMs(nowMs) }),
  )
  await signal(tx, scope, signals)
}
