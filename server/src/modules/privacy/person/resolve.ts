// Who is meant: from a lead, a contact, a telephone number or an e-mail address to all records of that person, and to the addresses that
// are theirs alone.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { parsePhone, phoneFault } from '../../../kernel/values/phone.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { findAt, findFormer, findPeople, type PersonRow } from './store.ts'

/** What a request names: one of these. */
export type Subject = { recordId?: string; phone?: string; email?: string }

export type Person = {
  records: string[]
  names: string[]
  emails: string[]
  phones: string[]
  /** Addresses of theirs that somebody with another name has too: what was exchanged with these is not theirs alone. */
  shared: string[]
}

/** A person has a handful of records; more of them are no one person's. */
const maxRecords = 100

/**
 * Checks that exactly one thing is named, and brings it into the one spelling that is compared.
 * @throws Problem `validation_failed` that says which field is wrong, and what it takes
 */
export function subjectOf(asked: Subject, defaultCountry: string | null): Subject {
  const named = (['recordId', 'phone', 'email'] as const).filter(name => asked[name] !== undefined)
  if (named.length !== 1)
    throw invalid({
      field: named[1] ?? 'recordId',
      code: named.length === 0 ? 'required' : 'not_allowed',
      message: 'name one of recordId, phone and email',
    })
  if (asked.email !== undefined) return { email: asked.email.trim().toLowerCase() }
  if (asked.phone === undefined) return { recordId: asked.recordId as string }
  const phone = parsePhone(asked.phone, defaultCountry ?? undefined)
  if (phone === undefined) throw invalid({ field: 'phone', ...phoneFault(defaultCountry) })
  return { phone }
}

/** What lists show of a subject: the record, or so little of an address that it names nobody. */
export function labelOf({ recordId, phone, email }: Subject): string {
  if (recordId !== undefined) return recordId
  return phone === undefined ? `${email?.[0]}…@…` : `…${phone.slice(-3)}`
}

/** @throws Problem `not_found` where the record is none, `invalid_request` where an address is that of too many records */
export async function resolvePerson(tx: Tx, scope: Scope, subject: Subject): Promise<Person> {
  const { recordId, phone, email } = subject
  const own = { phones: phone === undefined ? [] : [phone], emails: email === undefined ? [] : [email] }
  const rows = new Map<string, PersonRow>()
  const shared = new Set<string>()
  const add = async (ids: readonly string[], isMeant: (row: PersonRow) => boolean) => {
    const fresh = (
      await findPeople(
        tx,
        scope,
        ids.filter(id => !rows.has(id)),
      )
    ).filter(row => {
      if (isMeant(row)) return true
      for (const address of [...row.emails, ...row.phones]) shared.add(address)
      return false
    })
    for (const row of fresh) rows.set(row.id, row)
    if (rows.size > maxRecords)
      throw invalid({
        field: phone === undefined ? (email === undefined ? 'recordId' : 'email') : 'phone',
        code: 'not_allowed',
        message: `belongs to more than ${maxRecords} records, so not to one person; name a record`,
      })
    return fresh.length > 0
  }
  await add(recordId === undefined ? await findAt(tx, scope, own) : [recordId], () => true)
  if (recordId !== undefined && rows.size === 0) throw new Problem('not_found')
  for (let isMore = rows.size > 0; isMore; ) {
    const ids = [...rows.keys()]
    const became = [...rows.values()].flatMap(({ contact_id }) => contact_id ?? [])
    isMore = await add([...became, ...(await findFormer(tx, scope, ids))], () => true)
    const names = new Set([...rows.values()].map(({ name }) => name.trim().toLowerCase()))
    const found = await findAt(tx, scope, addressesOf([...rows.values()], own))
    isMore = (await add(found, ({ name }) => names.has(name.trim().toLowerCase()))) || isMore
  }
  const people = [...rows.values()]
  const { phones, emails } = addressesOf(people, own)
  const isOwn = (address: string) => address === phone || address === email || !shared.has(address)
  return {
    records: people.map(({ id }) => id),
    names: [...new Set(people.map(({ name }) => name.trim()))],
    emails: emails.filter(isOwn),
    phones: phones.filter(isOwn),
    shared: [...emails, ...phones].filter(address => !isOwn(address)),
  }
}

function addressesOf(people: readonly PersonRow[], own: { phones: string[]; emails: string[] }) {
  return {
    phones: [...new Set([...own.phones, ...people.flatMap(({ phones }) => phones)])],
    emails: [...new Set([...own.emails, ...people.flatMap(({ emails }) => emails)])],
  }
}
