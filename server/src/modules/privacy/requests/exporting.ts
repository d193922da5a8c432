// Makes the archive of what is known of a person: a compressed tar with a file of JSON lines for each kind of rows, and the files that they
// name. It is made in one go and stored whole, under a key of its own each time: one that was interrupted is made again, and removed.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { ObjectStore } from '../../../kernel/objects/object_store.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { packedTar, type TarEntry, textEntry } from '../../identity/organizations/index.ts'
import { archiveParts, listArchiveFiles, listLines } from './archive_store.ts'
import { endRequest } from './ending.ts'
import { collectItems } from './item_store.ts'
import { findRequest, type RequestRow } from './store.ts'
import { save, type Work } from './work.ts'

/** How long an archive can be downloaded. */
export const keptMs = 7 * 86_400_000
export const firstExportStep = 'collect'
const rowsAtOnce = 500

/** Does the next step of an export: finds what there is, and then makes the archive. */
export async function exportSome(work: Work, request: RequestRow): Promise<RequestRow> {
  const { services, scope } = work
  const { person } = request
  if (person === null) throw new Error(`${request.id} does not say whom it is about`)
  if (request.step === firstExportStep) {
    return services.db.inTenant(scope, async tx => {
      await collectItems(tx, scope, request.id, person)
      return save(work, tx, request, { step: 'archive' })
    })
  }
  const store = services.objects.current
  await removeArchives(store, scope, request.id)
  const key = `${archivesOf(scope, request.id)}-${newId('obj')}.tar.gz`
  const counts: Record<string, number> = {}
  try {
    const { size, sha256 } = await store.put(key, packedTar(entriesOf(services, scope, request, counts)))
    return await services.db.inTenant(scope, async tx => {
      await save(work, tx, request, { counts })
      const nowMs = services.clock.now()
      const expires_at = isoMs(nowMs + keptMs)
      const file = { storage: store.name, storage_key: key, size_bytes: size, sha256, expires_at }
      return endRequest(tx, work, request.id, { state: 'completed', nowMs, file })
    })
  } catch (error) {
    // Where nobody knows whether it was written down, the next attempt removes it.
    const now = await services.db.inTenant(scope, tx => findRequest(tx, scope, request.id)).catch(() => undefined)
    if (now !== undefined && now.storage_key !== key) await store.remove(key)
    throw error
  }
}

const archivesOf = ({ tenantId }: Scope, id: string) => `privacy/${tenantId}/${id}`

/** Removes what any attempt has stored: also of one that lost its lease, or whose process ended. */
export async function removeArchives(store: ObjectStore, scope: Scope, id: string): Promise<void> {
  for await (const { key } of store.list(archivesOf(scope, id))) await store.remove(key)
}

async function* entriesOf(
  { db, clock, objects }: Services,
  scope: Scope,
  request: RequestRow,
  counts: Record<string, number>,
): AsyncGenerator<TarEntry> {
  const atMs = clock.now()
  const text = (name: string, content: string) => textEntry(name, content, atMs)
  for (const part of archiveParts) {
    for (let [behind, page] = ['', 1]; ; page++) {
      const from = behind
      const { lines, last } = await db.inTenant(scope, tx => listLines(tx, scope, request.id, part, from, rowsAtOnce))
      if (lines.length > 0) {
        counts[part.name] = (counts[part.name] ?? 0) + lines.length
        yield text(`${part.name}-${String(page).padStart(4, '0')}.ndjson`, `${lines.join('\n')}\n`)
      }
      if (last === undefined) break
      behind = last
    }
  }
  for (const { kind, id, storage, key } of await db.inTenant(scope, tx => listArchiveFiles(tx, scope, request.id))) {
    const store = objects.at(storage)
    const size = await store?.size(key)
    if (store === undefined || size === undefined) continue
    counts['files'] = (counts['files'] ?? 0) + 1
    yield { name: `files/${kind}/${id}`, size, content: await store.read(key), atMs }
  }
  const about = {
    requestId: request.id,
    subject: request.subject,
    person: request.person,
    madeAt: isoMs(atMs),
    rows: counts,
  }
  yield text('contents.json', `${JSON.stringify(about, null, 2)}\n`)
}
