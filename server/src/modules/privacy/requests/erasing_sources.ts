// Sources of mails that others wrote, in which a person who is erased is named: as a recipient, in the words, in what is quoted. The source
// goes; a mail that says so, with the files of the old one, takes its place. Text in files counts too: such a file goes as well.
import { setImmediate as pause } from 'node:timers/promises'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import type { ObjectStore } from '../../../kernel/objects/object_store.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { firstIdAt, newId } from '../../../kernel/values/ids.ts'
import { listSources, replaceSource, type SourceRow } from './source_store.ts'
import type { RequestRow } from './store.ts'
import { type Step, save, type Work } from './work.ts'

/** What is looked through in one piece: it must fit well into the lease. */
const mailsAtOnce = 100
const bytesAtOnce = 32 * 1024 * 1024
/** What stops other requests no longer than a moment; parts overlap by more than anything that names a person. */
const partLength = 262_144
const overlap = 2_048
/** Mails within mails within mails are read so deep. */
const maxDepth = 4
/** Clocks of nodes differ by less. */
const graceMs = 3_600_000

/** Looks through the sources of the next mails, and replaces the first that holds the person. */
export function eraseSources(next: string): Step {
  return async (work, request) => {
    const { services, scope } = work
    const [behind = firstBehind(request), storage, key] = request.place
    if (storage !== undefined && key !== undefined) {
      // No mail names it any more.
      await storeOf(work, storage).remove(key)
      return services.db.inTenant(scope, tx => save(work, tx, request, { place: [behind] }))
    }
    const { pattern } = request
    const sources =
      pattern === null ? [] : await services.db.inTenant(scope, tx => listSources(tx, scope, behind, mailsAtOnce))
    if (pattern === null || sources.length === 0)
      return services.db.inTenant(scope, tx => save(work, tx, request, { step: next, place: [] }))
    const person = new RegExp(pattern, 'i')
    let [last, bytes] = [behind, 0]
    for (const source of sources) {
      const raw = await readSource(storeOf(work, source.storage), source.storage_key)
      if (raw !== undefined && (await isIn(raw, person))) return replace(work, request, { source, raw, person })
      last = source.id
      bytes += source.size_bytes
      if (bytes >= bytesAtOnce) break
    }
    return services.db.inTenant(scope, tx => save(work, tx, request, { place: [last] }))
  }
}

/** All of them at first; then only those that came since the erasure was asked for. */
function firstBehind({ pass, created_at }: RequestRow): string {
  return pass === 1 ? '' : firstIdAt('inm', Date.parse(created_at) - graceMs)
}

function storeOf({ services }: Work, name: string): ObjectStore {
  const store = services.objects.at(name)
  if (store === undefined) throw new Error(`no key to the storage ${name} of mails; set TANDEM_S3_ACCESS_KEY_ID`)
  return store
}

async function readSource(store: ObjectStore, key: string): Promise<Buffer | undefined> {
  if ((await store.size(key)) === undefined) return undefined
  return Buffer.concat(await Array.fromAsync(await store.read(key)))
}

/** Writes down what has taken the place of the source, and what is to be removed then. */
async function replace(
  work: Work,
  request: RequestRow,
  { source, raw, person }: { source: SourceRow; raw: Buffer; person: RegExp },
): Promise<RequestRow> {
  const { services, scope } = work
  const store = services.objects.current
  const nowMs = services.clock.now()
  const key = `inbound_mails/${scope.tenantId}/${newId('obj')}`
  const bytes = await noticeFor(source, await parse(raw), { person, nowMs })
  const { size, sha256 } = await store.put(key, once(bytes))
  const folder = store.local ? services.objects.folder.id() : null
  const by = { storage: store.name, storage_key: key, folder, size_bytes: size, sha256, nowMs }
  return services.db.inTenant(scope, async tx => {
    await replaceSource(tx, scope, source, by)
    return save(work, tx, request, {
      place: [source.id, source.storage, source.storage_key],
      counts: { mail_sources: 1 },
    })
  })
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

const parse = (raw: Uint8Array): Promise<Email> =>
  PostalMime.parse(raw).catch((): Email => ({ headers: [], headerLines: [], attachments: [] }))

const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)

/** Whether a mail names the person: as it came, or decoded, or within its files. */
async function isIn(raw: Buffer, person: RegExp, depth = 0): Promise<boolean> {
  if (await finds(raw.toString(), person)) return true
  const mail = await parse(raw)
  const heads = mail.headers.map(({ value }) => value)
  const names = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])].map(one => one?.name)
  const texts = [...heads, ...names, mail.subject, mail.text, mail.html]
  for (const text of texts) if (text !== undefined && (await finds(text, person))) return true
  for (const file of mail.attachments) if (await isInFile(file, person, depth)) return true
  return false
}

async function isInFile(file: Attachment, person: RegExp, depth: number): Promise<boolean> {
  if (person.test(file.filename ?? '') || (await finds(bytesOf(file).toString(), person))) return true
  return file.mimeType === 'message/rfc822' && depth < maxDepth && isIn(bytesOf(file), person, depth + 1)
}

async function finds(text: string, person: RegExp): Promise<boolean> {
  for (let at = 0; at < text.length; at += partLength - overlap) {
    if (person.test(text.slice(at, at + partLength))) return true
    if (at + partLength < text.length) await pause()
  }
  return false
}

/** A mail whose files have the numbers that they had. The row is swept before: what it says of the mail names the person no more. */
async function noticeFor(
  { from_address, from_name, subject, written_at }: SourceRow,
  mail: Email,
  { person, nowMs }: { person: RegExp; nowMs: number },
): Promise<Buffer> {
  const day = isoMs(nowMs).slice(0, 10)
  const attachments = await Promise.all(
    mail.attachments.map(async file => {
      const isTheirs = await isInFile(file, person, 0)
      return {
        filename: isTheirs ? 'erased.txt' : (file.filename ?? (false as const)),
        contentType: isTheirs ? 'text/plain; charset=utf-8' : file.mimeType,
        content: isTheirs
          ? `This file was removed on ${day}: it held a person whose data were erased.\r\n`
          : bytesOf(file),
        contentDisposition: 'attachment' as const,
      }
    }),
  )
  return new MailComposer({
    ...(from_address !== null && { from: { address: from_address, name: from_name ?? '' } }),
    subject,
    date: new Date(written_at ?? nowMs),
    headers: { 'X-Tandem-Source-Erased': isoMs(nowMs) },
    text: `The source of this mail was removed on ${day}: it held a person whose data were erased. Its words, without that person, and its files are left.\r\n`,
    attachments,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
