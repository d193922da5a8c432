// The queue of mails: leases what is due, tenant after tenant, hands it over, and writes down what came of it. No batch waits for
// another: a slow server holds up the mails of its own tenant alone.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { JobMaker, QueueMaker } from '../../../kernel/jobs/background.ts'
import type { QueueOptions } from '../../../kernel/jobs/queue.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { createSemaphore } from '../../../kernel/values/semaphore.ts'
import { createPools, type Given, type Patience, type Route, type SendResult } from '../transports/index.ts'
import { mailMeter } from './meters.ts'
import { type Answered, type Batch, batchesOf, beginBatch, endBatch, handOver } from './sending.ts'
import { type ClaimedMail, claimMails, mailQueue, purgeMails, renewMails } from './sending_store.ts'

/** A lease that ended means that its process did: what is under way renews it. */
const leaseSeconds = 60
/** Mails under way at once, in all and of one tenant. */
const maxMails = 500
const tenantRoom = 50
/** Answers that come one by one are gathered this long before they are written down. */
const gatherMs = 5
const writeTries = 5

export type SendMailsOptions = {
  leaseSeconds?: number
  /** How long servers are waited for. */
  patience?: Patience
}

/** Queue `mails`. */
export function sendMails(options: SendMailsOptions = {}): QueueMaker {
  return (services): QueueOptions<ClaimedMail> => {
    const { db, log, wake } = services
    const lease = options.leaseSeconds ?? leaseSeconds
    const load = createLoad()
    const underWay = new Set<Promise<void>>()
    let behindTenant = 0
    const pools = createPools(services, options.patience)
    const outbox = createSemaphore({ permits: 2 })
    const send = async (route: Route, mail: Given): Promise<SendResult> => {
      if (route.kind === 'outbox') throw new Error('what stays in the outbox is not sent')
      // Of the transports of organizations no two have one key.
      return pools.send(route.key, route.smtp, mail)
    }
    const ways = { send, keep: outbox.run, db, log, tracer: services.tracer }

    async function run(batch: Batch): Promise<void> {
      const { tenantId } = batch.scope
      let left = batch.ids.length
      const done = (by: number) => {
        left -= by
        load.add(tenantId, -by)
      }
      load.add(tenantId, left)
      const renewal = setInterval(
        () => {
          renewMails(db, batch.token, lease).catch(error =>
            log.warn({ err: error }, 'a lease of mails could not be renewed'),
          )
        },
        (lease * 1_000) / 3,
      )
      try {
        const outgoing = await beginBatch(services, batch)
        crashPoint('mail.claimed')
        done(left - outgoing.length)
        await settleAll(
          services,
          batch,
          outgoing.map(mail => handOver(mail, ways)),
          done,
        )
      } catch (error) {
        log.error({ err: error, tenantId }, 'mails could not be handed over')
      } finally {
        clearInterval(renewal)
        load.add(tenantId, -left)
        wake(mailQueue)
      }
    }

    return {
      name: mailQueue,
      batch: 1,
      async claim(token) {
        const limit = maxMails - load.count()
        if (limit <= 0) return []
        const claim = { token, limit, tenantRoom, leaseSeconds: lease, behindTenant, busy: load.byTenant }
        const rows = await claimMails(db, claim)
        behindTenant = rows.length === 0 ? 0 : rows.at(-1)!.tenant_id
        return rows
      },
      async work(rows, token) {
        for (const batch of batchesOf(rows, token)) {
          const running = run(batch).finally(() => underWay.delete(running))
          underWay.add(running)
        }
      },
      // What was not begun is given back; what is under way has its answer first.
      stopping: () => pools.close(),
      async closed() {
        await Promise.all(underWay)
      },
    }
  }
}

/** How many mails are under way here, of each tenant and in all. */
function createLoad() {
  const byTenant = new Map<number, number>()
  let count = 0
  return {
    byTenant,
    count: () => count,
    add(tenantId: number, by: number) {
      count += by
      const now = (byTenant.get(tenantId) ?? 0) + by
      if (now === 0) byTenant.delete(tenantId)
      else byTenant.set(tenantId, now)
    },
  }
}

/** Writes answers down as they come, those that come together in one transaction. */
async function settleAll(
  services: Services,
  batch: Batch,
  handovers: readonly Promise<Answered>[],
  done: (by: number) => void,
): Promise<void> {
  const attempts = mailMeter(services.metrics)
  let ready: Answered[] = []
  let timer: NodeJS.Timeout | undefined
  const writes: Promise<void>[] = []
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const answers = ready
    ready = []
    if (answers.length === 0) return
    const writing = write(services, batch, answers)
    for (const { result } of answers) attempts.inc({ outcome: result.outcome })
    // Its failure is reported below, where all are waited for.
    writing.then(() => done(answers.length)).catch(() => {})
    writes.push(writing)
  }
  await Promise.all(
    handovers.map(async handover => {
      const answer = await handover
      // Not before: what was gathered meanwhile may be on its way already.
      ready.push(answer)
      crashPoint('mail.sent')
      timer ??= setTimeout(flush, gatherMs)
    }),
  )
  flush()
  await Promise.all(writes)
}

/** An answer is worth some patience: unwritten, its mail would end unconfirmed although the server has spoken. */
async function write(services: Services, batch: Batch, answers: readonly Answered[]): Promise<void> {
  const { log } = services
  for (let attempt = 1; ; attempt++) {
    try {
      await endBatch(services, batch, answers)
      crashPoint('mail.committed')
      return
    } catch (error) {
      if (attempt === writeTries) throw error
      log.warn({ err: error, mails: answers.length }, 'could not store what came of mails; trying again')
      await new Promise(resolve => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }
}

const keptMs = 90 * 24 * 3_600_000
const rowsAtOnce = 1_000

/** Mails are kept for 90 days. */
export const purgeOldMails: JobMaker = ({ db, clock, log }) => ({
  name: 'purge_mails',
  cron: '23 * * * *',
  async run() {
    const before = isoMs(clock.now() - keptMs)
    let gone = 0
    for (;;) {
      const count = await purgeMails(db, before, rowsAtOnce)
      gone += count
      if (count < rowsAtOnce) break
    }
    if (gone > 0) log.info({ rows: gone }, 'purged old mails')
  },
})
