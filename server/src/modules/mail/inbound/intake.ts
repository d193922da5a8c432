// The one intake of all mail: read, checked, its bytes put into the object store; then stored with its event in one transaction, once for
// each address of ours that it came to. What comes a second time changes nothing.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { type Mark, type Report, readMark, readReport, type TakenReport, takeReport } from '../mails/index.ts'
import { matchMail } from './matching.ts'
import { type ReadMail, readMail } from './read_mime.ts'
import { bodyOf, type Door, dedupeKey } from './rules.ts'
import { presentInbound } from './schemas.ts'
import { type Checked, type CheckOptions, checkSender } from './sender_check.ts'
import { findByKey, type InboundRow, insertInbound, knownKeys } from './store.ts'

export type Arrival = {
  door: Door
  raw: Uint8Array
  /** Addresses of its envelope, where they are known. */
  envelopeTo: readonly string[]
  mailboxId?: string
  receivedMs: number
  sender: CheckOptions
  /** Where the bytes lie already. */
  stored?: StoredRaw
}

/** Bytes in the object store. */
export type StoredRaw = { storage: string; key: string; folder: string | null; sha256: string }

type Target = { mark: Mark | undefined; key: Buffer }

/** Ready to be stored: from here on the database alone is asked. */
export type Prepared = {
  arrival: Arrival
  mail: ReadMail
  report: Report | undefined
  targets: readonly Target[]
  checked: Checked
  /** Undefined where it is known already, and nothing is to be stored. */
  stored: StoredRaw | undefined
}

export type TakenMail = { row: InboundRow; isNew: boolean }
export type Taken = { report: TakenReport | undefined; mails: readonly TakenMail[] }

type Tools = Pick<Services, 'db' | 'objects' | 'keyring' | 'mail' | 'log'>

/** Reads a mail and keeps its bytes. */
export async function prepareMail(tools: Tools, scope: Scope, arrival: Arrival): Promise<Prepared> {
  const { raw, sender } = arrival
  const mail = await readMail(raw)
  const marks = marksOf(tools.keyring, scope, arrival, mail)
  const report = mayReport(arrival, marks) ? await readReport(raw) : undefined
  const body = bodyOf(raw)
  const identity = { messageId: mail.messageId, date: mail.date, from: mail.from?.address ?? '', body }
  const targets = marks.map(mark => ({ mark, key: dedupeKey(identity, targetOf(mark)) }))
  const known = await tools.db.inTenant(scope, tx =>
    knownKeys(
      tx,
      scope,
      targets.map(({ key }) => key),
    ),
  )
  const isKnown = targets.every(({ key }) => known.has(key.toString('hex')))
  if (isKnown) return { arrival, mail, report, targets, checked: unchecked, stored: undefined }
  const checked = await checkSender(raw, mail, { nameServers: tools.mail.nameServers, ...sender })
  const stored = arrival.stored ?? (await putRaw(tools, scope, raw))
  crashPoint('arrival.kept')
  return { arrival, mail, report, targets, checked, stored }
}

/** Of a sender who was not asked for. */
export const unchecked: Checked = { check: 'unknown', auth: { by: null, dmarc: null, spf: null, dkim: [] } }

/** Of a stranger, a report is believed only at the address that bounces of a mail go to. */
const mayReport = ({ door }: Arrival, marks: readonly (Mark | undefined)[]) =>
  door !== 'smtp' || marks.some(mark => mark?.kind === 'bounce')

/**
 * The addresses of ours that a mail came to: of its envelope, else of its head. A mail that names an answer or a copy is not for the tray
 * besides. Undefined stands for the tray.
 */
function marksOf(
  keyring: Keyring,
  { tenantId }: Scope,
  { envelopeTo }: Arrival,
  { deliveredTo }: ReadMail,
): (Mark | undefined)[] {
  const found = new Map<string, Mark>()
  for (const address of [...envelopeTo, ...deliveredTo]) {
    const mark = readMark(keyring, address)
    if (mark !== undefined && mark.tenantId === tenantId && mark.kind !== 'inbox') found.set(targetOf(mark), mark)
  }
  return found.size === 0 ? [undefined] : [...found.values()]
}

