// Conferences from the API to the mixer of a node: who is in, what each event says, muting, holding and taking out, and the end
// of those whose node has died. The rows follow what the node reports, in its order, and once.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { callIn, startCall, startQueues } from '../../../../test/voice/calls.ts'
import { answeredCall, conferenceWith } from '../../../../test/voice/conferences.ts'
import { patientPeople } from '../../../../test/voice/patient_people.ts'
import { simulatorEngine } from '../../../engines/simulator/simulator.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { unavailable } from '../../../kernel/data/db_errors.ts'
import type { Log } from '../../../kernel/observe/log.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { checkTable } from '../../../kernel/values/states.ts'
import { carryCalls } from '../node/jobs.ts'
import { callTools } from '../node/tools.ts'
import { createConferenceRecords, endLostConferences } from './index.ts'
import { type Conference, conferenceStates, conferenceTransitions, nextConference } from './rules.ts'
import { applyConferenceEvents } from './store.ts'

const human = '+15005550209'

let t: TestApp
let running: { stop(): Promise<void> }
before(async () => {
  t = await startTestApp()
  const { handsets } = patientPeople([human], { speed: 20 })
  running = startQueues(t, [
    carryCalls({ engines: [simulatorEngine({ speed: 20, handsets })], tools: callTools }),
    endLostConferences,
  ])
})
after(async () => {
  await running?.stop()
  await t?.close()
})

type Seen = {
  conferenceId: string
  name: string
  state: string
  participantCount: number
  endReason: string | null
  startedAt: string | null
  participants: {
    callId: string
    direction: string
    to: string
    muted: boolean
    held: boolean
    leftAt: string | null
    leftReason: string | null
  }[]
}

const get = async (path: string, as = t.main.testKey) =>
  (await t.call('GET', `/v2/voice/conferences${path}`, { as })).json.data
const see = (id: string, as?: string): Promise<Seen> => get(`/${id}`, as)
const patch = (id: string, callId: string, body: object) =>
  t.call('PATCH', `/v2/voice/conferences/${id}/participants/${callId}`, { as: t.main.testKey, body })

async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 10_000
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    if (performance.now() > deadline) assert.fail(`not so: ${JSON.stringify(value)}`)
    await sleep(10)
  }
}

const named = (name: string, count: number): Promise<Seen> =>
  until(
    async () => (await get(`?name=${name}`))[0],
    conference => conference?.participantCount === count,
  )

