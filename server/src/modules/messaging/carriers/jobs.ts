// Holds the links of every carrier that is switched on. Each carrier belongs to one process at a time: the one whose
// session holds its advisory lock. Every second the list is read on that same session, so anyone who can go on is sure of its
// locks; when the session ends, all links are dropped at once, and another process takes over as soon as the lock is free.
import { hostname } from 'node:os'
import type { DbSession, Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueKeeper, Queues } from '../../../kernel/jobs/background.ts'
import type { Queue } from '../../../kernel/jobs/queue.ts'
import { completeSettings, openSecrets, type Settings, type SettingsSchema } from '../../../kernel/links/settings.ts'
import { allowedRanges } from '../../../kernel/outbound/egress.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { submitQueue } from '../carrier.ts'
import { carrierContext } from '../carrier_context.ts'
import { forgetDirectory } from '../directory.ts'
import { leaseMs, RouteMemory, submitQueueOf } from '../sms/index.ts'
import type { CarrierKind, LinkedCarrier, LinkReport } from './kind.ts'
import { type CarrierReport, createReporter } from './reporter.ts'
import { secretsOf } from './secrets.ts'
import {
  type CarrierRow,
  type EnabledCarrier,
  findCarrier,
  listEnabledCarriers,
  listInboundReferences,
  listLinks,
  renewEra,
  tryLockLinks,
  unlockLinks,
} from './store.ts'
import { reachable } from './unlisted_link.ts'

/** The queue that looks after links; wake it when carriers changed. */
export const carrierLinksQueue = 'carrier_links'

const roundMs = 1_000
/** What could not be opened is tried again after this. */
const brokenMs = 60_000
/** Carriers give up sooner than that repeating what was not acknowledged. */
const crashMs = 3 * 24 * 3_600_000
/** Carriers repeat sooner than that what was not acknowledged. */
const storedBeforeMs = 120_000

/** A carrier whose lock this process holds. */
type OwnedCarrier = {
  key: string
  scope: Scope
  id: string
  version: number
  carrier: LinkedCarrier | undefined
  routes: RouteMemory
  queue: Queue | undefined
  /** Under way to be closed. */
  closing: Promise<void> | undefined
  /** Why it could not be opened, and when to try again. */
  broken: { reason: string; sinceMs: number; untilMs: number } | undefined
}

const keyOf = ({ tenant_id, id }: Pick<EnabledCarrier, 'tenant_id' | 'id'>) => `${tenant_id} ${id}`

function newlyOwned(services: Services, row: EnabledCarrier): OwnedCarrier {
  const { tenant_id: tenantId, organization_id: organizationId, id, settings_version: version } = row
  // What the process before has submitted may be answered until its leases end.
  const routes = new RouteMemory(services, { tenantId, carrier: id, stragglersMs: leaseMs })
  const closed = { carrier: undefined, queue: undefined, closing: undefined, broken: undefined }
  return { key: keyOf(row), scope: { tenantId, organizationId }, id, version, routes, ...closed }
}

/** The loop that holds the links of carriers of these kinds. */
export function holdCarrierLinks(kinds: readonly CarrierKind[]): QueueKeeper {
  return (services, queues) => {
    const holder = createHolder(kinds, services, queues)
    return {
      name: carrierLinksQueue,
      batch: 1,
      lanes: 1,
      pollMs: roundMs,
      async claim() {
        await holder.round()
        return []
      },
      async work() {},
      closed: () => holder.close(),
    }
  }
}

