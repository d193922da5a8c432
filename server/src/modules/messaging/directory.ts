// Who may send and who carries, of one tenant: its numbers, messaging services, and carriers with their routes and links.
// Each node keeps it in memory and asks once a second whether it changed; before something is refused because it is not
// there, it is read again, so that what was added on another node a moment ago is known.
import type { Db, Tx } from '../../kernel/data/db.ts'
import { onPolicyChange, type Policy } from '../destinations/index.ts'
import {
  type DirectoryAnswer,
  type DirectoryCarrier,
  type DirectoryNumber,
  type DirectoryService,
  fetchDirectory,
  findDirectory,
} from './directory_store.ts'

export type { DirectoryCarrier, DirectoryNumber, DirectoryService, Route } from './directory_store.ts'

export type Directory = {
  carriers: readonly DirectoryCarrier[]
  /** By address. */
  numbers: ReadonlyMap<string, DirectoryNumber>
  services: ReadonlyMap<string, DirectoryService>
  /** Whether there ever was a carrier: from then on senders are the tenant's own. */
  hadCarrier: boolean
  /** Which destinations are allowed: the policies of the organization and of API keys, as far as they are set. */
  policies: readonly Policy[]
}

type Entry = {
  /** When its reading began. */
  readAtMs: number
  /** What was read before is out of date. */
  changedAtMs: number
  revision: number
  directory: Directory
}

/** A reading under way, and the one that follows it for those who need what is true now. */
type Reading = { startedMs: number; directory: Promise<Directory>; next: Promise<Directory> | undefined }

const unread: Entry = {
  readAtMs: Number.NEGATIVE_INFINITY,
  changedAtMs: Number.NEGATIVE_INFINITY,
  revision: -1,
  directory: { carriers: [], numbers: new Map(), services: new Map(), hadCarrier: false, policies: [] },
}

/** Older than this it is read again behind the request, older than twice this in front of it. */
const freshMs = 1_000
const maxTenants = 10_000

type Cache = { entries: Map<number, Entry>; readings: Map<number, Reading> }

const caches = new WeakMap<Db, Cache>()

function cacheOf(db: Db): Cache {
  let cache = caches.get(db)
  if (cache === undefined) {
    cache = { entries: new Map(), readings: new Map() }
    caches.set(db, cache)
  }
  return cache
}

/**
 * The directory of a tenant, at most two seconds old.
 * @param options.fresh reads it now, whatever is known
 */
export function directoryOf(db: Db, tenantId: number, { fresh = false } = {}): Directory | Promise<Directory> {
  const entry = cacheOf(db).entries.get(tenantId)
  const nowMs = performance.now()
  if (fresh) return read(db, tenantId, nowMs)
  if (entry === undefined || entry.readAtMs <= entry.changedAtMs)
    return read(db, tenantId, entry?.changedAtMs ?? Number.NEGATIVE_INFINITY)
  const ageMs = nowMs - entry.readAtMs
  if (ageMs < freshMs) return entry.directory
  const reading = read(db, tenantId, entry.readAtMs)
  if (ageMs >= 2 * freshMs) return reading
  // What fails here fails again, and is reported, when somebody has to wait for it.
  reading.catch(() => {})
  return entry.directory
}

/** The directory as a transaction sees it. */
export async function directoryIn(tx: Tx, tenantId: number): Promise<Directory> {
  const { links, full } = await findDirectory(tx, tenantId)
  return directoryFrom(full, new Set(links), undefined)
}

/** Says that carriers, numbers or services of a tenant changed, once that is committed. */
export function forgetDirectory(db: Db, tenantId: number): void {
  const { entries } = cacheOf(db)
  const entry = entries.get(tenantId)
  const changedAtMs = performance.now()
  if (entry !== undefined) entry.changedAtMs = changedAtMs
  // The first reading may be under way, and may have begun too early.
  else entries.set(tenantId, { ...unread, changedAtMs })
}

onPolicyChange(forgetDirectory)

/** Reads it, together with everybody who wants it: a reading serves those who need what was true when it began. */
function read(db: Db, tenantId: number, sinceMs: number): Promise<Directory> {
  const { readings } = cacheOf(db)
  const reading = readings.get(tenantId)
  if (reading === undefined) return begin(db, tenantId)
  if (reading.startedMs > sinceMs) return reading.directory
  reading.next ??= reading.directory.then(
    () => begin(db, tenantId),
    () => begin(db, tenantId),
  )
  return reading.next
}

function begin(db: Db, tenantId: number): Promise<Directory> {
  const { readings } = cacheOf(db)
  const startedMs = performance.now()
  const directory = readNow(db, tenantId, startedMs).finally(() => {
    if (readings.get(tenantId) === reading) readings.delete(tenantId)
  })
  const reading: Reading = { startedMs, directory, next: undefined }
  readings.set(tenantId, reading)
  return directory
}

async function readNow(db: Db, tenantId: number, readAtMs: number): Promise<Directory> {
  const { entries } = cacheOf(db)
  const known = entries.get(tenantId)
  const { revision, links, full } = await fetchDirectory(db, tenantId, known?.revision ?? null)
  const directory = directoryFrom(full, new Set(links), known?.directory)
  const changedAtMs = entries.get(tenantId)?.changedAtMs ?? Number.NEGATIVE_INFINITY
  keep(entries, tenantId, { readAtMs, changedAtMs, revision, directory })
  return directory
}

function keep(cache: Map<number, Entry>, tenantId: number, entry: Entry): void {
  cache.delete(tenantId)
  cache.set(tenantId, entry)
  for (const oldest of cache.keys()) {
    if (cache.size <= maxTenants) break
    cache.delete(oldest)
  }
}

function directoryFrom(
  full: DirectoryAnswer['full'],
  up: ReadonlySet<string>,
  known: Directory | undefined,
): Directory {
  if (full === null) {
    const { carriers, ...others } = known as Directory
    return { carriers: carriers.map(carrier => ({ ...carrier, up: up.has(carrier.id) })), ...others }
  }
  return {
    carriers: full.carriers.map(carrier => ({ ...carrier, up: up.has(carrier.id) })),
    numbers: new Map(full.numbers.map(number => [number.address, number])),
    services: new Map(full.services.map(service => [service.id, service])),
    hadCarrier: full.hadCarrier,
    policies: full.policies,
  }
}
