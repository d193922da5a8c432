// The answer that most verbs imply: who is spoken to has been answered.
import type { Run } from './run.ts'

/** Answers an inbound call that is not answered yet. False when the call is over. */
export async function answer({ held, signal }: Pick<Run, 'held' | 'signal'>): Promise<boolean> {
  if (signal.aborted || held.isOver) return false
  if (held.isAnswered) return true
  if (held.call.direction === 'outbound') {
    await held.whenAnswered(signal)
    return held.isAnswered && !held.isOver
  }
  await held.leg.answer()
  return !held.isOver
}
