// Taking the recipient of a marketing mail off the list, by the link in the mail: nobody logs in, the MAC of the link is the proof.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { suppress } from '../suppressions/index.ts'
import { organizationName } from '../templates/index.ts'
import { readUnsubscribeToken } from './marks.ts'
import { comparedAddress, type MailRow } from './rules.ts'
import { presentMail } from './schemas.ts'
import { countEvent, findMail, lockMail } from './store.ts'

type Tools = Pick<Services, 'db' | 'keyring' | 'clock'>
export type Unsubscribed = { address: string; organization: string }

/** Whom a link is about; undefined for one that is none of ours. Changes nothing. */
export function findUnsubscribe(tools: Tools, token: string): Promise<Unsubscribed | undefined> {
  return withMail(tools, token, findMail, async (_tx, _scope, _row, known) => known)
}

/** Takes the recipient off the list, at once; a second time changes nothing. */
export function unsubscribe(tools: Tools, token: string): Promise<Unsubscribed | undefined> {
  return withMail(tools, token, lockMail, async (tx, scope, row, known) => {
    const entry = {
      address: comparedAddress(known.address),
      stream: 'marketing',
      reason: 'unsubscribe',
      note: null,
    } as const
    const added = await suppress(tx, scope, { ...entry, mailId: row.id }, tools.clock.now())
    if (added === undefined) return known
    const sequence = await countEvent(tx, scope, row.id)
    await emit(tx, scope, { type: 'mail.unsubscribed', resourceId: row.id, sequence, data: presentMail(row) })
    return known
  })
}

async function withMail(
  { db, keyring }: Tools,
  token: string,
  read: typeof findMail,
  work: (tx: Tx, scope: Scope, row: MailRow, known: Unsubscribed) => Promise<Unsubscribed>,
): Promise<Unsubscribed | undefined> {
  const marked = readUnsubscribeToken(keyring, token)
  if (marked === undefined) return undefined
  const { scope, mailId } = marked
  return db.inTenant(scope, async tx => {
    const row = await read(tx, scope, mailId)
    const [recipient] = row?.recipients ?? []
    if (row === undefined || recipient === undefined) return undefined
    return work(tx, scope, row, { address: recipient.address, organization: await organizationName(tx, scope) })
  })
}
