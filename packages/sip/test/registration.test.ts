// The REGISTER client against a registrar that grants, shortens, challenges, forgets and falls over (RFC 3261 §10.2, RFC 3665
// §2, RFC 5626 §4.5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headersOf, valuesOf } from './dialog_support.ts'
import type { Behaviour } from './registrar.ts'
import { contactParam, createBench, expiresOf, noncesOf } from './registrar.ts'

const start = (...args: Parameters<typeof createBench>) => {
  const bench = createBench(...args)
  bench.registration.start(bench.nowMs)
  bench.run(0)
  return bench
}

test('RFC 3665 §2.1: REGISTER, 401, REGISTER, 200; then a refresh at four fifths with the same nonce', () => {
  const bench = start({ password: 'secret' })
  assert.deepEqual(noncesOf(bench), [0, 1])
  const { status } = bench.registration
  assert.deepEqual([status.state, status.status, status.expiresAtMs], ['registered', 200, bench.nowMs + 3_600_000])
  assert.equal(status.nextAttemptMs, bench.nowMs + 2_880_000)
  for (const { request } of bench.sent) {
    assert.equal(request.uri, 'sip:carrier.example')
    assert.deepEqual(valuesOf(request, 'Call-ID'), ['register-1@192.0.2.10'])
    assert.deepEqual(valuesOf(request, 'From'), ['<sip:4930123@carrier.example>;tag=81x2'])
    assert.deepEqual(valuesOf(request, 'To'), ['<sip:4930123@carrier.example>'])
  }
  bench.run(2_879_999)
  assert.equal(bench.sent.length, 2)
  bench.run(1)
  assert.deepEqual(noncesOf(bench), [0, 1, 2])
  assert.deepEqual(
    bench.sent.map(({ request }) => valuesOf(request, 'CSeq')[0]),
    ['1 REGISTER', '2 REGISTER', '3 REGISTER'],
  )
  bench.registration.stop(bench.nowMs)
  bench.run(0)
  assert.equal(expiresOf(bench.sent.at(-1)!.request), 0)
  assert.deepEqual([bench.registration.status.state, bench.bindings.size], ['stopped', 0])
  assert.equal(bench.registration.nextDeadlineMs, undefined)
})

test('a nonce that grew old is answered without asking anybody, with and without stale', () => {
  const bench = start({ password: 'secret', nonceLifetimeMs: 60_000 })
  bench.run(2_880_000)
  assert.deepEqual(noncesOf(bench), [0, 1, 2, 1])
  assert.equal(bench.registration.status.state, 'registered')
  // A registrar that was started again knows none of its nonces, and does not say stale.
  const forgetful = start({ password: 'secret' })
  const challenge = forgetful.guard.challenge.bind(forgetful.guard)
  forgetful.guard.check = (credentials, proof, now) =>
    credentials.nonceCount === '00000001' && proof.secret !== '' && now >= 0 ? 'right' : 'wrong'
  forgetful.guard.challenge = (status, now) => challenge(status, now)
  forgetful.run(2_880_000)
  assert.deepEqual(noncesOf(forgetful), [0, 1, 2, 1])
  assert.equal(forgetful.registration.status.state, 'registered')
})

test('a wrong password is tried once and then rarely', () => {
  const bench = start({ password: 'another' })
  assert.deepEqual(noncesOf(bench), [0, 1])
  const { status } = bench.registration
  assert.deepEqual([status.state, status.status, status.detail], ['refused', 401, 'user name or password are wrong'])
  assert.ok(status.nextAttemptMs! >= bench.nowMs + 600_000)
  bench.run(3_600_000)
  assert.ok(bench.sent.length <= 2 + 6 * 2)
  bench.behaviour.password = 'secret'
  bench.run(3_600_000)
  assert.equal(bench.registration.status.state, 'registered')
})

test('a registrar that always says stale is given up on', () => {
  const bench = createBench({ password: 'secret' })
  bench.guard.check = () => 'stale'
  bench.registration.start(bench.nowMs)
  bench.run(0)
  assert.equal(bench.registration.status.state, 'refused')
  assert.ok(bench.sent.length <= 6)
})

