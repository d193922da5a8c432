// What happens to events behind the requests that caused them: they are sent to webhooks and callback URLs, owners hear of
// webhooks that fail, by events at once and by mails some minutes later, and old deliveries are forgotten.

import type { Scope, Tx } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { JobMaker, QueueMaker } from '../../kernel/jobs/background.ts'
import type { QueueOptions } from '../../kernel/jobs/queue.ts'
import { crashPoint } from '../../kernel/values/crash_points.ts'
import type { WebhookActions } from './bookkeeping.ts'
import type { Lane } from './lane.ts'
import { writeDueMails } from './mails.ts'
import { presentWebhook } from './present.ts'
import { type DisabledReason, disableAfterMs, noticeHours, tenantConcurrency } from './rules.ts'
import { createSender, type SenderOptions } from './sender.ts'
import { claimLanes, type LeasedLane, purgeListeners, purgeWebhooks, queueName } from './sender_store.ts'
import { changeWebhook, findWebhook, lockWebhook, takeNotice } from './store.ts'

/** Longer than a lane is held and a call lasts: a lease that ended means that the process did. */
const leaseSeconds = 45
const lanesAClaim = 100
const pollMs = 100

/** Queue `webhooks`: leases lanes with something due and hands them to the sender, which works by itself. */
export function sendWebhooks(options: SenderOptions & { leaseSeconds?: number } = {}): QueueMaker {
  return (services): QueueOptions<LeasedLane> => {
    const { db, clock } = services
    const sender = createSender(services, webhookActions(services), options)
    let restUntilMs = 0
    return {
      name: queueName,
      batch: lanesAClaim,
      lanes: 1,
      pollMs,
      async claim(token, limit) {
        const startedMs = performance.now()
        const maxLanes = Math.min(limit, sender.room())
        if (maxLanes === 0 || startedMs < restUntilMs) return []
        const lease = options.leaseSeconds ?? leaseSeconds
        const claim = { token, maxLanes, tenantSlots: tenantConcurrency, leaseSeconds: lease, nowMs: clock.now() }
        const lanes = await claimLanes(db, claim)
        if (lanes.length > 0) crashPoint('webhooks.claimed')
        // With very many lanes that wait, looking through them must not be all there is done.
        const tookMs = performance.now() - startedMs
        restUntilMs = lanes.length === 0 && tookMs > 20 ? performance.now() + 4 * tookMs : 0
        return lanes
      },
      async work(lanes, token) {
        sender.take(lanes, token)
      },
      closed: () => sender.close(),
    }
  }
}

function webhookActions(services: Services): WebhookActions {
  return {
    async disable(lane, url) {
      await services.db.inTenant(scopeOf(lane), tx => disable(tx, lane, 'gone', url))
    },
    async sendNotice(lane, notice) {
      const scope = scopeOf(lane)
      await services.db.inTenant(scope, async tx => {
        if (!(await takeNotice(tx, scope, lane.lane, notice))) return
        if (notice >= noticeHours.length) return disable(tx, lane, 'failing')
        const webhook = await lockWebhook(tx, scope, lane.lane)
        if (webhook === undefined || webhook.failing_since === null) return
        const disablesAt = new Date(Date.parse(webhook.failing_since) + disableAfterMs).toISOString()
        const { mode } = lane.target!
        const hours = noticeHours[notice - 1]!
        const data = { ...presentWebhook(webhook, { mode }), failingForHours: hours, disablesAt }
        await emit(tx, scope, { type: 'webhook.failing', resourceId: webhook.id, data })
      })
    },
  }
}

function scopeOf({ tenantId, target }: Lane): Scope {
  return { tenantId, organizationId: target!.organizationId }
}

/** @param url only while it has this address */
async function disable(tx: Tx, lane: Lane, reason: DisabledReason, url?: string): Promise<void> {
  const scope = scopeOf(lane)
  const { mode } = lane.target!
  const locked = await lockWebhook(tx, scope, lane.lane)
  if (!locked?.enabled) return
  if (url !== undefined && URL.parse(locked.url)?.href !== url) return
  await changeWebhook(tx, scope, locked.id, { enabled: false }, reason)
  const webhook = (await findWebhook(tx, scope, locked.id))!
  await emit(tx, scope, { type: 'webhook.disabled', resourceId: locked.id, data: presentWebhook(webhook, { mode }) })
}

/** Writes to people about what fails and what was disabled: all that a run finds in one mail of each kind. */
export const mailAboutWebhooks: JobMaker = services => ({
  name: 'mail_about_webhooks',
  cron: '*/5 * * * *',
  run: () => writeDueMails(services),
})

const rowsAtOnce = 5_000

/** Deliveries are kept as the retention of their organization says, while their webhook stands; what was forwarded to a listener for a week after its end. */
export const purgeOldDeliveries: JobMaker = ({ db, log, retention }) => ({
  name: 'purge_webhook_deliveries',
  cron: '41 * * * *',
  async run() {
    let gone = 0
    for (;;) {
      const count = await purgeWebhooks(db, retention.webhook_deliveries.days, rowsAtOnce)
      gone += count
      if (count < rowsAtOnce) break
    }
    while ((await purgeListeners(db, rowsAtOnce)) === rowsAtOnce);
    log.info({ rows: gone }, 'purged old deliveries of webhooks')
  },
})
