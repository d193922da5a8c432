// Pauses and ends of recordings by commands: they reach every recording in which the call is heard, whichever leg it is taken of,
// and where there is none the call says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Remote, type World } from '../../../../test/voice/control_world.ts'
import { dialTo, over, rest, talking } from '../../../../test/voice/talk.ts'
import type { InstructionList } from '../instructions/index.ts'

const pause: InstructionList = [{ verb: 'recordPause', behavior: 'skip' }]
const resume: InstructionList = [{ verb: 'recordResume' }]
const stop: InstructionList = [{ verb: 'recordStop' }]
const nothing = (verb: string) => [{ verb, why: 'nothing is being recorded' }]

/** For a second each: recorded, paused by one call, recorded again, and after the end by another. */
async function pauseAndStop(w: World, by: Remote, other: Remote) {
  await w.run(1_000)
  w.command(by, pause)
  await w.run(1_000)
  w.command(other, resume)
  await w.run(1_000)
  w.command(by, stop)
  await w.run(1_000)
}

function assertLengths(w: World, lengths: number[], what: string) {
  const found = w.recordings.map(({ durationMs }) => durationMs ?? -1)
  assert.equal(found.length, lengths.length, `${what}: ${found}`)
  for (const [index, ms] of found.entries())
    assert.ok(Math.abs(ms - (lengths[index] as number)) <= 100, `${what}: ${found}`)
}

test('of one who dialled, of one who took a caller out of a queue, and of a conference, by each of both', async () => {
  for (const isFirst of [true, false]) {
    for (const how of ['dial', 'dequeue', 'conference'] as const) {
      const w = createWorld()
      const [one, two] = await joined(w, how)
      one.speak(500)
      two.speak(900)
      await pauseAndStop(w, isFirst ? one : two, isFirst ? two : one)
      assertLengths(w, [2_000], `${how} ${isFirst}`)
      assert.deepEqual(one.notes('call.recording_unchanged'), [])
      w.command(two, pause)
      await w.run(40)
      assert.deepEqual(two.notes('call.recording_unchanged'), nothing('recordPause'))
      await over(w, one, two)
    }
  }
})

/** Two who hear each other; what is recorded is the leg of the second, or of who dialled. */
async function joined(w: World, how: 'dial' | 'dequeue' | 'conference'): Promise<[Remote, Remote]> {
  if (how === 'dial') {
    const caller = await w.call([dialTo(1, { record: 'mono' }), rest])
    w.child(0).answers()
    await w.run(40)
    return [caller, w.child(0)]
  }
  const [first, second]: [InstructionList, InstructionList] =
    how === 'dequeue'
      ? [
          [{ verb: 'enqueue', queue: 'q' }, rest],
          [{ verb: 'dequeue', queue: 'q', record: 'mono' }, rest],
        ]
      : [
          [{ verb: 'conference', name: 'c' }, rest],
          [{ verb: 'conference', name: 'c', record: 'mono' }, rest],
        ]
  const one = await w.call(first)
  const two = await w.call(second)
  await w.run(40)
  return [one, two]
}

test('a pause, and an end, hold for the recording that goes on with another partner', async () => {
  for (const [command, lengths] of [
    [pause, [1_000, 1_000]],
    [stop, [1_000]],
  ] as const) {
    const w = createWorld()
    const { caller, callee } = await talking(w, { record: 'mono' })
    await w.run(700)
    w.command(caller, command)
    await w.run(200)
    callee.happen({ type: 'transfer_requested', to: '+15550100005', replaces: null, settle: () => {} })
    await w.run(100)
    w.child(1).answers()
    await w.run(1_000)
    w.command(w.child(1), resume)
    await w.run(1_000)
    w.child(1).hangsUp()
    await w.run(40)
    assertLengths(w, [...lengths], command[0]?.verb ?? '')
    await over(w, caller)
  }
})

test('a command that comes while the file is being opened holds from its first frame on', async () => {
  for (const command of [pause, stop]) {
    const w = createWorld({ slowMs: 500 })
    const remote = await w.call([{ verb: 'pause', seconds: 60 }])
    remote.speak(500)
    w.command(remote, [{ verb: 'record', mode: 'call' }])
    await w.run(100)
    w.command(remote, command)
    await w.run(2_000)
    if (command === pause) w.command(remote, resume)
    else w.command(remote, [{ verb: 'record', mode: 'call' }])
    await w.run(1_500)
    w.command(remote, stop)
    await w.run(100)
    assertLengths(w, command === pause ? [1_500] : [0, 1_000], command[0]?.verb ?? '')
    assert.deepEqual(remote.notes('call.recording_unchanged'), [])
    await over(w, remote)
  }
})
