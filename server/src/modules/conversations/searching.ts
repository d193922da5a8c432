// What a list of the inbox is narrowed to: by words, by a record, by an address.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { parsePhone } from '../../kernel/values/phone.ts'
import { mailKey } from './exchanges.ts'
import { searchConversations } from './list_store.ts'
import { conversationsOfAddresses, conversationsOfRecords } from './store.ts'

/** Up to so many that hold the words are looked up by their ids; beyond, a list is read in its order, and the words are looked for in each. */
const maxFound = 1_000

type Narrowing = { q: string | undefined; recordId: string | undefined; address: string | undefined }

/** To which ids a list is narrowed, undefined for all, and which words are to be looked for besides. */
export async function narrowed(
  tx: Tx,
  principal: Principal,
  { q, recordId, address }: Narrowing,
): Promise<{ among: string[] | undefined; words: string[] | undefined }> {
  const lists: string[][] = []
  if (recordId !== undefined) lists.push([...(await conversationsOfRecords(tx, principal, [recordId])).values()])
  if (address !== undefined) {
    const key = address.includes('@')
      ? mailKey(address)
      : (parsePhone(address, principal.settings.defaultCountry ?? undefined) ?? address)
    lists.push([...(await conversationsOfAddresses(tx, principal, [key])).values()])
  }
  let words = q === undefined ? undefined : wordsOf(q)
  if (words !== undefined && lists.length === 0) {
    const found = await searchConversations(tx, words, maxFound + 1)
    if (found.length <= maxFound) {
      lists.push(found)
      words = undefined
    }
  }
  const among = lists.length === 0 ? undefined : lists.reduce((one, other) => one.filter(id => other.includes(id)))
  return { among, words }
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