const eventsOf = (id: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape
  t.ownerSql<{ type: string; sequence: number; data: any }>(
    'select type, sequence, data from event_log where resource_id = $1 order by sequence',
    [id],
  )

describe('the states of a conference', () => {
  test('form a sound table', () => {
    const faults = checkTable(conferenceTransitions, {
      states: conferenceStates,
      initial: ['init'],
      terminal: ['ended'],
    })
    assert.deepEqual(faults, [])
  })

  test('nothing happens in one that is over, and nobody leaves twice', () => {
    const at = '2026-11-21T08:44:00.000Z'
    const ended = { id: 'conf_1', tenant_id: 1, state: 'ended', changed_at: at, sequence: 3 } as Conference
    const left = { type: 'left', atMs: 0, callId: 'call_1', reason: 'key', callbackUrl: null } as const
    assert.equal(nextConference(ended, undefined, { type: 'started', atMs: 0 }), undefined)
    assert.equal(nextConference({ ...ended, state: 'active' }, undefined, left), undefined)
  })
})

describe('a conference', () => {
  const join = (more: object = {}) => [{ verb: 'conference', name: 'daily', ...more }, { verb: 'hangup' }]

  test('opens with its first call, shows who is in it, and ends with the last', async () => {
    const first = await startCall(t, human, { instructions: join({ startOnEnter: false }) })
    const waiting = await named('daily', 1)
    assert.deepEqual([waiting.state, waiting.startedAt], ['init', null])
    const second = await startCall(t, human, { instructions: join({ muted: true }) })
    const { conferenceId } = await named('daily', 2)
    const both = await until(
      () => see(conferenceId),
      ({ state }) => state === 'active',
    )
    assert.deepEqual(
      both.participants.map(({ callId, muted, direction, to }) => [callId, muted, direction, to]),
      [
        [first, false, 'outbound', human],
        [second, true, 'outbound', human],
      ],
    )

    const changed = await patch(conferenceId, first, { muted: true, held: true })
    assert.deepEqual([changed.status, changed.json.data.muted, changed.json.data.held], [200, true, true])
    // What is so already is no event.
    await patch(conferenceId, first, { muted: true })
    assert.equal((await patch(conferenceId, first, { removed: false })).status, 400)
    assert.equal((await patch(conferenceId, first, { removed: true })).status, 200)
    await named('daily', 1)
    const [gone, stays] = (await see(conferenceId)).participants
    assert.deepEqual([gone?.leftReason, gone?.muted, gone?.held, stays?.leftAt], ['removed', true, true, null])
    await callIn(t, first, ['completed'])
    const refused = await patch(conferenceId, first, { muted: false })
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'participant_left'])

    await t.call('POST', `/v2/voice/calls/${second}/hangup`, { as: t.main.testKey })
    const over = await until(
      () => see(conferenceId),
      ({ state }) => state === 'ended',
    )
    assert.deepEqual([over.endReason, over.participantCount], ['empty', 0])
    assert.equal(over.participants[1]?.leftReason, 'hangup')

    const events = await eventsOf(conferenceId)
    assert.deepEqual(
      events.map(({ type, sequence }) => [sequence, type]),
      [
        'participant_joined',
        'participant_joined',
        'started',
        'participant_updated',
        'participant_left',
        'participant_left',
        'ended',
      ].map((name, index) => [index + 1, `conference.${name}`]),
    )
    assert.deepEqual(
      events.map(({ data }) => data.participant?.callId ?? null),
      [first, second, null, first, first, second, null],
    )
    const { muted, held } = events[3]!.data.participant
    assert.deepEqual([muted, held], [true, true])
    assert.deepEqual([events[6]?.data.previousState, events[6]?.data.state], ['active', 'ended'])
    assert.deepEqual(
      (await get('?state=ended')).map((conference: Seen) => conference.conferenceId),
      [conferenceId],
    )
  })

  test('of the same name opens again; it ends for all when its host leaves', async () => {
    const guest = await startCall(t, human, { instructions: join() })
    const { conferenceId } = await named('daily', 1)
    const host = await startCall(t, human, { instructions: join({ endOnExit: true }) })
    await named('daily', 2)
    await t.call('POST', `/v2/voice/calls/${host}/hangup`, { as: t.main.testKey })
    const over = await until(
      () => see(conferenceId),
      ({ state }) => state === 'ended',
    )
    assert.equal(over.endReason, 'host_left')
    assert.equal(over.participants.find(({ callId }) => callId === guest)?.leftReason, 'ended')
    await callIn(t, guest, ['completed'])
  })
})

describe('a conference with many who came and went', () => {
  test('shows who is in and the hundred who left last; an event reads those it is about, and no others', async () => {
    const { scope, conferenceId, callId } = await conferenceWith(t)
    // Copies of its call, which came and left one after the other.
    await t.ownerSql(
      `insert into calls select (jsonb_populate_record(c, jsonb_build_object('id', 'call_gone_' || lpad(n::text, 4, '0'), 'state', 'completed',
         'ended_at', now(), 'hangup_cause', 'normal', 'hangup_by', 'api'))).* from calls c, generate_series(1, 300) n where c.id = $1`,
      [callId],
    )
    await t.ownerSql(
      `insert into conference_participants (tenant_id, conference_id, call_id, joined_at, left_at, left_reason)
       select $1, $2, 'call_gone_' || lpad(n::text, 4, '0'), now() + n * interval '1 second', now() + n * interval '2 seconds', 'left'
       from generate_series(1, 300) n`,
      [scope.tenantId, conferenceId],
    )
    const full = await t.call('GET', `/v2/voice/conferences/${conferenceId}`, { as: t.main.liveKey })
    const { participants, othersLeft } = full.json.data
    assert.deepEqual([participants.length, othersLeft], [101, true])
    const ids = participants.map((one: { callId: string }) => one.callId)
    assert.deepEqual([ids[0], ids[1], ids[100]], [callId, 'call_gone_0201', 'call_gone_0300'])

    let rows = 0
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows += result.rows.length
        return result
      },
    }
    const update = {
      type: 'updated',
      atMs: t.clock.now(),
      callId,
      muted: true,
      held: false,
      callbackUrl: null,
    } as const
    await t.app.services.db.inTenant(scope, tx =>
      applyConferenceEvents(tx.withPlugin(counter) as Tx, scope, conferenceId, [update]),
    )
    assert.ok(rows > 0 && rows < 10, `${rows} rows`)
    assert.equal((await eventsOf(conferenceId)).at(-1)?.data.participant.muted, true)
  })
})

