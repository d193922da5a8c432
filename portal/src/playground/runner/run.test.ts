// Running a list of requests: their order, what goes from one answer to the next, and when it stops.
// The server is a function here.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SavedRequest } from '@tandem/sdk'
import type { Effective } from '../request/request.ts'
import type { Outcome } from '../sending/send.ts'
import { countText, type RunOptions, run } from './run.ts'

const person = { userId: 1, name: 'Grace' }
const saved = (name: string, more: Partial<SavedRequest> = {}): SavedRequest => ({
  ...{ requestId: `srq_${name}`, collectionId: 'col_1', folderId: null, position: 1, name },
  ...{ method: 'GET', path: `/${name}`, pathValues: [], query: [], headers: [], body: '', tests: [], captures: [] },
  ...{ version: 1, updatedBy: person, createdAt: '', updatedAt: '' },
  ...more,
})
const answer = (status: number, json: unknown = {}, headers: [string, string][] = []): Outcome => ({
  ...{ kind: 'answer', status, statusText: '', headers, body: new Blob([JSON.stringify(json)]) },
  ...{ time: { totalMs: 5, waitMs: 4, downloadMs: 1, serverMs: 1 }, sizes: { wire: 2, decoded: 2 } },
})

function setUp(requests: SavedRequest[], answers: (Outcome | undefined)[], more: Partial<RunOptions> = {}) {
  const sent: Effective[] = []
  const stop = new AbortController()
  const options: RunOptions = {
    ...{ requests, origin: 'http://127.0.0.1', lookup: () => undefined, stopOnFailure: false, signal: stop.signal },
    ...{ resolve: async () => 'token', modeOf: () => 'test', allowed: new Set(), onRow: () => undefined },
    async send(effective) {
      sent.push(effective)
      return answers[sent.length - 1] ?? answer(200)
    },
    ...more,
  }
  return { sent, stop, rows: () => run(options) }
}
const status = (value: string) => ({ subject: 'status', target: '', operator: 'equals', value }) as const

test('variables go from one answer to the requests after it', async () => {
  const { sent, rows } = setUp(
    [
      saved('make', { captures: [{ name: 'id', pointer: '/data/id' }] }),
      saved('read', { path: '/things/{{id}}', headers: [{ name: 'X-Base', value: '{{base}}', enabled: true }] }),
    ],
    [answer(201, { data: { id: 'a b' } })],
    { lookup: name => (name === 'base' ? 'here' : undefined) },
  )
  const done = await rows()
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['http://127.0.0.1/make', 'http://127.0.0.1/things/a%20b'],
  )
  assert.deepEqual(
    done.map(({ state }) => state),
    ['passed', 'passed'],
  )
})

test('it goes on after a failure, or stops there', async () => {
  const requests = [saved('one', { tests: [status('200')] }), saved('two'), saved('three')]
  const goes = setUp(requests, [answer(500)])
  assert.equal(countText(await goes.rows()), '2 passed, 1 failed')
  const stops = setUp(requests, [answer(500)], { stopOnFailure: true })
  assert.equal(countText(await stops.rows()), '1 failed, 2 skipped')
  assert.equal(stops.sent.length, 1)
})

test('without tests an error fails it; a test that expects the error passes it', async () => {
  const { rows } = setUp([saved('one'), saved('two', { tests: [status('404')] })], [answer(404), answer(404)])
  const [one, two] = await rows()
  assert.deepEqual([one?.state, one?.why, two?.state], ['failed', 'The answer was 404.', 'passed'])
})

test('a variable without a value, and a capture that finds nothing, fail it', async () => {
  const { sent, rows } = setUp(
    [saved('one', { path: '/{{gone}}' }), saved('two', { captures: [{ name: 'id', pointer: '/id' }] })],
    [],
  )
  const [one, two] = await rows()
  assert.match(one?.why ?? '', /\{\{gone\}\} has no value/)
  assert.deepEqual([sent.length, two?.state, two?.tested?.missed.length], [1, 'failed', 1])
})

test('what would change live data is not sent unless it was allowed', async () => {
  const requests = [saved('read'), saved('change', { method: 'POST' }), saved('allowed', { method: 'DELETE' })]
  const { sent, rows } = setUp(requests, [], { modeOf: () => 'live', allowed: new Set(['srq_allowed']) })
  const done = await rows()
  assert.deepEqual(
    done.map(({ state }) => state),
    ['passed', 'failed', 'passed'],
  )
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['GET', 'DELETE'],
  )
})

test('a limit that is reached is waited for; canceling ends it', async () => {
  const waited: number[] = []
  const limited = setUp([saved('one')], [answer(429, {}, [['retry-after', '3']])], {
    wait: async ms => void waited.push(ms),
  })
  assert.deepEqual([countText(await limited.rows()), waited, limited.sent.length], ['1 passed', [3_000], 2])
  const canceled = setUp([saved('one'), saved('two')], [], {
    onRow: (index, row) => index === 0 && row.state === 'passed' && canceled.stop.abort(),
  })
  assert.equal(countText(await canceled.rows()), '1 passed, 1 canceled')
})