function createHolder(kinds: readonly CarrierKind[], services: Services, queues: Queues) {
  const { db, log, clock } = services
  const owned = new Map<string, OwnedCarrier>()
  let session: DbSession | undefined
  let dropping: Promise<unknown> | undefined
  let failing = false
  const stopping = Promise.withResolvers<void>()
  const owner = `${hostname()}:${randomToken(6)}`
  const reporter = createReporter(services, owner, () => reportsOf(owned.values()))

  async function round(): Promise<void> {
    try {
      await dropping
      await holdAll(session ?? (await openSession()))
      if (failing) log.info('links to carriers are looked after again')
      failing = false
    } catch (error) {
      // Once, not every second.
      if (!failing) log.error({ err: error }, 'links to carriers cannot be looked after')
      failing = true
    }
    await reporter.round()
  }

  async function openSession(): Promise<DbSession> {
    const opened = await db.session()
    session = opened
    void opened.ended.then(() => {
      if (session === opened) lose()
    })
    return opened
  }

  /** The locks are free, so another process may open the links at this moment. */
  function lose(): void {
    session = undefined
    const lost = [...owned.values()]
    owned.clear()
    if (lost.length === 0) return
    log.error({ carriers: lost.length }, 'lost the session that holds the locks of carriers; their links are dropped')
    for (const { carrier } of lost) carrier?.abort('The server lost its database connection.')
    const stopped = Promise.all(
      lost.map(async ({ closing, queue, routes }) => {
        await Promise.all([closing, queue?.stop()])
        await routes.close({ isOwner: false })
      }),
    )
    const dropped: Promise<unknown> = stopped
      .catch(error => log.error({ err: error }, 'a carrier was not closed in order'))
      .finally(() => {
        if (dropping === dropped) dropping = undefined
      })
    dropping = dropped
  }

  async function holdAll(current: DbSession): Promise<void> {
    const wanted = new Map((await listEnabledCarriers(current)).map(row => [keyOf(row), row]))
    for (const entry of owned.values()) {
      const row = wanted.get(entry.key)
      if (entry.closing !== undefined) continue
      if (row === undefined) release(entry)
      else if (row.settings_version !== entry.version) reopen(entry, row.settings_version)
    }
    const free = [...wanted.values()].filter(row => !owned.has(keyOf(row)))
    const locked = await tryLockLinks(current, free)
    // The session may have ended while it answered: then nothing is ours.
    if (session !== current) return
    for (const row of free) {
      if (!locked.has(keyOf(row))) continue
      owned.set(keyOf(row), newlyOwned(services, row))
    }
    await Promise.all([...owned.values()].filter(isIdle).map(open))
  }

  const isIdle = ({ carrier, closing, broken }: OwnedCarrier) =>
    carrier === undefined && closing === undefined && (broken === undefined || clock.now() >= broken.untilMs)

  async function open(entry: OwnedCarrier): Promise<void> {
    try {
      const { routes } = entry
      await routes.open()
      const found = await readCarrier(services, entry)
      if (found === undefined || owned.get(entry.key) !== entry) return
      const { row, links, ...inbound } = found
      const settings = reachable(settingsOf(services, kindOf(row), row, entry.scope), services)
      if (typeof settings === 'string') return breakOff(entry, settings)
      // Before the first text can come: who takes over from a process that was killed keeps the era where links were open.
      await reporter.write([
        { scope: entry.scope, id: entry.id, opening: entry, reports: openingReports(links, clock.now()) },
      ])
      if (owned.get(entry.key) !== entry) return
      const carrier = (kindOf(row) as CarrierKind).open(settings, {
        context: carrierContext(entry.id, services, routes),
        tenantId: entry.scope.tenantId,
        carrierId: entry.id,
        queue: submitQueue(entry.id),
        allow: allowedRanges(services.egress.allow),
        ...inbound,
        changed() {
          forgetDirectory(db, entry.scope.tenantId)
          reporter.soon()
        },
      })
      entry.version = row.settings_version
      entry.broken = undefined
      entry.carrier = carrier
      entry.queue = queues.start(submitQueueOf(entry.id, carrier, services, { routes }))
    } catch (error) {
      if (owned.get(entry.key) !== entry) return
      log.error({ err: error, carrier: entry.id }, 'a carrier could not be opened')
      breakOff(entry, 'The server could not open the carrier; see its log.')
    }
  }

  function breakOff(entry: OwnedCarrier, reason: string): void {
    const sinceMs = clock.now()
    entry.broken = { reason, sinceMs, untilMs: sinceMs + brokenMs }
    reporter.soon()
  }

  const kindOf = (row: CarrierRow) => kinds.find(({ name }) => name === row.kind)

  /** Ends the links in order, with their last word written down. */
  async function shut(entry: OwnedCarrier): Promise<void> {
    const { carrier, queue, routes } = entry
    // Both at once: the work of the queue ends when the carrier has answered all it was given, which its end hastens.
    await Promise.all([queue?.stop(), carrier?.close()])
    if (owned.get(entry.key) !== entry) return
    await reporter
      .write(reportsOf([entry]))
      .catch(error => log.warn({ err: error }, 'the end of links could not be written down'))
    await routes.close({ isOwner: true })
    entry.carrier = undefined
    entry.queue = undefined
    // A report that still speaks of these links must not come behind the one of who opens them next.
    await reporter.settled()
  }

  /** Shuts it once all that is under way was answered, unless the process stops. */
  function end(entry: OwnedCarrier, behind = async () => {}): void {
    entry.closing = Promise.race([entry.carrier?.finish(), stopping.promise])
      .then(() => shut(entry))
      .then(behind)
      .catch(error => log.error({ err: error, carrier: entry.id }, 'a carrier was not closed in order'))
      .finally(() => {
        entry.closing = undefined
        services.wake(carrierLinksQueue)
      })
  }

  function reopen(entry: OwnedCarrier, version: number): void {
    entry.broken = undefined
    entry.version = version
    end(entry)
  }

  function release(entry: OwnedCarrier): void {
    end(entry, async () => {
      if (owned.get(entry.key) !== entry || session === undefined) return
      await unlockLinks(session, entry.scope.tenantId, entry.id)
      owned.delete(entry.key)
    })
  }

  return {
    round,
    async close(): Promise<void> {
      stopping.resolve()
      reporter.stop()
      await dropping
      await Promise.all([...owned.values()].map(entry => entry.closing ?? shut(entry)))
      const last = session
      session = undefined
      owned.clear()
      // Its end frees the locks.
      await last?.close()
    },
  }
}

