// The simulated voice engine: carries calls of test tenants, and live ones while no real engine is there. Nothing of a
// call is kept in memory. When it is dialled, all that will happen to it is written down as timed steps; a leased
// queue plays them, so a call goes on after a restart, on whichever process looks first.
import type { QueueMaker } from '../../kernel/background.ts'
import { inEachTenant, receiveCallEvents } from '../../modules/voice/calls/index.ts'
import type { CallReport, EngineCall, VoiceEngineMaker } from '../../modules/voice/engine.ts'
import { scriptFor } from './scripts.ts'
import { claimSteps, type DueStep, insertSteps, type NewStep, removeSteps, takeSteps } from './store.ts'

const queueName = 'simulator_call_steps'
const leaseSeconds = 15

export type SimulatorOptions = {
  /** How much faster than real time its calls go; 1 when not said. */
  speed?: number
}

/** The engine. Its calls have no owner: any process that runs the queue goes on with them. */
export function simulatorEngine({ speed = 1 }: SimulatorOptions = {}): VoiceEngineMaker {
  return ({ db, wake }) => ({
    name: 'simulator',
    virtual: true,
    owner: null,
    prepare: (tx, scope, calls) =>
      insertSteps(
        tx,
        scope,
        calls.flatMap(call => stepsOf(call, speed)),
      ),
    async originate() {
      wake(queueName)
    },
    hangup: call => db.inTenant(call, tx => removeSteps(tx, call, [call.callId])),
  })
}

function stepsOf(call: EngineCall, speed: number): NewStep[] {
  return scriptFor(call).map(({ afterSeconds, happening }, position) => ({
    call_id: call.callId,
    position,
    delay_ms: Math.round((afterSeconds * 1000) / speed),
    happening,
  }))
}

/**
 * Queue `simulator_call_steps`: plays what is due. The step goes and the call changes in one transaction, so each step
 * is played exactly once; it counts as of its due time, however late it is played.
 */
export const playCallSteps: QueueMaker = ({ db, wake }) => ({
  name: queueName,
  claim: (token, limit) => claimSteps(db, token, limit, leaseSeconds),
  async work(rows: DueStep[], token: string) {
    const { faults } = await inEachTenant(db, rows, async (tx, scope, group) => {
      const steps = await takeSteps(
        tx,
        scope,
        token,
        group.map(row => row.call_id),
      )
      const reports = steps.map(
        (step): CallReport => ({ callId: step.call_id, atMs: Date.parse(step.due_at), happening: step.happening }),
      )
      const { over } = await receiveCallEvents(tx, scope, reports)
      if (over.length > 0) await removeSteps(tx, scope, over)
    })
    // The next step of a call can only be claimed now, and after a standstill it is due already.
    wake(queueName)
    if (faults.length > 0) throw faults[0]
  },
})
