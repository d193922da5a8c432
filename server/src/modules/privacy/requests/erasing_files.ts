// Files that hold a person among others: those of imports, which are read through, and archives of the whole organization.
import { dropImportFile, expireArchive, listArchives, listImportFiles } from './item_store.ts'
import type { Counts } from './store.ts'
import { type Step, save } from './work.ts'

const waitSeconds = 30
/** Longer than anything that names a person, in bytes: what is cut apart by the parts in which a file is read. */
const overlapBytes = 2_048

/** Looks through the file of the next import, and removes it where the person is in it. */
export function eraseImportFile(next: string): Step {
  return async (work, request) => {
    const { services, scope } = work
    const [behind = ''] = request.place
    const [file] = await services.db.inTenant(scope, tx => listImportFiles(tx, scope, behind, 1))
    const isTheirs =
      file !== undefined &&
      request.pattern !== null &&
      (await holds(services.objects.at(file.storage), file, request.pattern))
    if (file !== undefined && isTheirs && !['checking', 'running'].includes(file.state))
      await services.objects.at(file.storage)?.remove(file.storage_key)
    return services.db.inTenant(scope, async tx => {
      if (file === undefined) return save(work, tx, request, { step: next, place: [], waits_for: null })
      if (!isTheirs) return save(work, tx, request, { place: [file.id] })
      if (['checking', 'running'].includes(file.state))
        return save(work, tx, request, { waits_for: 'imports', releaseSeconds: waitSeconds })
      await dropImportFile(tx, scope, file.id)
      return save(work, tx, request, { place: [file.id], counts: { import_files: 1 }, waits_for: null })
    })
  }
}

type Store = { read(key: string): Promise<AsyncIterable<Uint8Array>>; size(key: string): Promise<number | undefined> }

async function holds(store: Store | undefined, file: { storage_key: string; encoding: string }, pattern: string) {
  if (store === undefined || (await store.size(file.storage_key)) === undefined) return false
  const person = new RegExp(pattern, 'i')
  const decoder = new TextDecoder(file.encoding)
  let text = ''
  for await (const part of await store.read(file.storage_key)) {
    text += decoder.decode(part, { stream: true })
    if (person.test(text)) return true
    text = text.slice(-overlapBytes)
  }
  return person.test(text + decoder.decode())
}

/** Removes archives of the whole organization: another one is made when somebody asks. */
export function eraseArchives(next: string): Step {
  return async (work, request) => {
    const { services, scope } = work
    const archives = await services.db.inTenant(scope, tx => listArchives(tx, scope))
    for (const { storage, storage_key } of archives)
      if (storage !== null && storage_key !== null) await services.objects.at(storage)?.remove(storage_key)
    return services.db.inTenant(scope, async tx => {
      const ready = archives.filter(({ state }) => state === 'ready')
      for (const { id } of ready) await expireArchive(tx, scope, id)
      const counts: Counts = ready.length === 0 ? {} : { archives: ready.length }
      if (ready.length < archives.length)
        return save(work, tx, request, { counts, waits_for: 'archives', releaseSeconds: waitSeconds })
      return save(work, tx, request, { step: next, place: [], counts, waits_for: null })
    })
  }
}
