// One call by its trunks, where the time that it may ring passes while the next one is being prepared: what is over is not dialled,
// and what is being dialled in that moment is ended.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { EngineCall } from '../../modules/voice/engine/index.ts'
import { type Dialling, dialByTrunks } from './dial.ts'
import type { Attempt, HeldTrunk, Outcome, Plan } from './driver.ts'

const refused: Outcome = { type: 'refused', response: { sipStatus: 503, heard18x: false } }
const ringsMs = 200

/** Two trunks, of which the first refuses; what was dialled, ended and reported. */
async function dialled(waits: { admittingMs?: number; storingMs: number; openingMs: number }) {
  const seen: string[] = []
  let asked = 0
  const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
  const first: Plan = {
    stored: {},
    async dial({ made }) {
      made({ end() {} })
      await sleep(ringsMs / 2)
      return refused
    },
  }
  const second: Plan = {
    stored: {},
    async dial({ made }: Attempt) {
      await sleep(waits.openingMs)
      seen.push('INVITE')
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      made({
        end(q850) {
          seen.push(`end ${q850}`)
          resolve({ type: 'over' })
        },
      })
      return promise
    },
  }
  const trunks = new Map(
    ['a', 'b'].map(id => [
      id,
      {
        id,
        kind: 'sip',
        routes: [],
        load: { active: 0 },
        counters: { calls: 0, active: 0, failed: 0 },
      } as unknown as HeldTrunk,
    ]),
  )
  const services = {
    clock: { now: () => Date.now() },
    log: { error: assert.fail, warn: assert.fail },
    // First its destination policy is asked; then rows are written here, and at the end what is stored is removed.
    db: { inTenant: () => sleep(asked++ === 0 ? (waits.admittingMs ?? 0) : waits.storingMs, 0) },
  } as unknown as Services
  const parts = {
    services,
    trunks: { find: (_tenant: number, id: string) => trunks.get(id) },
    drivers: [{ forget: () => isOver() }],
    driverOf: () => ({ plan: () => second }),
  } as unknown as Dialling
  const call = { callId: 'call_1', to: '+15550100002', timeoutSeconds: ringsMs / 1_000 } as EngineCall
  const plan = { first, firstTrunk: trunks.get('a') ?? null, trunkIds: ['a', 'b'] }
  const leg = dialByTrunks(parts, { tenantId: 1, organizationId: 1 }, call, plan)
  leg.listen(event => void seen.push(event.type === 'ended' ? event.cause : event.type))
  await over
  return seen
}

test('a call that rang too long while the next trunk was stored is not dialled any more', async () => {
  assert.deepEqual(await dialled({ storingMs: ringsMs, openingMs: 0 }), ['rerouted', 'no_answer'])
})

test('one that rang too long while the policy of the next trunk was asked goes nowhere', async () => {
  assert.deepEqual(await dialled({ admittingMs: ringsMs, storingMs: 0, openingMs: 0 }), ['no_answer'])
})

test('one that rang too long while its sound was being opened is ended as soon as it is dialled', async () => {
  assert.deepEqual(await dialled({ storingMs: 0, openingMs: ringsMs }), ['rerouted', 'no_answer', 'INVITE', 'end 19'])
})

test('one whose trunk has other settings by the time it is dialled goes by these', async () => {
  const seen: string[] = []
  const planOf = (name: string): Plan => ({
    stored: { name },
    async dial() {
      seen.push(name)
      return { type: 'refused', response: { sipStatus: 486, heard18x: false } }
    },
  })
  const asSetUp = {
    id: 'a',
    kind: 'sip',
    load: { active: 0 },
    counters: { calls: 0, active: 0, failed: 0 },
  } as unknown as HeldTrunk
  const { promise: over, resolve: isOver } = Promise.withResolvers<void>()
  const parts = {
    services: {
      clock: { now: () => Date.now() },
      log: { error: assert.fail, warn: assert.fail },
      db: { inTenant: async () => 0 },
    },
    trunks: { find: () => ({ ...asSetUp }) },
    drivers: [{ forget: () => isOver() }],
    driverOf: () => ({ plan: () => planOf('new') }),
  } as unknown as Dialling
  const call = { callId: 'call_1', to: '+15550100002', timeoutSeconds: 5 } as EngineCall
  const plan = { first: planOf('old'), firstTrunk: asSetUp, trunkIds: ['a'] }
  dialByTrunks(parts, { tenantId: 1, organizationId: 1 }, call, plan)
  await over
  assert.deepEqual(seen, ['new'])
})
