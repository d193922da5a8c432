// What an engine has prepared of calls and is to dial once their transaction has committed. Of a call whose transaction failed nobody asks
// again, unless it is prepared again: what is too old is forgotten.

/** Between the two moments of a call there is one commit. */
const planMs = 60_000

export type Plans<Plan> = {
  /** In the place of what was kept of the call before. */
  keep(callId: string, plan: Plan): void
  /** Once. */
  take(callId: string): Plan | undefined
  readonly size: number
}

export function createPlans<Plan>(now: () => number): Plans<Plan> {
  const plans = new Map<string, { plan: Plan; atMs: number }>()
  return {
    keep(callId, plan) {
      const atMs = now()
      // In the order in which they were kept.
      for (const [id, { atMs: keptMs }] of plans) {
        if (atMs - keptMs < planMs) break
        plans.delete(id)
      }
      plans.delete(callId)
      plans.set(callId, { plan, atMs })
    },
    take(callId) {
      const plan = plans.get(callId)?.plan
      plans.delete(callId)
      return plan
    },
    get size() {
      return plans.size
    },
  }
}
