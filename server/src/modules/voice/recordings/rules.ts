// What a recording may become: one table of states, and pure functions that turn what happened into its next state and, where
// others may know of, the event. A recording that was made ends as available, absent or failed, once; one that failed because its machine was
// away is available once that is back and has stored it.
import type { Selectable } from 'kysely'
import type { Database } from '../../../kernel/data/database.generated.ts'
import type { NewEvent } from '../../../kernel/data/events.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { ProblemCode } from '../../../kernel/values/problem.ts'
import { move, type Table } from '../../../kernel/values/states.ts'

export const recordingStates = [
  'recording',
  'paused',
  'processing',
  'available',
  'absent',
  'failed',
  'deleted',
] as const
export type RecordingState = (typeof recordingStates)[number]

export type RecordingTransition =
  | 'paused'
  | 'resumed'
  | 'finished'
  | 'stored'
  | 'nothing_recorded'
  | 'failed'
  | 'deleted'

const unfinished = ['recording', 'paused', 'processing'] as const

export const recordingTransitions: Table<RecordingState, RecordingTransition> = {
  paused: { from: ['recording'], to: 'paused' },
  resumed: { from: ['paused'], to: 'recording' },
  finished: { from: ['recording', 'paused'], to: 'processing' },
  // Failed is what others gave up as lost; its machine may still come back with the file.
  stored: { from: ['processing', 'failed'], to: 'available' },
  nothing_recorded: { from: unfinished, to: 'absent' },
  failed: { from: unfinished, to: 'failed' },
  deleted: { from: ['available', 'absent', 'failed'], to: 'deleted' },
}

/** Why a recording failed. */
export type RecordingFault = Extract<ProblemCode, 'recording_write_failed' | 'recording_lost'>

export const recordingChannels = ['mono', 'dual'] as const
export type RecordingChannels = (typeof recordingChannels)[number]

/** Who or what deleted a recording: a request, or the time it may be kept. */
export type DeletedBy = 'api' | 'retention' | 'erasure'

/** A row of `recordings` with its words as types. */
export type Recording = Omit<Selectable<Database['recordings']>, 'state' | 'channels' | 'metadata' | 'error'> & {
  state: RecordingState
  channels: RecordingChannels
  metadata: Record<string, string>
  error: RecordingFault | null
}

/** The recording as it will be, and the event that reports it. */
export type RecordingStep = { recording: Recording; event: NewEvent | undefined }

/** Events report what others can act on; that one runs or pauses is reported by the call's own. */
const reported = ['available', 'absent', 'failed', 'deleted'] as const satisfies readonly RecordingState[]

export function isUnfinished({ state }: Pick<Recording, 'state'>): boolean {
  return (unfinished as readonly RecordingState[]).includes(state)
}

/** What happened makes this of a recording; undefined when it cannot happen in its state. Times never run backwards. */
export function nextRecording(
  recording: Recording,
  transition: RecordingTransition,
  facts: Partial<Recording>,
  atMs: number,
  details: Record<string, string> = {},
): RecordingStep | undefined {
  const state = move(recordingTransitions, recording.state, transition)
  if (state === undefined) return undefined
  const at = isoMs(Math.max(atMs, Date.parse(recording.changed_at)))
  const times: Partial<Recording> = {
    ended_at: state === 'recording' || state === 'paused' ? null : (recording.ended_at ?? at),
    ...(state === 'available' ? { available_at: at } : {}),
    ...(state === 'deleted' ? { deleted_at: at } : {}),
  }
  const sequence = recording.sequence + 1
  const next: Recording = { ...recording, ...times, ...facts, state, sequence, changed_at: at }
  const emitted = reported.find(one => one === state)
  if (emitted === undefined) return { recording: next, event: undefined }
  const data = { ...presentRecording(next), previousState: recording.state, ...details, occurredAt: at }
  const { id: resourceId, callback_url: callbackUrl } = next
  return { recording: next, event: { type: `recording.${emitted}`, resourceId, sequence, data, callbackUrl } }
}

/** A recording as clients see it, in replies and in the data of events. */
export function presentRecording(recording: Recording) {
  const { id, state } = recording
  return {
    recordingId: id,
    callId: recording.call_id,
    state,
    channels: recording.channels,
    durationMs: recording.duration_ms,
    sizeBytes: recording.size_bytes,
    sha256: recording.sha256,
    mediaUrl: state === 'available' ? `/v2/voice/recordings/${id}/media` : null,
    errorCode: recording.error,
    metadata: recording.metadata,
    createdAt: recording.created_at,
    startedAt: recording.started_at,
    endedAt: recording.ended_at,
    availableAt: recording.available_at,
    deletedAt: recording.deleted_at,
  }
}

/** Where a recording lies while it is made, in the folder of the machine. */
export function localPathOf(tenantId: number, id: string): string {
  return `live/${tenantId}/${id}.wav`
}

/**
 * The key of a recording in a store: by tenant and month, and fanned out by the last two characters of its id, which are
 * random, so that no folder grows without bound.
 */
export function objectKeyOf({ tenant_id, id, created_at }: Recording): string {
  return `${tenant_id}/${created_at.slice(0, 7)}/${id.slice(-2)}/${id}.wav`
}

/** Seconds until a job that failed so often is tried again: 5, doubling, at most five minutes. */
export function retrySeconds(attempts: number): number {
  return Math.min(300, 5 * 2 ** Math.min(attempts - 1, 10))
}
