// What a list of the inbox is narrowed to: by words, by a record, by an address.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { parsePhone } from '../../kernel/values/phone.ts'
import { mailKey } from './exchanges.ts'
import { searchConversations } from './list_store.ts'
import { conversationsOfAddresses, conversationsOfRecords } from './store.ts'

/** A search looks at so many of those that it finds, the last active first. */
const maxFound = 1_000

type Narrowing = { q: string | undefined; recordId: string | undefined; address: string | undefined }

/** Ids of the conversations that are asked for; undefined for all. */
export async function amongOf(
  tx: Tx,
  principal: Principal,
  { q, recordId, address }: Narrowing,
): Promise<string[] | undefined> {
  const lists: string[][] = []
  if (q !== undefined) lists.push(await searchConversations(tx, wordsOf(q), maxFound))
  if (recordId !== undefined) lists.push([...(await conversationsOfRecords(tx, principal, [recordId])).values()])
  if (address !== undefined) {
    const key = address.includes('@')
      ? mailKey(address)
      : (parsePhone(address, principal.settings.defaultCountry ?? undefined) ?? address)
    lists.push([...(await conversationsOfAddresses(tx, principal, [key])).values()])
  }
  if (lists.length === 0) return undefined
  return lists.reduce((one, other) => one.filter(id => other.includes(id)))
}

/** Words, or the digits of what looks like a part of a telephone number. */
export function wordsOf(q: string): string[] {
  const text = q.trim().toWellFormed()
  if (/^[+\d(][\d\s()./-]*$/.test(text)) {
    const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
    if (digits.length >= 2) return [digits]
  }
  return text.split(/\s+/)
}