function targetOf(mark: Mark | undefined): string {
  if (mark === undefined || mark.kind === 'inbox') return ''
  // Answers and bounces of one mail are about the same.
  return mark.kind === 'log' ? `log ${mark.userId}` : mark.mailId
}

async function putRaw({ objects }: Pick<Tools, 'objects'>, { tenantId }: Scope, raw: Uint8Array): Promise<StoredRaw> {
  const store = objects.current
  const key = `${rawFolder}/${tenantId}/${newId('obj')}`
  const { sha256 } = await store.put(key, bytesOf(raw))
  return { storage: store.name, key, folder: store.local ? objects.folder.id() : null, sha256 }
}

/** Below which raw mails lie in the store. */
export const rawFolder = 'inbound_mails'

async function* bytesOf(raw: Uint8Array) {
  yield raw
}

/** Stores a prepared mail, in the caller's transaction. */
export async function storeMail(
  tx: Tx,
  scope: Scope,
  prepared: Prepared,
  { keyring, nowMs }: { keyring: Keyring; nowMs: number },
): Promise<Taken> {
  const { arrival, report, targets } = prepared
  if (report !== undefined) {
    const taken = await takeReport(tx, scope, { report, envelopeTo: arrival.envelopeTo }, { keyring, nowMs })
    // One about a mail of ours says all there is; others may be of use to somebody.
    if (taken.mailId !== null || arrival.door === 'http') return { report: taken, mails: [] }
  }
  const mails: TakenMail[] = []
  for (const target of targets) {
    const row = await storeFor(tx, scope, prepared, target, nowMs)
    if (row !== undefined) mails.push({ row, isNew: true })
    else mails.push({ row: (await findByKey(tx, scope, target.key))!, isNew: false })
  }
  return { report: undefined, mails }
}

/** Undefined where it is there already. */
async function storeFor(
  tx: Tx,
  scope: Scope,
  { arrival, mail, checked, stored }: Prepared,
  { mark, key }: Target,
  nowMs: number,
): Promise<InboundRow | undefined> {
  if (stored === undefined) return undefined
  const match = await matchMail(tx, scope, { mail, mark, check: checked.check })
  const at = isoMs(nowMs)
  const row: InboundRow = {
    id: newId('inm'),
    state: match.state,
    direction: match.direction,
    door: arrival.door,
    mailbox_id: arrival.mailboxId ?? null,
    storage: stored.storage,
    storage_key: stored.key,
    folder: stored.folder,
    size_bytes: arrival.raw.length,
    sha256: stored.sha256,
    message_id: mail.messageId,
    answered_ids: mail.answeredIds,
    from_address: mail.from?.address ?? null,
    from_name: mail.from?.name ?? null,
    to_list: mail.to,
    cc_list: mail.cc,
    subject: mail.subject,
    written_at: mail.writtenAt,
    sender_check: checked.check,
    auth: checked.auth,
    is_automatic: mail.isAutomatic,
    matched_by: match.matchedBy,
    mail_id: match.mailId,
    record_id: match.recordId,
    candidates: match.candidates,
    user_id: match.userId,
    version: 1,
    received_at: isoMs(arrival.receivedMs),
    updated_at: at,
    attachments: mail.attachments.map(({ fileName, mediaType, isInline, content }, index) => ({
      place: index + 1,
      file_name: fileName,
      media_type: mediaType,
      size_bytes: content.length,
      is_inline: isInline,
    })),
  }
  if (!(await insertInbound(tx, scope, { ...row, text: mail.text, html: mail.html }, key))) return undefined
  if (row.state !== 'ignored')
    await emit(tx, scope, { type: 'mail.received', resourceId: row.id, sequence: 1, data: presentInbound(row) })
  return row
}

/** What is of no use: bytes of a mail that no row names. */
export async function dropRaw(
  { objects, log }: Pick<Tools, 'objects' | 'log'>,
  { stored }: Pick<Prepared, 'stored'>,
  { mails }: Taken,
): Promise<void> {
  if (stored === undefined || mails.some(({ isNew }) => isNew)) return
  await objects
    .at(stored.storage)
    ?.remove(stored.key)
    .catch(error => log.warn({ key: stored.key, err: error }, 'a file stays that is of no use'))
}
