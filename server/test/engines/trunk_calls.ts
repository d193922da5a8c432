// For tests of calls over SIP trunks: an application that carries calls, carriers that a test opens, and trunks that are gone after
// it.
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../eventually.ts'
import { startTestApp } from '../harness.ts'
import { callIn, startCall } from '../voice/calls.ts'
import { type Carrier, sipEnv, startCarrier } from './sip_carrier.ts'

export const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

export const to = '+15550100002'

export async function startTrunkCalls() {
  const t = await startTestApp({ work: true, env: sipEnv })
  const carriers: Carrier[] = []
  after(async () => {
    await t.close()
    await Promise.all(carriers.map(carrier => carrier.close()))
  })
  const open = async (options: Parameters<typeof startCarrier>[0] = {}) => {
    const carrier = await startCarrier(options)
    carriers.push(carrier)
    return carrier
  }

  const live = () => t.main.liveKey

  /** Trunks of a test are gone after it; the next call takes its own. */
  async function withTrunks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    await eventually(
      'the trunks',
      async () =>
        (await t.ownerSql('select 1 from trunk_states where trunk_id = any($1)', [ids])).length === ids.length,
    )
    try {
      return await work()
    } finally {
      for (const id of ids) await t.call('DELETE', `/v2/voice/trunks/${id}`, { as: t.main.tokens.Admin })
      await sleep(1_300)
    }
  }

  const dial = async (number = to) => callIn(t, await startCall(t, number, {}, live()), over, live(), 20_000)

  return { t, open, live, withTrunks, dial }
}
