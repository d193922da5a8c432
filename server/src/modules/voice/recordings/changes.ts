// What engines and other modules may use of recordings: start, pausing and ending one, and saying what came of it. All of it
// happens inside the caller's transaction; the file itself is the caller's until `finishRecording`, and ours from then on.
import { join } from 'node:path'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { LocalFolder } from '../../../kernel/objects/object_store.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { checkedKey } from '../../../kernel/values/object_key.ts'
import {
  type DeletedBy,
  localPathOf,
  nextRecording,
  type Recording,
  type RecordingChannels,
  type RecordingFault,
  type RecordingTransition,
} from './rules.ts'
import { changeRecordings, insertJob, insertRecording, lockRecordings, removeJob } from './store.ts'

export {
  presentRecording,
  type Recording,
  type RecordingChannels,
  type RecordingFault,
  recordingStates,
} from './rules.ts'
export { listRecordingsOf } from './store.ts'

/** The queue that works on files; wake it after a commit that finished or deleted recordings. */
export const recordingQueue = 'recordings'

export type StartRecording = {
  callId: string
  channels: RecordingChannels
  metadata?: Record<string, string>
  /** The process that writes the file. */
  owner: string
  /** `services.objects.folder.id()` of that process. */
  folder: string
  atMs: number
}

/**
 * Starts a recording of a call that is under way; undefined when the call is over. The caller writes the file
 * `recordingFile` and ends it by `finishRecording`, `markAbsent` or `markFailed`, best in the transaction that ends the
 * call. When it dies instead, the recording is finished from what is on disk, a minute after the call has ended.
 */
export function startRecording(tx: Tx, scope: Scope, start: StartRecording): Promise<Recording | undefined> {
  const { callId, channels, metadata = {}, owner, folder, atMs } = start
  const id = newId('rec', atMs)
  const local_path = localPathOf(scope.tenantId, id)
  const created_at = isoMs(atMs)
  return insertRecording(tx, scope, { id, call_id: callId, channels, metadata, owner, folder, local_path, created_at })
}

/** The absolute path of the file while the recording is made. Its folder may have to be made first. */
export function recordingFile(folder: LocalFolder, { local_path }: Pick<Recording, 'local_path'>): string {
  return join(folder.path, ...checkedKey(local_path).split('/'))
}

/** Each of these answers the recording as it is now, and undefined when that cannot happen in its state. */
export function pauseRecording(tx: Tx, scope: Scope, id: string, atMs: number): Promise<Recording | undefined> {
  return step(tx, scope, id, 'paused', {}, atMs)
}

export function resumeRecording(tx: Tx, scope: Scope, id: string, atMs: number): Promise<Recording | undefined> {
  return step(tx, scope, id, 'resumed', {}, atMs)
}

/** Ends a recording whose file is written and closed, and has it stored. Wake `recordingQueue` after the commit. */
export async function finishRecording(
  tx: Tx,
  scope: Scope,
  id: string,
  { atMs, durationMs }: { atMs: number; durationMs?: number },
): Promise<Recording | undefined> {
  const facts = durationMs === undefined ? {} : { duration_ms: Math.round(durationMs) }
  const recording = await step(tx, scope, id, 'finished', facts, atMs)
  if (recording !== undefined) await insertJob(tx, scope, id, 'store', recording.folder)
  return recording
}

export type StoredRecording = {
  storage: string
  key: string
  size: number
  sha256: string
  durationMs: number
  atMs: number
}

/** Says that a recording can be read from its store, also one that was given up. */
export async function markAvailable(
  tx: Tx,
  scope: Scope,
  id: string,
  stored: StoredRecording,
): Promise<Recording | undefined> {
  const { storage, key: storage_key, size: size_bytes, sha256, durationMs, atMs } = stored
  const duration_ms = Math.round(durationMs)
  const facts = { storage, storage_key, size_bytes, sha256, duration_ms, error: null }
  return settled(tx, scope, await step(tx, scope, id, 'stored', facts, atMs))
}

/** Says that nothing was recorded. */
export async function markAbsent(tx: Tx, scope: Scope, id: string, atMs: number): Promise<Recording | undefined> {
  return settled(tx, scope, await step(tx, scope, id, 'nothing_recorded', { duration_ms: 0 }, atMs))
}

/** Says that there is no recording although there should be. */
export async function markFailed(
  tx: Tx,
  scope: Scope,
  id: string,
  error: RecordingFault,
  atMs: number,
): Promise<Recording | undefined> {
  return settled(tx, scope, await step(tx, scope, id, 'failed', { error }, atMs))
}

/** Deletes recordings that have come to their end; the others are left as they are. */
export async function deleteRecordings(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  by: DeletedBy,
  atMs: number,
): Promise<Recording[]> {
  const locked = await lockRecordings(tx, scope, ids)
  const steps = locked.flatMap(row => nextRecording(row, 'deleted', {}, atMs, { deletedBy: by }) ?? [])
  await changeRecordings(tx, scope, steps)
  const deleted = steps.map(({ recording }) => recording)
  for (const recording of deleted) await removeObject(tx, scope, recording)
  return deleted
}

/** Has the object of a recording removed, by a machine that can. */
export async function removeObject(tx: Tx, scope: Scope, { id, storage, folder }: Recording): Promise<void> {
  if (storage !== null) await insertJob(tx, scope, id, 'remove', storage === 'disk' ? folder : null)
}

async function step(
  tx: Tx,
  scope: Scope,
  id: string,
  transition: RecordingTransition,
  facts: Partial<Recording>,
  atMs: number,
): Promise<Recording | undefined> {
  const [before] = await lockRecordings(tx, scope, [id])
  const next = before && nextRecording(before, transition, facts, atMs)
  if (next === undefined) return undefined
  await changeRecordings(tx, scope, [next])
  return next.recording
}

/** What lies in the folder of the machine is of no use any more. */
async function settled(tx: Tx, scope: Scope, recording: Recording | undefined): Promise<Recording | undefined> {
  if (recording === undefined) return undefined
  await removeJob(tx, scope, recording.id, 'store')
  await insertJob(tx, scope, recording.id, 'clean', recording.folder)
  return recording
}
