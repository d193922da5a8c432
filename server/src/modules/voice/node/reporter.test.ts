// The reporter: what happens on a call is written in its order, once, whatever the database does; and what cannot be written
// holds up nobody else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestApp } from '../../../../test/harness.ts'
import { startTestApp } from '../../../../test/harness.ts'
import { seeCall, startCall } from '../../../../test/voice/calls.ts'
import type { Db } from '../../../kernel/data/db.ts'
import type { Log } from '../../../kernel/observe/log.ts'
import type { CallEvent } from '../call_records/rules.ts'
import { createReporter } from './reporter.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

/** A reporter on a database that answers as `inTenant` says. */
function setUp(inTenant: (real: Db['inTenant']) => Db['inTenant'] = real => real) {
  const { db } = t.app.services
  const given: string[] = []
  const over: string[] = []
  const log = { warn() {}, error: (_details: unknown, text: string) => void given.push(text) } as unknown as Log
  const wrapped = { ...db, inTenant: inTenant(db.inTenant.bind(db) as Db['inTenant']) } as Db
  const reporter = createReporter({ db: wrapped, log, over: (_scope, ids) => void over.push(...ids) })
  const report = (callId: string, ...events: CallEvent[]) => {
    for (const event of events) reporter.report(scope(), { callId, atMs: t.clock.now(), event })
  }
  return { reporter, report, given, over }
}

const answered: CallEvent[] = [{ type: 'ringing' }, { type: 'answered' }]
const ended: CallEvent = { type: 'ended', cause: 'normal', by: 'callee' }
const note = (n: unknown): CallEvent => ({ type: 'noted', event: 'call.notified', details: { n } })
const call = () => startCall(t, '+15550100002')

async function historyOf(callId: string) {
  const { history } = await seeCall(t, callId)
  return history.map(({ type, details }) => (details === null ? type : `${type} ${details['n']}`))
}

test('keeps the order of each call, with hundreds at once', async () => {
  const { reporter, report, over } = setUp()
  const ids = await Promise.all([call(), call(), call()])
  for (const id of ids) report(id, ...answered)
  for (let n = 0; n < 100; n++) for (const id of ids) report(id, note(n))
  for (const id of ids) report(id, ended)
  await reporter.flush()
  const expected = Array.from({ length: 100 }, (_, n) => `call.notified ${n}`)
  for (const id of ids)
    assert.deepEqual(await historyOf(id), [
      'call.initiated',
      'call.ringing',
      'call.answered',
      ...expected,
      'call.completed',
    ])
  assert.deepEqual(over.sort(), ids.sort())
})

test('a database that fails for a while, before or after it has committed, loses and doubles nothing', async () => {
  let turn = 0
  const { reporter, report } = setUp(real => async (given, work, ...more) => {
    turn++
    // The first is lost on its way there, the second on its way back.
    if (turn === 1) throw new Error('connection refused')
    const result = await real(given, work, ...more)
    if (turn === 2) throw new Error('connection lost')
    return result
  })
  const id = await call()
  report(id, ...answered, note(1))
  await reporter.flush()
  report(id, note(2), ended)
  await reporter.flush()
  assert.ok(turn > 2)
  assert.deepEqual(await historyOf(id), [
    'call.initiated',
    'call.ringing',
    'call.answered',
    'call.notified 1',
    'call.notified 2',
    'call.completed',
  ])
})

test('a report that cannot be written is given up; those around it are written', async () => {
  const { reporter, report, given } = setUp()
  const [bad, good] = await Promise.all([call(), call()])
  const broken = { ...note(1), facts: { tags: 'no list' as never } } as CallEvent
  report(bad, ...answered, broken, note(2), ended)
  report(good, ...answered, note(1), ended)
  await reporter.flush()
  assert.deepEqual(await historyOf(good), [
    'call.initiated',
    'call.ringing',
    'call.answered',
    'call.notified 1',
    'call.completed',
  ])
  assert.deepEqual(await historyOf(bad), [
    'call.initiated',
    'call.ringing',
    'call.answered',
    'call.notified 2',
    'call.completed',
  ])
  assert.equal(given.length, 1)
})

test('what is refused of an answer or an end is written shorter: the call is over, once, and the log says so', async () => {
  const { reporter, report, given, over } = setUp()
  const [odd, worse, untimed, good] = await Promise.all([call(), call(), call(), call()])
  report(odd, { type: 'ringing' }, { type: 'answered', answeredBy: 'dog' as never })
  report(odd, ended, ended)
  report(worse, ...answered, { type: 'ended', cause: 'unheard of' as never, by: 'nobody' as never, q850: 16 }, ended)
  reporter.report(scope(), {
    callId: untimed,
    atMs: Number.NaN,
    event: { type: 'ended', cause: 'canceled', by: 'api' },
  })
  report(good, ...answered, ended)
  await reporter.flush()
  const whole = ['call.initiated', 'call.ringing', 'call.answered', 'call.completed']
  assert.deepEqual(await historyOf(good), whole)
  assert.deepEqual(await historyOf(odd), whole)
  assert.deepEqual(await historyOf(worse), ['call.initiated', 'call.ringing', 'call.answered', 'call.failed'])
  assert.deepEqual(await historyOf(untimed), ['call.initiated', 'call.canceled'])
  assert.deepEqual([...new Set(over)].sort(), [odd, worse, untimed, good].sort())
  assert.equal(given.filter(text => text.includes('written shorter')).length, 4)
})

test('an end waits for a database that cannot write, however often it refuses', async () => {
  let refusals = 0
  const { reporter, report, given } = setUp(real => async (given, work, ...more) => {
    // What PostgreSQL says of a full disk, then of a lock that is held: raised by itself, so that the driver makes the error.
    const code = refusals < 5 ? '53100' : refusals < 10 ? '55P03' : undefined
    refusals++
    if (code === undefined) return real(given, work, ...more)
    return real(given, tx => sql`do ${sql.raw(`$$ begin raise sqlstate '${code}'; end $$`)}`.execute(tx)) as never
  })
  const id = await call()
  report(id, ended)
  await reporter.flush()
  assert.deepEqual(await historyOf(id), ['call.initiated', 'call.canceled'])
  assert.deepEqual(given, [])
})

test('a text that PostgreSQL does not take is reported without what it does not take', async () => {
  const { reporter, report } = setUp()
  const id = await call()
  report(id, ...answered, note('a\0\\u0000b\ud800'), ended)
  await reporter.flush()
  assert.equal((await historyOf(id))[3], 'call.notified a\\u0000b\ufffd')
})

test('what is reported in quick succession shares transactions; what comes alone waits for none', async () => {
  let begun = 0
  const { reporter, report } = setUp(() => async () => {
    begun++
    return { applied: 0, over: [] } as never
  })
  const startMs = performance.now()
  report('call_1', note(0))
  await sleep(1)
  assert.equal(begun, 1)
  for (let n = 1; n < 10; n++) {
    report('call_1', note(n))
    await sleep(3)
  }
  await reporter.flush()
  const most = 2 + (performance.now() - startMs) / 20
  assert.ok(begun <= most, `${begun} transactions, at most ${most}`)
})
