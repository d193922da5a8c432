// The trunks that this process can call by: read every second, each kept by the driver of its kind, and watched by the one process that
// holds its lock.
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DbSession, Scope } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { randomToken } from '../../kernel/values/ids.ts'
import {
  createTrunkReporter,
  type EnabledTrunk,
  type KindSettings,
  listEnabledTrunks,
  type OpenTrunk,
  openTrunk,
  type TrunkReport,
  tryLockTrunks,
  unlockTrunk,
} from '../../modules/voice/trunks/index.ts'
import type { HeldTrunk, HeldTrunks, Kept, TrunkDriver } from './driver.ts'
import { countersOf, createLoads, type TrunkLoad } from './load.ts'

/** So long at most a trunk whose settings have changed is used as it was, while it is not known whether the new ones work. */
const readyMs = 2_000

type Entry = {
  trunk: HeldTrunk | undefined
  scope: Scope
  id: string
  version: number
  isLocked: boolean
  kept: Kept | undefined
  opening: object
  report: TrunkReport
}

export type KeptTrunks = HeldTrunks & {
  /** To be called every second. */
  round(): Promise<void>
  close(): Promise<void>
}

type Opened = Pick<TrunkReport, 'lastError'> & { trunk: HeldTrunk | undefined; load: TrunkLoad; nowMs: number }

/** A trunk that was just read, which nobody watches yet. */
function newEntry(row: EnabledTrunk, { trunk, lastError, load, nowMs }: Opened): Entry {
  return {
    trunk,
    scope: scopeOf(row),
    id: row.id,
    version: row.settings_version,
    isLocked: false,
    kept: undefined,
    opening: {},
    report: {
      state: lastError === null ? 'unknown' : 'down',
      stateSinceMs: nowMs,
      lastError,
      throttled: false,
      counters: trunk?.counters ?? countersOf(load),
    },
  }
}

