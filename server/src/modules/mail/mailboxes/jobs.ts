// Reads mailboxes, each in one process at a time: the one that holds its lease, which it renews while it reads. What a process leaves behind
// when it dies is another's as soon as the lease has ended. Where there are more than a process holds at once, those that wait for news make
// room for those that are due, and are due themselves after a while.
import type { Db } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { type Patience, readMailbox, patience as usualPatience } from './reading.ts'
import { claimMailboxes, type LeasedMailbox, mailboxes, releaseMailbox, renewMailboxes } from './store.ts'

/** The name of the queue, to wake it. */
export const mailboxQueue = 'mailboxes'

/** Held at once by one process. */
const usualMost = 100
const [firstWait, longestWait] = [15, 900]

export type ReadMailboxesOptions = { leaseSeconds?: number; patience?: Patience; maxMailboxes?: number }

type Held = {
  row: LeasedMailbox
  token: string
  version: number | undefined
  abort: AbortController
  isLost: boolean
  /** Looked into, and waited on: it can make room. */
  isWaiting: boolean
  /** It made room for another. */
  hasYielded: boolean
}

export function readMailboxes({
  leaseSeconds = 20,
  patience = usualPatience,
  maxMailboxes = usualMost,
}: ReadMailboxesOptions = {}): QueueMaker {
  return services => {
    const { db, log } = services
    const yields = services.metrics.counter(
      'tandem_mailbox_yields_total',
      'Mailboxes that were given back so that others are read: there are more than the processes hold at once, so new mails come later.',
    )
    // In the order in which they were taken.
    const held = new Set<Held>()
    const keepers = () => [...held].filter(one => !one.hasYielded)
    const waiting = () => keepers().filter(one => one.isWaiting && !one.abort.signal.aborted)
    const running = new Set<Promise<void>>()

    const renewal = setInterval(
      () =>
        renew(db, held, leaseSeconds).catch(error =>
          log.warn({ err: error }, 'leases of mailboxes could not be renewed'),
        ),
      (leaseSeconds * 1_000) / 4,
    )

    return {
      name: mailboxQueue,
      batch: 10,
      lanes: 1,
      pollMs: 1_000,
      async claim(token, limit) {
        const room = Math.min(limit, maxMailboxes - keepers().length + waiting().length)
        return room <= 0 ? [] : claimMailboxes(db, { token, limit: room, leaseSeconds })
      },
      async work(rows: LeasedMailbox[], token, isStopping) {
        makeRoom(keepers().length + rows.length - maxMailboxes)
        for (const row of rows) start(row, token, isStopping)
      },
      stopping() {
        for (const { abort } of held) abort.abort()
      },
      async closed() {
        clearInterval(renewal)
        await Promise.all(running)
      },
    }

    /** Those that were taken first are given back. */
    function makeRoom(count: number): void {
      for (const one of waiting().slice(0, Math.max(0, count))) {
        one.hasYielded = true
        one.abort.abort()
        yields.inc()
      }
    }

    function start(row: LeasedMailbox, token: string, isStopping: () => boolean): void {
      const abort = new AbortController()
      const one: Held = { row, token, version: undefined, abort, isLost: false, isWaiting: false, hasYielded: false }
      // Claimed while the queue was asked to stop: given back at once.
      if (isStopping()) one.abort.abort()
      held.add(one)
      const run = read(services, one, patience)
        .catch((error: unknown) => reportLost(services, row, error))
        .finally(() => {
          held.delete(one)
          running.delete(run)
        })
      running.add(run)
    }
  }
}

async function renew(db: Db, held: ReadonlySet<Held>, leaseSeconds: number): Promise<void> {
  for (const token of new Set([...held].map(one => one.token))) {
    const mine = await renewMailboxes(db, token, leaseSeconds)
    for (const one of [...held].filter(each => each.token === token)) {
      const now = mine.find(({ tenant_id, id }) => tenant_id === one.row.tenant_id && id === one.row.id)
      // Stopped, deleted, changed, or another's: the next one begins with what is so now.
      if (now === undefined) one.isLost = true
      if (now === undefined || (one.version !== undefined && now.version !== one.version)) one.abort.abort()
    }
  }
}

/** Until it is to end or fails; then it is given back. */
async function read(services: Services, one: Held, patience: Patience): Promise<void> {
  const { db, log } = services
  const { row, token, abort } = one
  const scope = { tenantId: row.tenant_id, organizationId: row.organization_id }
  let fault: string | null = null
  let failures = 0
  try {
    const mailbox = await db.inTenant(scope, tx => mailboxes.find(tx, scope, row.id))
    if (mailbox === undefined) return
    one.version = mailbox.version
    failures = mailbox.failures
    const waits = (isWaiting: boolean) => {
      one.isWaiting = isWaiting
    }
    await readMailbox(mailbox, { services, scope, token, patience, signal: abort.signal, waits })
  } catch (error) {
    fault = (error as Error).message.slice(0, 500)
    log.warn({ mailboxId: row.id, err: error }, 'a mailbox cannot be read')
  }
  if (one.isLost) return
  const pauseSeconds = one.hasYielded ? patience.pollMs / 1_000 : 0
  const afterSeconds = fault === null ? pauseSeconds : Math.min(longestWait, firstWait * 2 ** Math.min(failures, 10))
  await db.inTenant(scope, tx => releaseMailbox(tx, scope, { id: row.id, token }, { fault, afterSeconds }))
}

/** Its lease ends by itself. */
function reportLost({ log }: Pick<Services, 'log'>, { id }: LeasedMailbox, error: unknown): void {
  log.error({ mailboxId: id, err: error }, 'a mailbox could not be given back')
}
