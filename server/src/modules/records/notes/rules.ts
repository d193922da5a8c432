// Who wrote a note, and when its text was changed.
import { isoMs } from '../../../kernel/values/clock.ts'

export function createNote(_draft: unknown, _named: unknown, { userId }: { userId: number }) {
  return { set: { author_id: userId } }
}

export function changeNote<Patch extends { body?: string }>(
  _note: unknown,
  patch: Patch,
  _named: unknown,
  { nowMs }: { nowMs: number },
) {
  return { set: patch.body === undefined ? patch : { ...patch, edited_at: isoMs(nowMs) } }
}
