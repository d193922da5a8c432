// The carrier that reaches no phone: it accepts at once and tells what would have happened a second later. It carries the
// test mode, with fixed outcomes for known numbers, and as the virtual handset the live mode of whoever has no carrier yet.
// What it will tell is stored when it accepts, so a restart changes nothing.
import { Type } from 'typebox'
import type { QueueOptions } from '../../kernel/queue.ts'
import type {
  Carrier,
  CarrierContext,
  CarrierMaker,
  InboundMessage,
  Receipt,
  Submission,
  SubmitResult,
} from '../../modules/messaging/carrier.ts'
import { type Script, scriptOf, switchedOn, type Told } from './script.ts'
import { claimPlans, type DueRow, insertPlans, type Plan, type PlannedItem, removePlans } from './store.ts'

export type SimulatorOptions = {
  /** `simulator` when not said. */
  name?: string
  /** Whether the numbers with fixed outcomes have them; else every recipient is a phone that is switched on. */
  scripted?: boolean
  /** How many times faster than life: 50 lets a second pass in 20 ms. For tests. */
  speed?: number
}

const receiptTimeoutSeconds = 60

const Settings = Type.Object({
  receiptTimeoutSeconds: Type.Integer({
    minimum: 1,
    default: receiptTimeoutSeconds,
    description: 'After this long without a receipt a message is unconfirmed.',
  }),
})

const leaseMs = 30_000

export function createSimulatorCarrier(options: SimulatorOptions = {}): CarrierMaker {
  const { name = 'simulator', scripted = true, speed = 1 } = options
  const scriptFor = scripted ? scriptOf : () => switchedOn
  const queue = `receipts_${name}`

  function open(context: CarrierContext): Carrier {
    const timers = new Set<NodeJS.Timeout>()

    /** Looks for what is due right when it is, instead of at the next poll. */
    function wakeIn(delayMs: number): void {
      const timer = setTimeout(() => {
        timers.delete(timer)
        context.wake(queue)
      }, delayMs + 5)
      timer.unref()
      timers.add(timer)
    }

    return {
      receiptTimeoutMs: (receiptTimeoutSeconds * 1_000) / speed,
      async submit(batch) {
        const scripts = batch.map(submission => scriptFor(submission.to, submission.attempt))
        const plans = planOf(batch, scripts, speed)
        await insertPlans(context.db, name, plans)
        for (const delayMs of new Set(plans.map(plan => plan.delayMs))) wakeIn(delayMs)
        await tellEarly(context, batch, scripts)
        return batch.map((submission, index) => resultOf(submission, scripts[index] as Script, speed))
      },
      async close() {
        for (const timer of timers) clearTimeout(timer)
      },
    }
  }

  return { name, settings: Settings, open, queues: [context => tellLoop(context, { queue, carrier: name, speed })] }
}

/** The carrier's own id of a message. */
function carrierIdOf({ messageId }: Submission): string {
  return `sim_${messageId.slice(messageId.indexOf('_') + 1)}`
}

function resultOf(submission: Submission, script: Script, speed: number): SubmitResult {
  switch (script.answer) {
    case 'accepted':
      return { outcome: 'accepted', carrierMessageId: carrierIdOf(submission) }
    case 'throttled':
      return { outcome: 'throttled', retryAfterMs: script.retryAfterMs / speed }
    case 'refused':
      return { outcome: 'refused', code: script.code }
  }
}

/** What is to be told of a batch: one plan for each tenant and delay. */
function planOf(batch: readonly Submission[], scripts: readonly Script[], speed: number): Plan[] {
  const plans = new Map<string, Plan>()
  for (const [index, submission] of batch.entries()) {
    const script = scripts[index] as Script
    if (script.answer !== 'accepted' || script.early) continue
    for (const told of script.told) {
      // Nobody can write back to a name.
      if ('reply' in told && /[a-z]/i.test(submission.from)) continue
      const { tenantId } = submission
      const delayMs = told.afterMs / speed
      const key = `${tenantId} ${delayMs}`
      const plan = plans.get(key) ?? { tenantId, delayMs, items: [] }
      plan.items.push(itemOf(submission, told))
      plans.set(key, plan)
    }
  }
  return [...plans.values()]
}

function itemOf(submission: Submission, told: Told): PlannedItem {
  const carrierMessageId = carrierIdOf(submission)
  if ('reply' in told) {
    const { from, to } = submission
    return { inbound: { reference: `${carrierMessageId}.${told.reply}`, from: to, to: from, body: told.reply } }
  }
  const { receipt, code } = told
  return { receipt: { carrierMessageId, messageId: submission.messageId, status: receipt, ...(code && { code }) } }
}

/** Receipts that overtake the answer to their submission. */
async function tellEarly(
  context: CarrierContext,
  batch: readonly Submission[],
  scripts: readonly Script[],
): Promise<void> {
  const receipts = batch.flatMap((submission, index) => {
    const script = scripts[index] as Script
    if (script.answer !== 'accepted' || !script.early) return []
    return script.told.flatMap(told => {
      const item = itemOf(submission, told)
      return 'receipt' in item ? [{ ...item.receipt, tenantId: submission.tenantId }] : []
    })
  })
  if (receipts.length > 0) await context.receiveReceipts(receipts)
}

/** Tells what is due. Told twice after a crash, it is known the second time. */
function tellLoop(
  context: CarrierContext,
  { queue, carrier, speed }: { queue: string; carrier: string; speed: number },
): QueueOptions<DueRow> {
  const { db } = context
  return {
    name: queue,
    batch: 20,
    pollMs: Math.max(250 / speed, 20),
    claim: (token, limit) => claimPlans(db, carrier, { token, limit, leaseMs }),
    async work(rows, token) {
      const receipts: Receipt[] = []
      const inbound: InboundMessage[] = []
      for (const { tenant_id: tenantId, due_at: at, items } of rows) {
        for (const item of items) {
          if ('receipt' in item) receipts.push({ ...item.receipt, tenantId, at })
          else inbound.push({ ...item.inbound, tenantId })
        }
      }
      await context.receiveReceipts(receipts)
      await context.receiveInbound(inbound)
      await removePlans(db, token)
    },
  }
}
