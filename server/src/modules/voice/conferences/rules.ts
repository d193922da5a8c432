// What a conference may become: one table of states, and pure functions that turn what happened in it into its next state, the
// event, and what is to be written of its participants.

import type { Selectable } from 'kysely'
import type { Database } from '../../../kernel/data/database.generated.ts'
import type { NewEvent } from '../../../kernel/data/events.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { EventsOf } from '../../../kernel/values/noun.ts'
import { move, type Table } from '../../../kernel/values/states.ts'

/** `init`: everybody waits for somebody with whom it starts. */
export const conferenceStates = ['init', 'active', 'ended'] as const
export type ConferenceState = (typeof conferenceStates)[number]

export const conferenceTransitions: Table<ConferenceState, 'started' | 'ended'> = {
  started: { from: ['init'], to: 'active' },
  ended: { from: ['init', 'active'], to: 'ended' },
}

export const endReasons = ['empty', 'host_left', 'node_lost'] as const
export type EndReason = (typeof endReasons)[number]

export const leftReasons = ['left', 'key', 'timeout', 'removed', 'ended', 'hangup', 'node_lost'] as const
export type LeftReason = (typeof leftReasons)[number]

/** A row of `conferences` with its words as types. */
export type Conference = Omit<Selectable<Database['conferences']>, 'state' | 'end_reason'> & {
  state: ConferenceState
  end_reason: EndReason | null
}

/** A row of `conference_participants` with its words as types. */
export type Participant = Omit<Selectable<Database['conference_participants']>, 'left_reason'> & {
  left_reason: LeftReason | null
}

/** A participant with the two sides of its call. */
export type Seated = Participant & { direction: 'outbound' | 'inbound'; from_number: string; to_number: string }

/** What happens in a conference, as the node that holds it reports, or as it was asked for. Times are ms since 1970. */
export type ConferenceEvent =
  | { type: 'started'; atMs: number }
  | {
      type: 'joined'
      atMs: number
      callId: string
      muted: boolean
      coach: string | null
      /** That of the call, which hears of its own coming and going. */
      callbackUrl: string | null
    }
  | { type: 'updated'; atMs: number; callId: string; muted: boolean; held: boolean; callbackUrl: string | null }
  | { type: 'left'; atMs: number; callId: string; reason: LeftReason; callbackUrl: string | null }
  | { type: 'ended'; atMs: number; reason: EndReason }

/** The conference as it will be, its participant as it will be, and the event that reports it. */
export type ConferenceStep = { conference: Conference; participant: Participant | undefined; event: NewEvent }

/**
 * How an event changes a conference, or undefined when it changes nothing. Times never run backwards.
 * @param participant the row of the call that it is about, where there is one
 */
export function nextConference(
  conference: Conference,
  participant: Participant | undefined,
  event: ConferenceEvent,
): ConferenceStep | undefined {
  const at = isoMs(Math.max(event.atMs, Date.parse(conference.changed_at)))
  if (conference.state === 'ended') return undefined
  switch (event.type) {
    case 'joined': {
      const { callId, muted, coach, callbackUrl } = event
      const isIn = participant !== undefined && participant.left_at === null
      const joined: Participant = {
        tenant_id: conference.tenant_id,
        conference_id: conference.id,
        call_id: callId,
        muted,
        held: false,
        coach,
        joined_at: at,
        left_at: null,
        left_reason: null,
      }
      const participants = conference.participants + (isIn ? 0 : 1)
      return step(
        conference,
        { participants },
        { at, type: 'conference.participant_joined', participant: joined, callbackUrl },
      )
    }
    case 'updated': {
      const { muted, held, callbackUrl } = event
      const isIn = participant !== undefined && participant.left_at === null
      if (!isIn || (participant.muted === muted && participant.held === held)) return undefined
      const updated: Participant = { ...participant, muted, held }
      return step(conference, {}, { at, type: 'conference.participant_updated', participant: updated, callbackUrl })
    }
    case 'left': {
      if (participant === undefined || participant.left_at !== null) return undefined
      const left: Participant = { ...participant, left_at: at, left_reason: event.reason }
      const participants = conference.participants - 1
      const { callbackUrl } = event
      return step(
        conference,
        { participants },
        { at, type: 'conference.participant_left', participant: left, callbackUrl },
      )
    }
    case 'started': {
      const state = move(conferenceTransitions, conference.state, 'started')
      return state && step(conference, { state, started_at: at }, { at, type: 'conference.started' })
    }
    case 'ended': {
      const state = move(conferenceTransitions, conference.state, 'ended')
      const facts = { ended_at: at, end_reason: event.reason, participants: 0 }
      return state && step(conference, { state, ...facts }, { at, type: 'conference.ended' })
    }
  }
}

type Change = { at: string; type: EventsOf<'conference'>; participant?: Participant; callbackUrl?: string | null }

function step(before: Conference, facts: Partial<Conference>, change: Change): ConferenceStep {
  const { at, type, participant, callbackUrl = before.callback_url } = change
  const sequence = before.sequence + 1
  const conference: Conference = { ...before, ...facts, sequence, changed_at: at }
  const data = {
    ...presentConference(conference),
    previousState: before.state,
    participant: participant === undefined ? null : presentParticipant(participant),
    occurredAt: at,
  }
  const event = { type, resourceId: conference.id, sequence, data, callbackUrl }
  return { conference, participant, event }
}

/** A conference as clients see it, in replies and in the data of events. */
export function presentConference(conference: Conference) {
  return {
    conferenceId: conference.id,
    name: conference.name,
    state: conference.state,
    participantCount: conference.participants,
    endReason: conference.end_reason,
    createdAt: conference.created_at,
    startedAt: conference.started_at,
    endedAt: conference.ended_at,
  }
}

export function presentParticipant(participant: Participant) {
  return {
    callId: participant.call_id,
    muted: participant.muted,
    held: participant.held,
    coach: participant.coach,
    joinedAt: participant.joined_at,
    leftAt: participant.left_at,
    leftReason: participant.left_reason,
  }
}

export function presentSeated(seated: Seated) {
  const { direction, from_number: from, to_number: to } = seated
  return { ...presentParticipant(seated), direction, from, to }
}
