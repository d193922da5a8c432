// Guards: a recording moves as its table says and ends once; events are written for ends only, with what the recording is then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObjectKey } from '../../../kernel/values/object_key.ts'
import { allowedEvents, checkTable } from '../../../kernel/values/states.ts'
import {
  localPathOf,
  nextRecording,
  objectKeyOf,
  type Recording,
  type RecordingState,
  type RecordingTransition,
  recordingStates,
  recordingTransitions,
  retrySeconds,
} from './rules.ts'

const createdMs = Date.parse('2026-11-21T08:44:02.150Z')

const fresh: Recording = {
  tenant_id: 7,
  id: 'rec_01kahm41x2d4f6h8k0m2p4r6t8',
  call_id: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
  state: 'recording',
  sequence: 1,
  channels: 'dual',
  callback_url: 'https://example.com/hooks/calls',
  metadata: {},
  owner: 'node_1',
  folder: 'fld_1',
  local_path: 'live/7/rec_01kahm41x2d4f6h8k0m2p4r6t8.wav',
  storage: null,
  storage_key: null,
  duration_ms: null,
  size_bytes: null,
  sha256: null,
  error: null,
  created_at: '2026-11-21T08:44:02.150Z',
  started_at: '2026-11-21T08:44:02.150Z',
  ended_at: null,
  available_at: null,
  deleted_at: null,
  changed_at: '2026-11-21T08:44:02.150Z',
}

test('the table of states is whole: every state is reached, and only deleted is final', () => {
  assert.deepEqual(
    checkTable(recordingTransitions, { states: recordingStates, initial: ['recording'], terminal: ['deleted'] }),
    [],
  )
})

test('a walk through every transition: times, sequence and events', () => {
  const walk: [RecordingTransition, RecordingState, string | undefined][] = [
    ['paused', 'paused', undefined],
    ['resumed', 'recording', undefined],
    ['finished', 'processing', undefined],
    ['stored', 'available', 'recording.available'],
    ['deleted', 'deleted', 'recording.deleted'],
  ]
  let recording = fresh
  for (const [at, [transition, state, type]] of walk.entries()) {
    const step = nextRecording(recording, transition, {}, createdMs + (at + 1) * 1_000)
    assert.ok(step !== undefined, transition)
    assert.equal(step.recording.state, state)
    assert.equal(step.recording.sequence, at + 2)
    assert.equal(step.event?.type, type)
    if (step.event !== undefined) {
      assert.equal(step.event.callbackUrl, fresh.callback_url)
      assert.equal(step.event.sequence, step.recording.sequence)
      const data = step.event.data as Record<string, unknown>
      assert.deepEqual([data['state'], data['previousState']], [state, recording.state])
    }
    recording = step.recording
  }
  assert.equal(recording.ended_at, '2026-11-21T08:44:05.150Z')
  assert.equal(recording.available_at, '2026-11-21T08:44:06.150Z')
  assert.equal(recording.deleted_at, '2026-11-21T08:44:07.150Z')
})

test('nothing else can happen, and no clock that runs back makes an end before its start', () => {
  for (const state of recordingStates) {
    const allowed = allowedEvents(recordingTransitions, state)
    for (const transition of Object.keys(recordingTransitions) as RecordingTransition[]) {
      const step = nextRecording({ ...fresh, state }, transition, {}, 0)
      assert.equal(step !== undefined, allowed.includes(transition), `${transition} in ${state}`)
      if (step !== undefined) assert.equal(step.recording.changed_at, fresh.changed_at)
    }
  }
})

test('paths and keys are keys, fanned out by what is random in the id', () => {
  assert.ok(isObjectKey(localPathOf(7, fresh.id)))
  assert.equal(objectKeyOf(fresh), '7/2026-11/t8/rec_01kahm41x2d4f6h8k0m2p4r6t8.wav')
  assert.ok(isObjectKey(objectKeyOf(fresh)))
})

test('a job is tried again ever later, at most every five minutes', () => {
  assert.deepEqual([1, 2, 3, 7, 8, 1_000].map(retrySeconds), [5, 10, 20, 300, 300, 300])
})
