// What people may change of a conversation, and what that changes besides. Pure.
import { isoMs } from '../../kernel/values/clock.ts'
import type { ConversationState } from './rules.ts'

export type Asked = {
  state?: ConversationState
  snoozedUntil?: string
  assigneeId?: number | null
  teamId?: string | null
}

export const maxSnoozeMs = 366 * 24 * 3_600_000

export type Changeable = {
  state: ConversationState
  snoozed_until: string | null
  waiting_since: string | null
  closed_waiting_since: string | null
  assignee_id: number | null
  team_id: string | null
}

type Happened = 'assigned' | 'snoozed' | 'closed' | 'reopened'

/** The conversation as it will be, and what happened; nothing, where it is so already. */
export function changed(before: Changeable, asked: Asked): { next: Changeable; happened: Happened[] } {
  const state = asked.snoozedUntil === undefined ? (asked.state ?? before.state) : 'snoozed'
  const until = asked.snoozedUntil === undefined ? null : isoMs(Date.parse(asked.snoozedUntil))
  const next: Changeable = {
    state,
    snoozed_until: state === 'snoozed' ? (until ?? before.snoozed_until) : null,
    // Nobody has to answer what is closed; who opens it again, as it was closed by mistake, finds it waiting as before.
    waiting_since: state === 'closed' ? null : (before.waiting_since ?? before.closed_waiting_since),
    closed_waiting_since: state === 'closed' ? (before.waiting_since ?? before.closed_waiting_since) : null,
    assignee_id: asked.assigneeId === undefined ? before.assignee_id : asked.assigneeId,
    team_id: asked.teamId === undefined ? before.team_id : asked.teamId,
  }
  const happened: Happened[] = []
  if (next.assignee_id !== before.assignee_id || next.team_id !== before.team_id) happened.push('assigned')
  if (state === 'snoozed' && next.snoozed_until !== before.snoozed_until) happened.push('snoozed')
  else if (state !== before.state) happened.push(state === 'closed' ? 'closed' : 'reopened')
  return { next, happened }
}