test('what happens in a conference is reported once, also where nobody hears whether it was written', async () => {
  const { db } = t.app.services
  const callId = await answeredCall(t)
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  let doubts = 0
  const doubtful = {
    async inTenant<Result>(...given: Parameters<typeof db.inTenant<Result>>) {
      const result = await db.inTenant(...given)
      if (doubts-- > 0) throw unavailable(new Error('the outcome of COMMIT is unknown'))
      return result
    },
  } as typeof db
  const records = createConferenceRecords({ db: doubtful, log: { ...t.app.services.log, warn() {} } as Log })
  const atMs = t.clock.now()
  const open = (id: string) =>
    records.open(scope, { id, name: 'doubtful', owner: 'node_test', callbackUrl: null, atMs })
  doubts = 1
  await assert.rejects(open(newId('conf')), /may have happened/)
  const id = newId('conf')
  assert.equal(await open(id), true, 'its name is free')
  const about = { atMs, callId, callbackUrl: null }
  for (const batch of [
    [{ type: 'joined', ...about, muted: false, coach: null }],
    [
      { type: 'started', atMs },
      { type: 'left', ...about, reason: 'key' },
      { type: 'joined', ...about, muted: true, coach: null },
    ],
    [
      { type: 'left', ...about, reason: 'hangup' },
      { type: 'ended', atMs, reason: 'empty' },
    ],
  ] as const) {
    doubts = 2
    for (const event of batch) records.report(scope, id, event)
    await records.flush()
  }
  assert.deepEqual(
    (await eventsOf(id)).map(({ type }) => type.replace('conference.', '')),
    ['participant_joined', 'started', 'participant_left', 'participant_joined', 'participant_left', 'ended'],
  )
})

describe('a node that died', () => {
  test('its conferences end once it holds no call any more, and their names are free again at once', async () => {
    const lost = await conferenceWith(t, t.main, 'node_gone')
    const records = createConferenceRecords(t.app.services)
    const again = { id: 'conf_again', name: lost.name, owner: 'node_new', callbackUrl: null, atMs: t.clock.now() }
    assert.equal(await records.open(lost.scope, again), false, 'held elsewhere')
    await t.ownerSql('delete from call_leases where call_id = $1', [lost.callId])
    assert.equal(await records.open(lost.scope, again), true)
    const seen = await see(lost.conferenceId, t.main.liveKey)
    assert.deepEqual(
      [seen.state, seen.endReason, seen.participants[0]?.leftReason],
      ['ended', 'node_lost', 'node_lost'],
    )
  })

  test('anyone who looks finds them ended', async () => {
    const lost = await conferenceWith(t, t.main, 'node_gone')
    const past = `changed_at = changed_at - interval '1 hour', created_at = created_at - interval '1 hour'`
    await t.ownerSql(`update conferences set ${past} where id = $1`, [lost.conferenceId])
    const queue = endLostConferences(t.app.services)
    const rowsOf = async () => (await queue.claim('lse_test', 100)) as { conference_id: string }[]
    assert.ok(!(await rowsOf()).some(row => row.conference_id === lost.conferenceId), 'its calls are held')
    await t.ownerSql('delete from call_leases where call_id = $1', [lost.callId])
    const rows = (await rowsOf()).filter(row => row.conference_id === lost.conferenceId)
    // The queue beside this test may have been quicker.
    await queue.work(rows as never, 'lse_test', () => false)
    assert.equal((await see(lost.conferenceId, t.main.liveKey)).state, 'ended')
  })
})