test('no account, and a login we do not know', () => {
  const bench = start({ password: 'secret' }, { account: undefined })
  assert.equal(bench.registration.status.detail, 'the registrar asks for a password and none is set')
  const other = start({ mood: () => 401, headers: headersOf('WWW-Authenticate: Negotiate abc') })
  assert.equal(other.registration.status.detail, 'the registrar asks for a kind of login we do not know')
})

test('423: the time is raised and asked for at once (§10.2.8)', () => {
  const bench = start({ minExpires: 7_200 })
  assert.deepEqual(
    bench.sent.map(({ request }) => expiresOf(request)),
    [3_600, 7_200],
  )
  assert.equal(bench.registration.status.nextAttemptMs, bench.nowMs + 5_760_000)
  const broken = start({ mood: () => 423 })
  assert.deepEqual([broken.registration.status.state, broken.sent.length], ['refused', 1])
  let least = 3_600
  const endless = start({ mood: () => 423 })
  endless.behaviour.mood = () => {
    least += 1
    endless.behaviour.headers = headersOf(`Min-Expires: ${least}`)
    return 423
  }
  endless.run(700_000 + 150_000)
  assert.equal(endless.registration.status.state, 'refused')
  assert.ok(endless.sent.length <= 6)
})

test('what is granted rules, wherever it is stated (§10.2.4)', () => {
  for (const reports of ['contact', 'expires'] as const) {
    const bench = start({ grants: 60, reports })
    assert.equal(bench.registration.status.nextAttemptMs, bench.nowMs + 48_000)
  }
  const silent = start({ grants: 60, reports: 'nothing' })
  assert.equal(silent.registration.status.expiresAtMs, silent.nowMs + 3_600_000)
})

test('of several contacts the shortest time counts, and those of others do not', () => {
  const contacts = ['<sip:4930123@192.0.2.10:5060>;q=0.9', '<sip:4930123@192.0.2.11>;expires=5']
  const bench = createBench({ mood: () => 200 }, { contacts })
  bench.behaviour.headers = headersOf(
    'Contact: <sip:4930123@192.0.2.10:5060;ob>;expires=300, <sip:4930123@192.0.2.11>;expires=200',
    'Contact: <sip:other@198.51.100.1>;expires=10',
    'Service-Route: <sip:home.carrier.example;lr>',
  )
  bench.registration.start(bench.nowMs)
  bench.run(0)
  assert.equal(bench.registration.status.expiresAtMs, bench.nowMs + 200_000)
  assert.deepEqual(bench.registration.status.serviceRoutes, ['<sip:home.carrier.example;lr>'])
  assert.equal(contactParam(bench.sent[0]!.request, 'q'), '0.9')
  assert.equal(valuesOf(bench.sent[0]!.request, 'Contact')[1], '<sip:4930123@192.0.2.11>')
})

test('5xx and silence: longer and longer waits, half to whole, up to the longest (RFC 5626 §4.5)', () => {
  for (const mood of [500, 503, 'silence', 'dead'] as const) {
    const bench = start({ mood: () => mood })
    assert.equal(bench.registration.status.state, 'failed')
    bench.run(20_000_000)
    const waits = bench.sent.slice(1).map(({ atMs }, index) => atMs - bench.sent[index]!.atMs)
    const extra = mood === 'silence' ? 32_000 : 0
    waits.forEach((wait, index) => {
      const longest = Math.min(1_800_000, 30_000 * 2 ** index)
      assert.ok(wait >= longest / 2 + extra && wait <= longest + extra, `${mood}: wait ${index} is ${wait}`)
    })
    assert.ok(waits.length >= 10)
    bench.behaviour.mood = () => undefined
    bench.run(1_900_000)
    assert.deepEqual([bench.registration.status.state, bench.registration.status.failures], ['registered', 0])
  }
})

test('Retry-After is kept to', () => {
  const bench = start({ mood: () => 503, headers: headersOf('Retry-After: 120 (in maintenance)') })
  assert.equal(bench.registration.status.nextAttemptMs, bench.nowMs + 120_000)
})

