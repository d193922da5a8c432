// For tests of calls that are joined: two that talk, each by a tone of its own, and what must be so when all is over.
import assert from 'node:assert/strict'
import type { DialInstruction } from '../instructions/schema.ts'
import { type Far, nothingLeft, type World } from './testing.ts'

export const rest = { verb: 'pause', seconds: 600 } as const
export const number = (last: number) => ({ type: 'number' as const, number: `+1555010000${last}` })
export const dialTo = (count: number, more: Partial<DialInstruction> = {}): DialInstruction => ({
  verb: 'dial',
  targets: Array.from({ length: count }, (_, i) => number(i)),
  ...more,
})

/** Two that talk with each other, the caller by 500 Hz, the other by 900 Hz. */
export async function talking(w: World, more: Partial<DialInstruction> = {}) {
  const caller = await w.call([dialTo(1, more), rest])
  const callee = w.child(0)
  callee.answers()
  await w.run(40)
  caller.speak(500)
  callee.speak(900)
  await w.run(300)
  return { caller, callee }
}
export const hear = (one: Far, other: Far) => one.hears(900) && other.hears(500)

export async function over(w: World, ...fars: Far[]) {
  for (const far of fars) far.hangsUp()
  await w.run(40)
  assert.deepEqual(w.left(), nothingLeft)
  assert.deepEqual(w.faults, [])
  for (const far of [...fars, ...w.dialed])
    assert.equal(far.told.filter(it => it.type === 'ended').length, 1, 'one end for each leg')
}
