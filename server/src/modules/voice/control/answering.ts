// The answer that most verbs imply: who is spoken to has been answered.

import { orAborted } from '../legs/index.ts'
import type { Run } from './run.ts'

/** Answers an inbound call that is not answered yet. False when the call is over, or something else runs now. */
export async function answer({ held, signal, scratch }: Pick<Run, 'held' | 'signal' | 'scratch'>): Promise<boolean> {
  if (signal.aborted || held.isOver) return false
  if (held.isAnswered) return true
  if (held.call.direction === 'outbound') {
    await held.whenAnswered(signal)
    return held.isAnswered && !held.isOver && !signal.aborted
  }
  // A command may come while the list answers: it is done once.
  scratch.answering ??= held.leg.answer().finally(() => {
    scratch.answering = undefined
  })
  await orAborted(signal, scratch.answering)
  return !held.isOver && !signal.aborted
}
