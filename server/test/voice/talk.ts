// For tests of calls that are joined: two that talk, each by a tone of its own, and what must be so when all is over.
import assert from 'node:assert/strict'
import type { InstructionOf } from '../../src/modules/voice/instructions/schema.ts'
import { nothingLeft, type Remote, type World } from './control_world.ts'

export const rest = { verb: 'pause', seconds: 600 } as const
export const number = (last: number) => ({ type: 'number' as const, number: `+1555010000${last}` })
export const dialTo = (count: number, more: Partial<InstructionOf<'dial'>> = {}): InstructionOf<'dial'> => ({
  verb: 'dial',
  targets: Array.from({ length: count }, (_, i) => number(i)),
  ...more,
})

/** Two that talk with each other, the caller by 500 Hz, the other by 900 Hz. */
export async function talking(w: World, more: Partial<InstructionOf<'dial'>> = {}) {
  const caller = await w.call([dialTo(1, more), rest])
  const callee = w.child(0)
  callee.answers()
  await w.run(40)
  caller.speak(500)
  callee.speak(900)
  await w.run(300)
  return { caller, callee }
}
export const hear = (one: Remote, other: Remote) => one.hears(900) && other.hears(500)

export async function over(w: World, ...remotes: Remote[]) {
  for (const remote of remotes) remote.hangsUp()
  await w.run(40)
  assert.deepEqual(w.left(), nothingLeft)
  assert.deepEqual(w.faults, [])
  for (const remote of [...remotes, ...w.dialed])
    assert.equal(remote.reported.filter(it => it.type === 'ended').length, 1, 'one end for each leg')
}
