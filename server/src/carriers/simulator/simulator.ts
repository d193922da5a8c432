// The carrier that reaches no phone: it accepts at once and reports what would have happened a second later. It carries the test mode, with
// fixed outcomes for known numbers, and as the virtual handset what goes to numbers of the simulator in the live mode of the one who has no
// carrier: nothing else, for there nobody would get it. What it will report is stored when it accepts, so a restart changes nothing.
import type { QueueOptions } from '../../kernel/jobs/queue.ts'
import type {
  Carrier,
  CarrierContext,
  CarrierMaker,
  InboundMessage,
  PartResult,
  Receipt,
  Submission,
} from '../../modules/messaging/carrier.ts'
import { type Emission, handsetScript, type Script, scriptOf } from './script.ts'
import { claimPlans, type DueRow, insertPlans, type Plan, type PlannedItem, removePlans } from './store.ts'

export type SimulatorOptions = {
  /** `simulator` when not said. */
  name?: string
  /** Whether the numbers with fixed outcomes have them; else it is the virtual handset, which has those numbers and no others. */
  scripted?: boolean
  /** How many times faster than life: 50 lets a second pass in 20 ms. For tests. */
  speed?: number
}

const receiptTimeoutMs = 60_000
const leaseMs = 30_000

export function createSimulatorCarrier(options: SimulatorOptions = {}): CarrierMaker {
  const { name = 'simulator', scripted = true, speed = 1 } = options
  const scriptFor = scripted ? scriptOf : handsetScript
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
      receiptTimeoutMs: receiptTimeoutMs / speed,
      onlyTests: scripted,
      room: () => Number.POSITIVE_INFINITY,
      async submit(batch, settle) {
        const scripts = batch.map(submission => scriptFor(submission.to, submission.attempt))
        const plans = planOf(batch, scripts, speed)
        await insertPlans(context.db, name, plans)
        for (const delayMs of new Set(plans.map(plan => plan.delayMs))) wakeIn(delayMs)
        await emitEarly(context, batch, scripts)
        for (const [index, submission] of batch.entries())
          settle(index, resultsOf(submission, scripts[index] as Script, speed))
      },
      async close() {
        for (const timer of timers) clearTimeout(timer)
      },
    }
  }

  return { name, open, queues: [context => emitLoop(context, { queue, carrier: name, speed })] }
}

/** The carrier's own id of a part. */
function carrierIdOf({ messageId, segments }: Submission, part: number): string {
  const id = `sim_${messageId.slice(messageId.indexOf('_') + 1)}`
  return segments === 1 ? id : `${id}.${part}`
}

function resultsOf(submission: Submission, script: Script, speed: number): PartResult[] {
  return submission.parts.map(part => resultOf(submission, part, script, speed))
}

function resultOf(submission: Submission, part: number, script: Script, speed: number): PartResult {
  switch (script.answer) {
    case 'accepted':
      return { part, outcome: 'accepted', carrierMessageId: carrierIdOf(submission, part) }
    case 'throttled':
      return { part, outcome: 'throttled', retryAfterMs: script.retryAfterMs / speed }
    case 'refused':
      return { part, outcome: 'refused', code: script.code }
  }
}

/** What is to be emitted of a batch: one plan for each tenant and delay. */
function planOf(batch: readonly Submission[], scripts: readonly Script[], speed: number): Plan[] {
  const plans = new Map<string, Plan>()
  for (const [index, submission] of batch.entries()) {
    const script = scripts[index] as Script
    if (script.answer !== 'accepted' || script.early) continue
    for (const emission of script.emissions) {
      // Nobody can write back to a name.
      if ('reply' in emission && /[a-z]/i.test(submission.from)) continue
      const { tenantId } = submission
      const delayMs = emission.afterMs / speed
      const key = `${tenantId} ${delayMs}`
      const plan = plans.get(key) ?? { tenantId, delayMs, items: [] }
      plan.items.push(...itemsOf(submission, emission))
      plans.set(key, plan)
    }
  }
  return [...plans.values()]
}

/** One receipt for each part; a reply is one. */
function itemsOf(submission: Submission, emission: Emission): PlannedItem[] {
  if ('reply' in emission) {
    const { from, to } = submission
    const reference = `${carrierIdOf(submission, 1)}.${emission.reply}`
    return [{ inbound: { reference, from: to, to: from, body: emission.reply } }]
  }
  const { receipt, code } = emission
  const { messageId } = submission
  return submission.parts.map(part => ({
    receipt: { carrierMessageId: carrierIdOf(submission, part), messageId, status: receipt, ...(code && { code }) },
  }))
}

/** Receipts that overtake the answer to their submission. */
async function emitEarly(
  context: CarrierContext,
  batch: readonly Submission[],
  scripts: readonly Script[],
): Promise<void> {
  const receipts = batch.flatMap((submission, index) => {
    const script = scripts[index] as Script
    if (script.answer !== 'accepted' || !script.early) return []
    return script.emissions.flatMap(emission => {
      const { tenantId } = submission
      return itemsOf(submission, emission).flatMap(item => ('receipt' in item ? [{ ...item.receipt, tenantId }] : []))
    })
  })
  if (receipts.length > 0) await context.receiveReceipts(receipts)
}

/** Emits what is due. Emitted twice after a crash, it is known the second time. */
function emitLoop(
  context: CarrierContext,
  { queue, carrier, speed }: { queue: string; carrier: string; speed: number },
): QueueOptions<DueRow> {
  const { db, testPace } = context
  return {
    name: queue,
    batch: 20,
    pollMs: Math.max(250 / speed, 20),
    // Beside live mode one plan at a time: it is as large as what was handed over at once.
    claim: (token, limit) => claimPlans(db, carrier, { token, limit: testPace.isHeld() ? 1 : limit, leaseMs }),
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
