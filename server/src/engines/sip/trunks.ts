// The trunks that this process can call by: read every second, watched by OPTIONS and registered by the one process that holds
// their lock.
import { hostname } from 'node:os'
import type { SipAgent } from '@tandem/sip'
import type { DbSession, Scope } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { randomToken } from '../../kernel/ids.ts'
import {
  createTrunkReporter,
  type EnabledTrunk,
  listEnabledTrunks,
  type OpenTrunk,
  openTrunk,
  type RoutedTrunk,
  type TrunkCounters,
  type TrunkReport,
  type TrunkSettings,
  type TrunkState,
  tryLockTrunks,
  unlockTrunk,
} from '../../modules/voice/trunks/index.ts'
import { requestTarget } from './addresses.ts'
import { type Watch, watchTrunk } from './watch.ts'

/** A trunk as calls take it. */
export type HeldTrunk = RoutedTrunk & {
  readonly key: string
  readonly scope: Scope
  readonly settings: TrunkSettings
  readonly counters: TrunkCounters
  state: TrunkState
}

type Entry = {
  trunk: HeldTrunk | undefined
  scope: Scope
  id: string
  version: number
  isLocked: boolean
  watch: Watch | undefined
  opening: object
  report: TrunkReport
}

/** How long what a name led to is taken for the address of a carrier. */
const resolvedMs = 60_000

export type Trunks = {
  round(agent: SipAgent): Promise<void>
  ofTenant(tenantId: number): HeldTrunk[]
  all(): HeldTrunk[]
  find(tenantId: number, id: string): HeldTrunk | undefined
  withKey(key: string): HeldTrunk | undefined
  /** Where calls of a trunk come in from: its settings, or what its host and proxy lead to. */
  sourcesOf(trunk: HeldTrunk, agent: SipAgent): Promise<readonly string[]>
  close(): Promise<void>
}

export function createTrunks(services: Services, { wake }: { wake(): void }): Trunks {
  const { db, log, clock } = services
  const entries = new Map<string, Entry>()
  const owner = `${hostname()}:${randomToken(6)}`
  const resolved = new Map<string, { addresses: readonly string[]; untilMs: number }>()
  let session: DbSession | undefined
  const watched = () => [...entries.values()].filter(entry => entry.isLocked)
  const reporter = createTrunkReporter(services, owner, () =>
    watched().map(({ scope, id, opening, report }) => ({ scope, id, opening, report })),
  )
  const keyOf = ({ tenant_id, id }: Pick<EnabledTrunk, 'tenant_id' | 'id'>) => `${tenant_id} ${id}`

  async function round(agent: SipAgent): Promise<void> {
    const enabled = new Map((await listEnabledTrunks(db)).map(row => [keyOf(row), row]))
    for (const [key, entry] of entries) {
      const row = enabled.get(key)
      if (row === undefined || row.settings_version !== entry.version) await drop(key, entry)
    }
    const fresh = [...enabled].filter(([key]) => !entries.has(key))
    for (const [key, row] of fresh) await open(key, row)
    await lockFree(agent)
    await reporter.round()
  }

  async function open(key: string, row: EnabledTrunk): Promise<void> {
    const scope = { tenantId: row.tenant_id, organizationId: row.organization_id }
    const found = await db.inTenant(scope, tx => openTrunk(services, tx, scope, row.id))
    if (found === undefined) return
    const { settings } = found
    const isReadable = typeof settings !== 'string'
    const counters = { calls: 0, failed: 0, active: 0 }
    const entry: Entry = {
      trunk: isReadable ? heldOf(key, scope, found, settings, counters) : undefined,
      scope,
      id: row.id,
      version: row.settings_version,
      isLocked: false,
      watch: undefined,
      opening: {},
      report: {
        state: isReadable ? 'unknown' : 'down',
        stateSinceMs: clock.now(),
        lastError: isReadable ? null : settings,
        throttled: false,
        counters,
      },
    }
    entries.set(key, entry)
  }

  function heldOf(key: string, scope: Scope, found: OpenTrunk, settings: TrunkSettings, counters: TrunkCounters) {
    return { key, scope, id: found.id, routes: found.routes, settings, counters, state: 'unknown' as TrunkState }
  }

  /** One process watches each trunk: the one whose session holds its lock. */
  async function lockFree(agent: SipAgent): Promise<void> {
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
      const { trunk } = entry
      if (trunk === undefined) continue
      entry.watch = watchTrunk(agent, trunk, {
        clock,
        changed(state, lastError) {
          trunk.state = state
          const stateSinceMs = state === entry.report.state ? entry.report.stateSinceMs : clock.now()
          entry.report = { ...entry.report, state, stateSinceMs, lastError }
          reporter.soon()
          wake()
        },
        onError: error => log.warn({ err: error, trunk: entry.id }, 'a trunk cannot be watched'),
      })
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
        entry.watch?.abandon()
        entry.watch = undefined
      }
    })
    return opened
  }

  async function drop(key: string, entry: Entry): Promise<void> {
    entries.delete(key)
    resolved.delete(key)
    if (!entry.isLocked) return
    await entry.watch?.close()
    if (session !== undefined) await unlockTrunk(session, entry.scope.tenantId, entry.id).catch(() => {})
  }

  const held = () => [...entries.values()].flatMap(({ trunk }) => trunk ?? [])

  return {
    round,
    all: held,
    ofTenant: tenantId => held().filter(({ scope }) => scope.tenantId === tenantId),
    async sourcesOf({ key, settings }, agent) {
      if (settings.sourceAddresses.length > 0) return settings.sourceAddresses
      const known = resolved.get(key)
      if (known !== undefined && performance.now() < known.untilMs) return known.addresses
      const addresses = await agent.addressesOf(requestTarget(settings)).catch(() => known?.addresses ?? [])
      resolved.set(key, { addresses, untilMs: performance.now() + resolvedMs })
      return addresses
    },
    find: (tenantId, id) => entries.get(keyOf({ tenant_id: tenantId, id }))?.trunk,
    withKey: key => entries.get(key)?.trunk,
    async close() {
      const last = watched().map(({ scope, id, opening, report }) => ({
        scope,
        id,
        opening,
        report: { ...report, state: 'disabled' as const },
      }))
      await Promise.all([...entries.values()].map(({ watch }) => watch?.close()))
      await reporter
        .write(last)
        .catch(error => log.warn({ err: error }, 'the last word of trunks could not be written'))
      entries.clear()
      await session?.close()
    },
  }
}