export function createHeldTrunks(
  services: Services,
  { drivers, wake }: { drivers: readonly TrunkDriver[]; wake(): void },
): KeptTrunks {
  const { db, log, clock } = services
  const entries = new Map<string, Entry>()
  const loads = createLoads()
  const owner = `${hostname()}:${randomToken(6)}`
  let session: DbSession | undefined
  const watched = () => [...entries.values()].filter(entry => entry.isLocked)
  const reporter = createTrunkReporter(services, owner, () => watched().map(statusOf))

  async function round(): Promise<void> {
    const enabled = new Map((await listEnabledTrunks(db)).map(row => [keyOf(row), row]))
    for (const [key, entry] of entries) if (!enabled.has(key)) await drop(key, entry)
    loads.sweep(entries)
    // One whose settings have changed is used as it was until it can be used as it is now.
    const fresh = [...enabled].filter(([key, row]) => entries.get(key)?.version !== row.settings_version)
    const found = fresh.map(([, row]) => readTrunk(services, row))
    // All are read before the first opens the port that they share: by one that is read later nobody could call in yet.
    await Promise.allSettled(found)
    const opened = await Promise.allSettled(fresh.map(async ([key, row], i) => open(key, row, await found[i])))
    await lockFree()
    await reporter.round()
    // What could not be opened now is tried again in the next round; the others do not wait for it.
    for (const result of opened) if (result.status === 'rejected') throw result.reason
  }

  async function open(key: string, row: EnabledTrunk, found: OpenTrunk | undefined): Promise<void> {
    if (found === undefined) return
    const scope = scopeOf(row)
    const { opened } = found
    const isReadable = typeof opened !== 'string'
    const load = loads.of(key)
    const driver = isReadable ? drivers.find(({ kind }) => kind === opened.kind) : undefined
    await driver?.open()
    const trunk = isReadable ? heldOf(key, scope, found, opened, load) : undefined
    const entry = newEntry(row, { trunk, lastError: isReadable ? null : opened, load, nowMs: clock.now() })
    const before = entries.get(key)
    if (before === undefined) entries.set(key, entry)
    if (trunk !== undefined) entry.kept = keep(trunk, entry, driver)
    if (before !== undefined) await replace(key, before, entry)
  }

  function keep(trunk: HeldTrunk, entry: Entry, driver: TrunkDriver | undefined): Kept | undefined {
    return driver?.keep(trunk, {
      changed(state, lastError) {
        trunk.state = state
        const stateSinceMs = state === entry.report.state ? entry.report.stateSinceMs : clock.now()
        entry.report = { ...entry.report, state, stateSinceMs, lastError }
        if (entry.isLocked) reporter.soon()
        wake()
      },
      onError: error => log.warn({ err: error, trunk: entry.id }, 'a trunk cannot be watched'),
    })
  }

  /** At no moment is there no such trunk: calls would fail that are prepared, dialled or come in just then. */
  async function replace(key: string, before: Entry, entry: Entry): Promise<void> {
    if (entry.kept?.ready !== undefined)
      await Promise.race([entry.kept.ready, sleep(readyMs, undefined, { ref: false })])
    entry.isLocked = before.isLocked
    entries.set(key, entry)
    await before.kept?.close(entry.trunk)
    if (entry.isLocked) entry.kept?.lead()
  }

  /** One process watches each trunk: the one whose session holds its lock. */
  async function lockFree(): Promise<void> {
    const free = [...entries.values()].filter(entry => !entry.isLocked)
    if (free.length === 0) return
    session ??= await openSession()
    const taken = await tryLockTrunks(
      session,
      free.map(({ scope, id }) => ({ tenant_id: scope.tenantId, id })),
    )
    for (const entry of free) {
      if (!taken.has(`${entry.scope.tenantId} ${entry.id}`)) continue
      entry.isLocked = true
      entry.kept?.lead()
    }
  }

  async function openSession(): Promise<DbSession> {
    const opened = await db.session()
    void opened.ended.then(() => {
      if (session !== opened) return
      session = undefined
      // The locks are free: another process may register in our place.
      for (const entry of watched()) {
        entry.isLocked = false
        entry.kept?.abandon()
      }
    })
    return opened
  }

  async function drop(key: string, entry: Entry): Promise<void> {
    entries.delete(key)
    await entry.kept?.close()
    if (!entry.isLocked) return
    if (session !== undefined) await unlockTrunk(session, entry.scope.tenantId, entry.id).catch(() => {})
  }

  const held = () => [...entries.values()].flatMap(({ trunk }) => trunk ?? [])

  return {
    round,
    all: held,
    ofTenant: tenantId => held().filter(({ scope }) => scope.tenantId === tenantId),
    knows: tenantId => [...entries.values()].some(({ scope }) => scope.tenantId === tenantId),
    find: (tenantId, id) => entries.get(keyOf({ tenant_id: tenantId, id }))?.trunk,
    withKey: key => entries.get(key)?.trunk,
    async close() {
      const last = watched()
        .map(statusOf)
        .map(status => ({ ...status, report: { ...status.report, state: 'disabled' as const } }))
      await Promise.all([...entries.values()].map(({ kept }) => kept?.close()))
      await reporter
        .write(last)
        .catch(error => log.warn({ err: error }, 'the last word of trunks could not be written'))
      entries.clear()
      await session?.close()
    },
  }
}

const keyOf = ({ tenant_id, id }: Pick<EnabledTrunk, 'tenant_id' | 'id'>) => `${tenant_id} ${id}`
const statusOf = ({ scope, id, opening, report }: Entry) => ({ scope, id, opening, report })
const scopeOf = (row: EnabledTrunk): Scope => ({ tenantId: row.tenant_id, organizationId: row.organization_id })

function readTrunk(services: Services, row: EnabledTrunk): Promise<OpenTrunk | undefined> {
  const scope = scopeOf(row)
  return services.db.inTenant(scope, tx => openTrunk(services, tx, scope, row.id))
}

function heldOf(
  key: string,
  scope: Scope,
  { id, routes, currency }: OpenTrunk,
  opened: KindSettings,
  load: TrunkLoad,
): HeldTrunk {
  return { key, scope, id, routes, currency, ...opened, load, counters: countersOf(load), state: 'unknown' }
}
