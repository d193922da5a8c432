// Reads one mailbox: what is new since the cursor, each group of mails stored in the transaction that moves the cursor behind it; then waits
// for news. IDLE says so in moments, but dies without a word now and then, so it is looked once a minute besides.
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { isRefusedRow, type Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { dropRaw, maxMailBytes, type Prepared, prepareMail, storeMail, storeOrKeep } from '../inbound/index.ts'
import { openImap } from './imap.ts'
import { type MailboxRow, type MailboxSettings, settingsOf } from './settings.ts'
import { type Cursor, moveCursor, noteRead } from './store.ts'

export type Patience = {
  /** Between looks where IDLE says nothing. */
  pollMs: number
  /** How long an answer is waited for. */
  answerMs: number
}
export const patience: Patience = { pollMs: 60_000, answerMs: 60_000 }

/** Of mails that are stored together. */
const group = { mails: 20, bytes: 30 * 1024 * 1024 }
const dayMs = 24 * 3_600_000

export type Reading = {
  services: Services
  scope: Scope
  token: string
  patience: Patience
  /** Ends the reading in order. */
  signal: AbortSignal
  /** Hears when it has been looked into and is waited on, and when it is read again. */
  waits(isWaiting: boolean): void
}

/** Reads until it is to end, or something fails. @throws Error with a message for people */
export async function readMailbox(row: MailboxRow, reading: Reading): Promise<void> {
  const { services, scope, signal } = reading
  const settings = settingsOf(row, services.keyring, scope.tenantId)
  const client = await openImap(settings, services, { signal }).catch((error: Error) => {
    if (signal.aborted) return undefined
    throw error
  })
  if (client === undefined) return
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    if (signal.aborted) return
    const folder = await inTime(client.mailboxOpen(settings.folder, { readOnly: true }), reading)
    const uidValidity = Number(folder.uidValidity)
    const isKnown = row.uid_validity === uidValidity
    let cursor: Cursor = { uidValidity, lastUid: isKnown ? row.last_uid : 0 }
    const news = createNews(client)
    for (;;) {
      news.clear()
      cursor = await readNew(client, { row, settings, cursor, reading })
      if (signal.aborted) return
      void client.idle().catch(() => {})
      reading.waits(true)
      await news.wait(reading.patience.pollMs, signal)
      reading.waits(false)
      if (signal.aborted) return
      if (!client.usable) throw new Error(`${settings.host}:${settings.port} closed the connection`)
      await inTime(client.noop(), reading)
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  } finally {
    signal.removeEventListener('abort', close)
    client.close()
  }
}

/** A connection whose other end is gone answers nothing, for hours. */
async function inTime<T>(answer: Promise<T>, { patience: { answerMs } }: Pick<Reading, 'patience'>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  answer.catch(() => {})
  try {
    return await Promise.race([
      answer,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the server does not answer any more')), answerMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the server said that something is new. */
function createNews(client: ImapFlow) {
  let isNew = false
  let notify = () => {}
  const say = () => {
    isNew = true
    notify()
  }
  client.on('exists', say)
  client.on('close', say)
  return {
    clear() {
      isNew = false
    },
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      if (isNew || signal.aborted) return
      await new Promise<void>(resolve => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        signal.addEventListener('abort', end)
        notify = end
      })
      notify = () => {}
    },
  }
}

type Look = { row: MailboxRow; settings: MailboxSettings; cursor: Cursor; reading: Reading }

/** Stores what is behind the cursor; where it is then. */
async function readNew(client: ImapFlow, look: Look): Promise<Cursor> {
  const { row, reading } = look
  const { services, scope, signal, token } = reading
  let { cursor } = look
  let fault: string | null = null
  // A folder that is read for the first time, or was counted again, may have years of mails: those from before are not looked at.
  const since = new Date(Date.parse(row.reads_from) - dayMs)
  const wanted = cursor.lastUid === 0 ? { since } : { uid: `${cursor.lastUid + 1}:*` }
  const found = await inTime(client.search(wanted, { uid: true }), reading)
  // `7:*` is the last mail where there is none from 7 on.
  const uids = (found || []).filter(uid => uid > cursor.lastUid).sort((a, b) => a - b)
  for (let at = 0; at < uids.length && !signal.aborted; at += group.mails) {
    const heads = await inTime(
      client.fetchAll(
        uids.slice(at, at + group.mails).join(','),
        { uid: true, size: true, internalDate: true },
        { uid: true },
      ),
      reading,
    )
    for (const some of groupsOf(heads)) {
      const large = some.filter(({ size = 0 }) => size > maxMailBytes)
      if (large.length > 0) {
        fault = `A mail of more than 25 MiB was left in the mailbox (UID ${large[0]!.uid}).`
        services.log.warn({ mailboxId: row.id, uids: large.map(({ uid }) => uid) }, 'mails of a mailbox are too large')
      }
      const stored = await storeGroup(
        client,
        { ...look, cursor },
        some.filter(head => isWanted(head, row)),
        some.at(-1)!.uid,
      )
      cursor = stored.cursor
      const [bad] = stored.refused
      if (bad !== undefined) {
        fault = `A mail holds what cannot be stored (UID ${bad}); it waits in the tray with its source alone.`
        services.log.warn(
          { mailboxId: row.id, uids: stored.refused },
          'mails of a mailbox cannot be stored as they are',
        )
      }
      if (signal.aborted) return cursor
    }
  }
  await services.db.inTenant(scope, tx =>
    noteRead(tx, scope, { id: row.id, token }, { fault, nowMs: services.clock.now() }),
  )
  return cursor
}

const isWanted = ({ size = 0, internalDate }: FetchMessageObject, { reads_from }: MailboxRow) =>
  size <= maxMailBytes &&
  (internalDate === undefined || new Date(internalDate).getTime() >= Date.parse(reads_from) - 1_000)

/** By their size, in the order of their UIDs. */
function groupsOf(heads: readonly FetchMessageObject[]): FetchMessageObject[][] {
  const groups: FetchMessageObject[][] = []
  let bytes = 0
  for (const head of heads.toSorted((a, b) => a.uid - b.uid)) {
    const { size = 0 } = head
    if (groups.length === 0 || bytes + size > group.bytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)!.push(head)
    bytes += size
  }
  return groups
}

/** A mail that was fetched and read. */
type Fetched = { uid: number; prepared: Prepared }

async function fetchGroup(
  client: ImapFlow,
  { row, settings, reading }: Look,
  heads: readonly FetchMessageObject[],
): Promise<Fetched[]> {
  const { services, scope } = reading
  const { clock } = services
  const fetched: Fetched[] = []
  for (const { uid, internalDate } of heads) {
    const mail = await inTime(client.fetchOne(String(uid), { source: true }, { uid: true }), reading)
    // It was deleted meanwhile.
    if (mail === false || mail.source === undefined) continue
    const receivedMs =
      internalDate === undefined ? clock.now() : Math.min(clock.now(), new Date(internalDate).getTime())
    const prepared = await prepareMail(services, scope, {
      door: 'imap',
      raw: mail.source,
      envelopeTo: [],
      mailboxId: row.id,
      receivedMs,
      sender: { authservId: settings.authservId },
    })
    fetched.push({ uid, prepared })
  }
  return fetched
}

type Stored = { cursor: Cursor; refused: readonly number[] }

/** Stores mails in the transaction that moves the cursor behind them. */
async function storeTogether(
  { row, cursor, reading }: Look,
  mails: readonly Prepared[],
  lastUid: number,
): Promise<Cursor> {
  const { services, scope, token } = reading
  const { db, keyring, clock } = services
  const next = { uidValidity: cursor.uidValidity, lastUid }
  const taken = await db.inTenant(scope, async tx => {
    if (!(await moveCursor(tx, scope, { id: row.id, token }, next)))
      throw new Error('the mailbox is read by another process')
    const nowMs = clock.now()
    const all = []
    for (const one of mails) all.push(await storeMail(tx, scope, one, { keyring, nowMs }))
    return all
  })
  crashPoint('fetch.committed')
  for (const [index, one] of mails.entries()) await dropRaw(services, one, taken[index]!)
  return next
}

/** Together; one by one where the database refuses something of one of them, so that no mail holds up those behind it. */
async function storeGroup(
  client: ImapFlow,
  look: Look,
  heads: readonly FetchMessageObject[],
  lastUid: number,
): Promise<Stored> {
  const fetched = await fetchGroup(client, look, heads)
  crashPoint('fetch.kept')
  const all = fetched.map(({ prepared }) => prepared)
  try {
    return { cursor: await storeTogether(look, all, lastUid), refused: [] }
  } catch (error) {
    if (!isRefusedRow(error)) throw error
  }
  const refused: number[] = []
  for (const { uid, prepared } of fetched)
    try {
      const { isBare } = await storeOrKeep(look.reading.services, prepared, one => storeTogether(look, [one], uid))
      if (isBare) refused.push(uid)
    } catch (error) {
      if (!isRefusedRow(error)) throw error
      // It stays in the mailbox.
      refused.push(uid)
    }
  return { cursor: await storeTogether(look, [], lastUid), refused }
}