test('a refresh that fails is tried again while the registration holds, and lost when it ran out', () => {
  const bench = start({ grants: 600 })
  const expiresAtMs = bench.registration.status.expiresAtMs!
  bench.behaviour.mood = () => 503
  bench.run(480_000)
  assert.deepEqual([bench.registration.status.state, bench.registration.status.status], ['registered', 503])
  const tries = () => bench.sent.filter(({ atMs }) => atMs < expiresAtMs).length
  bench.run(119_999)
  assert.ok(tries() >= 4, 'tried again before it ran out')
  assert.equal(bench.registration.status.state, 'registered')
  bench.run(1)
  assert.equal(bench.registration.status.state, 'failed')
  assert.equal(bench.registration.status.expiresAtMs, undefined)
})

test('403 is refused at once, whatever held before', () => {
  const bench = start({ grants: 600 })
  bench.behaviour.mood = () => 403
  bench.run(480_000)
  const { status } = bench.registration
  assert.deepEqual([status.state, status.detail], ['refused', 'the registrar answers 403 Forbidden'])
})

test('stopping while a REGISTER is under way takes out what it may have put in', () => {
  const bench = createBench({ password: 'secret' })
  bench.registration.start(bench.nowMs)
  bench.registration.stop(bench.nowMs)
  assert.equal(bench.registration.status.state, 'unregistering')
  bench.run(0)
  assert.equal(expiresOf(bench.sent.at(-1)!.request), 0)
  assert.deepEqual([bench.registration.status.state, bench.bindings.size], ['stopped', 0])
  const lost = createBench({ mood: () => 'silence' })
  lost.registration.start(lost.nowMs)
  lost.registration.stop(lost.nowMs)
  lost.run(0)
  assert.equal(lost.registration.status.state, 'stopped')
  assert.equal(lost.sent.length, 2)
  const never = createBench()
  never.registration.stop(never.nowMs)
  assert.deepEqual([never.registration.status.state, never.sent.length], ['stopped', 0])
})

test('started again while it unregisters, it ends up registered', () => {
  const bench = start({})
  bench.registration.stop(bench.nowMs)
  bench.registration.start(bench.nowMs)
  bench.run(0)
  assert.deepEqual([bench.registration.status.state, bench.bindings.size], ['registered', 1])
})

test('whatever the registrar does: one REGISTER at a time, CSeq up by one, never a busy loop, and well again at last', () => {
  const moods = [undefined, undefined, undefined, 401, 403, 404, 423, 500, 503, 'silence', 'dead', 200] as const
  const event = fc.record({
    mood: fc.constantFrom(...moods),
    afterMs: fc.nat(3_000_000),
    action: fc.constantFrom('none', 'none', 'none', 'stop', 'start'),
  })
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.option(fc.integer({ min: 0, max: 4000 })),
      fc.array(event, { maxLength: 20 }),
      (isGuarded, grants, events) => {
        const behaviour: Behaviour = isGuarded ? { password: 'secret', nonceLifetimeMs: 100_000 } : {}
        if (grants !== null) behaviour.grants = grants
        const bench = createBench(behaviour)
        bench.registration.start(bench.nowMs)
        for (const { mood, afterMs, action } of events) {
          bench.behaviour.mood = () => mood
          if (action !== 'none') bench.registration[action](bench.nowMs)
          const before = bench.sent.length
          bench.run(afterMs)
          const shortest = grants === null || grants === 0 ? 10_000 : Math.min(10_000, grants * 800)
          assert.ok(bench.sent.length - before <= 20 + (4 * afterMs) / shortest, 'too many requests')
          const { status } = bench.registration
          if (status.state === 'registered')
            assert.ok(status.expiresAtMs! > bench.nowMs && status.nextAttemptMs! > bench.nowMs)
          if (status.state === 'failed' || status.state === 'refused') assert.ok(status.nextAttemptMs! > bench.nowMs)
          if (status.state === 'stopped') assert.equal(bench.registration.nextDeadlineMs, undefined)
        }
        bench.sent.forEach(({ request }, index) => {
          assert.deepEqual(valuesOf(request, 'CSeq'), [`${index + 1} REGISTER`])
        })
        bench.behaviour.mood = undefined
        bench.behaviour.grants = 3_600
        bench.registration.start(bench.nowMs)
        bench.run(1_900_000)
        assert.equal(bench.registration.status.state, 'registered')
        bench.registration.stop(bench.nowMs)
        bench.run(0)
        assert.deepEqual([bench.registration.status.state, bench.bindings.size], ['stopped', 0])
      },
    ),
    { numRuns: 150 },
  )
})
