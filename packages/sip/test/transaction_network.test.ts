// What must hold of the transaction layer over any network: each client transaction has one outcome and ends once, a final
// response is reported once, a request reaches the other user once, and when all is over nothing is left behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Call, Outcome, Weather, World } from './transaction_network.ts'
import { runWorld } from './transaction_network.ts'

const maybe = (value: fc.Arbitrary<number>) => fc.option(value, { nil: undefined })

const call: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom('INVITE', 'INVITE', 'OPTIONS', 'BYE'),
  startMs: fc.nat(5000),
  ringMs: maybe(fc.nat(6000)),
  isReliableRing: fc.boolean(),
  answerMs: fc.oneof(fc.nat(400), fc.nat(60_000)),
  status: fc.constantFrom(200, 202, 302, 401, 404, 486, 503, 603),
  cancelMs: maybe(fc.nat(20_000)),
  broken: fc.constantFrom('nobody', 'nobody', 'nobody', 'nobody', 'nobody', 'nobody', 'client', 'server'),
})

const weather: fc.Arbitrary<Weather> = fc.record({
  seed: fc.nat(),
  reliable: fc.boolean(),
  loss: fc.constantFrom(0, 5, 30, 60, 100),
  doubles: fc.constantFrom(0, 10, 50),
  delayMs: fc.constantFrom(0, 20, 300, 2000),
  jitterMs: fc.constantFrom(0, 50, 450),
})

function checkClient({ call, client }: Outcome): void {
  assert.equal(client.ends, 1, 'the end is reported once')
  const isAccepted = (client.finals[0] ?? 0) < 300 && client.finals.length > 0
  if (call.method === 'INVITE' && isAccepted) {
    // Each copy of a 2xx wants its ACK; it is the same one.
    assert.equal(new Set(client.finals).size, 1)
    assert.deepEqual(client.failures, [])
  } else assert.equal(client.finals.length + client.failures.length, 1, 'one outcome')
  if (call.broken === 'client') assert.deepEqual(client.failures, ['transport'])
}

function checkServer({ call, server, client }: Outcome): void {
  assert.ok(server.requests <= 1, 'the request is reported once')
  assert.equal(server.ends, server.requests, 'the end is reported once')
  assert.ok(server.cancels <= 1)
  if (client.finals.length > 0) assert.ok(server.answered, 'nothing is made up')
  if (call.method !== 'INVITE') assert.equal(server.acks + server.cancels, 0)
}

function checkWorld(world: World): void {
  for (const layer of [world.client, world.server]) {
    assert.equal(layer.size, 0)
    assert.equal(layer.timerCount, 0)
    assert.equal(layer.nextDeadlineMs, undefined)
  }
  for (const outcome of world.outcomes) {
    checkClient(outcome)
    checkServer(outcome)
  }
}

test('property: over a network that loses, doubles and reorders, each transaction has one outcome and one end', () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 8 }), weather, (calls, conditions) => {
      checkWorld(runWorld(calls, conditions))
    }),
    { numRuns: 300 },
  )
})

test('property: over a network that keeps everything, every call that is not cancelled gets the answer it was given', () => {
  const kept = fc.record({
    seed: fc.nat(),
    reliable: fc.boolean(),
    loss: fc.constant(0),
    doubles: fc.constant(0),
    delayMs: fc.nat(100),
    jitterMs: fc.nat(100),
  })
  const answered = call.map(value => ({
    ...value,
    cancelMs: undefined,
    answerMs: value.answerMs % 20_000,
    broken: 'nobody' as const,
  }))
  fc.assert(
    fc.property(fc.array(answered, { minLength: 1, maxLength: 4 }), kept, (calls, conditions) => {
      const world = runWorld(calls, conditions)
      checkWorld(world)
      for (const { call, client, server } of world.outcomes) {
        assert.deepEqual(client, { finals: client.finals, failures: [], ends: 1, strays: 0 })
        assert.equal(client.finals[0], call.status)
        assert.deepEqual(server.failures, [])
        if (call.method === 'INVITE' && call.status < 300) assert.equal(server.acks, client.finals.length)
      }
    }),
    { numRuns: 100 },
  )
})

test('two hundred calls at once over a bad network leave nothing behind', () => {
  const statuses = [200, 200, 302, 486]
  const calls: Call[] = Array.from({ length: 200 }, (_, i) => ({
    method: i % 4 === 3 ? 'OPTIONS' : 'INVITE',
    startMs: i,
    ringMs: i % 3 === 0 ? 100 : undefined,
    isReliableRing: i % 2 === 0,
    answerMs: (i * 37) % 3000,
    status: statuses[i % 4]!,
    cancelMs: i % 5 === 0 ? 1000 : undefined,
    broken: 'nobody',
  }))
  const world = runWorld(calls, { seed: 5, reliable: false, loss: 20, doubles: 10, delayMs: 20, jitterMs: 100 })
  checkWorld(world)
  const answered = world.outcomes.filter(({ client }) => client.finals.length > 0)
  assert.equal(answered.length, calls.length)
})