/** The settings in full, or why there are none. */
function settingsOf(
  { keyring }: Pick<Services, 'keyring'>,
  kind: CarrierKind | undefined,
  row: CarrierRow,
  { tenantId }: Scope,
): Settings | string {
  if (kind === undefined) return `This server knows no carriers of the kind ${row.kind}.`
  try {
    const secrets = openSecrets(secretsOf(keyring, tenantId, row.id), row.secrets)
    return completeSettings(kind.settings as unknown as SettingsSchema, { ...row.settings, ...secrets })
  } catch {
    return 'The stored password cannot be read by this server. Enter it again.'
  }
}

/**
 * The carrier, and how the process before has left it; undefined where nobody is to open it. An era belongs to one process after
 * another until one of them ends in order, with all links stopped: that one's texts will not be repeated, and the next era begins.
 */
async function readCarrier({ db, clock }: Pick<Services, 'db' | 'clock'>, { scope, id }: OwnedCarrier) {
  return db.inTenant(scope, async tx => {
    const [row, links] = await Promise.all([findCarrier(tx, scope, id), listLinks(tx, scope, [id])])
    if (row === undefined || !row.enabled) return undefined
    const running = links.filter(link => link.state !== 'stopped').map(link => Date.parse(link.updated_at))
    const lastMs = running.length === 0 ? null : Math.max(...running)
    const crashedAtMs = lastMs !== null && clock.now() - lastMs < crashMs ? lastMs : null
    if (crashedAtMs !== null) {
      const storedBefore = await listInboundReferences(tx, scope, id, crashedAtMs - storedBeforeMs)
      return { row, links, era: row.inbound_era, crashedAtMs, storedBefore }
    }
    const era = randomToken(6)
    await renewEra(tx, scope, id, era)
    return { row, links, era, crashedAtMs, storedBefore: [] }
  })
}

/** The reports of each carrier; of one that could not be opened, why. */
function reportsOf(entries: Iterable<OwnedCarrier>): CarrierReport[] {
  return [...entries].flatMap(({ scope, id, carrier, broken }): CarrierReport[] => {
    if (carrier !== undefined) return [{ scope, id, opening: carrier, reports: carrier.reports() }]
    return broken === undefined ? [] : [{ scope, id, opening: broken, reports: [brokenLink(broken)] }]
  })
}

const brokenLink = ({ reason, sinceMs }: { reason: string; sinceMs: number }): LinkReport => ({
  ...firstLink,
  state: 'down',
  stateSinceMs: sinceMs,
  lastError: reason,
})

/** What stands of links that are about to be opened: those there were, or one that stands for all. */
function openingReports(links: readonly Pick<LinkReport, 'link' | 'role'>[], nowMs: number): LinkReport[] {
  const before = links.length === 0 ? [firstLink] : links
  return before.map(({ link, role }) => ({
    ...firstLink,
    link,
    role,
    state: 'connecting',
    stateSinceMs: nowMs,
    lastError: null,
  }))
}

/** Of a carrier whose links are not known yet. */
const firstLink = {
  link: 0,
  role: 'transceiver' as const,
  counters: {
    submitted: 0,
    accepted: 0,
    throttled: 0,
    refused: 0,
    unanswered: 0,
    receipts: 0,
    inbound: 0,
    binds: 0,
  },
}
