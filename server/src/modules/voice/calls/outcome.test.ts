// What came of a call, as a person says: it is that of the conversation, so that every leg has it; it is seen, reported, filtered by, taken
// back, and said by those only who have calls.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { startCall } from '../../../../test/voice/calls.ts'
import { callOutcomes } from '../call_records/index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const phone = '+15005550200'
const say = (callId: string, outcome: unknown, as = t.main.testKey) =>
  t.call('PATCH', `/v2/voice/calls/${callId}`, { as, body: { outcome } })
const read = async (callId: string) =>
  (await t.call('GET', `/v2/voice/calls/${callId}`, { as: t.main.testKey })).json.data

test('it is set, changed and taken back, and each time the history and the events say so', async () => {
  const callId = await startCall(t, phone)
  const { status, json } = await say(callId, 'voicemail')
  assert.equal(status, 200)
  assert.equal(json.data.outcome, 'voicemail')
  assert.equal(json.data.outcomeBy, t.main.users.Admin.id)
  assert.ok(Date.parse(json.data.outcomeAt) > 0)
  await say(callId, 'voicemail')
  await say(callId, 'call_back')
  await say(callId, null)
  const { outcome, outcomeBy, outcomeAt, history } = await read(callId)
  assert.deepEqual([outcome, outcomeBy, outcomeAt], [null, null, null])
  const said = history.filter(({ type }: { type: string }) => type === 'call.outcome_set')
  assert.deepEqual(
    said.map(({ details }: { details: object }) => details),
    [
      { outcome: 'voicemail', previousOutcome: null, userId: t.main.users.Admin.id },
      { outcome: 'call_back', previousOutcome: 'voicemail', userId: t.main.users.Admin.id },
      { outcome: null, previousOutcome: 'call_back', userId: t.main.users.Admin.id },
    ],
    'the same again is no news',
  )
})

test('it stays with a call that is over, and its end stays as it was', async () => {
  const callId = await startCall(t, phone)
  await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.testKey })
  const before = await read(callId)
  assert.equal((await say(callId, 'wrong_number')).status, 200)
  const { state, endedAt, hangupCause, outcome } = await read(callId)
  assert.deepEqual([state, endedAt, hangupCause], [before.state, before.endedAt, before.hangupCause])
  assert.equal(outcome, 'wrong_number')
})

test('the legs of a conversation have it together, whichever of them it is said of', async () => {
  const root = await startCall(t, '+15005550201')
  const [leg, other] = [await startCall(t, '+15005550202'), await startCall(t, '+15005550203')]
  const alone = await startCall(t, '+15005550204')
  await t.ownerSql('update calls set parent_call_id = $1 where id = any($2)', [root, [leg, other]])
  await say(leg, 'answered')
  const outcomes = async () => Promise.all([root, leg, other, alone].map(async id => (await read(id)).outcome))
  assert.deepEqual(await outcomes(), ['answered', 'answered', 'answered', null])
  await say(root, 'not_interested')
  assert.deepEqual(await outcomes(), ['not_interested', 'not_interested', 'not_interested', null])
  const { json } = await t.call('GET', '/v2/voice/calls?outcome=not_interested', { as: t.main.testKey })
  assert.deepEqual(json.data.map(({ callId }: { callId: string }) => callId).toSorted(), [root, leg, other].toSorted())
})

test('the timeline of who was called shows it, with who said so', async () => {
  const number = '+12025550177'
  const { json } = await t.call('POST', '/v1/api/leads', { as: t.main.testKey, body: { name: 'Ada', phone: number } })
  await say(await startCall(t, number), 'no_answer')
  const { json: story } = await t.call('GET', `/v1/api/leads/${json.lead.id}/timeline`, { as: t.main.testKey })
  const entry = story.entries.find(({ kind }: { kind: string }) => kind === 'call')
  assert.deepEqual([entry.outcome, entry.user_id], ['no_answer', t.main.users.Admin.id])
  assert.equal(story.entries.find(({ kind }: { kind: string }) => kind === 'change').outcome, null)
})

test('what is no outcome is refused by its field; who has no calls says nothing of them', async () => {
  const callId = await startCall(t, phone)
  for (const outcome of ['great', 1]) {
    const { status, json } = await say(callId, outcome)
    assert.equal(status, 400, String(outcome))
    assert.equal(json.error.details[0].field, 'outcome')
  }
  const live = await startCall(t, phone, {}, t.main.tokens.Admin)
  assert.equal((await say(live, 'answered', t.main.tokens['Finance Manager'])).status, 403)
  assert.equal((await say(live, 'answered', t.main.tokens['Sales Executive'])).status, 200)
  assert.equal((await say(live, 'answered', t.other.liveKey)).status, 404)
})

test('the database takes the outcomes of the table, and none without who said it', async () => {
  const callId = await startCall(t, phone)
  for (const outcome of callOutcomes)
    await t.ownerSql('update calls set outcome = $1, outcome_by = 1, outcome_at = now() where id = $2', [
      outcome,
      callId,
    ])
  await assert.rejects(t.ownerSql(`update calls set outcome = 'great' where id = $1`, [callId]), /calls_outcome/)
  await assert.rejects(t.ownerSql('update calls set outcome_by = null where id = $1', [callId]), /calls_outcome_said/)
})
