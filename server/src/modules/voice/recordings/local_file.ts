// The file of a recording while it lies on the machine that made it: written beside the call, and mended when its writer died.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { createFileSink, mendWavFile, type RecordingSink, wavHeaderBytes } from '../../../media/wav_write.ts'
import {
  finishRecording,
  markAbsent,
  markFailed,
  pauseRecording,
  type RecordingChannels,
  recordingFile,
  recordingQueue,
  resumeRecording,
  startRecording,
} from './changes.ts'

/** What came of a file: how long its sound is, or why there is none. */
export type Mended = { durationMs: number } | 'empty' | 'missing' | 'broken'

/** Makes a file whole, also one whose writer died over it. Doing it twice changes nothing more. */
export type MendRecording = (path: string) => Promise<Mended>

export const mendRecording: MendRecording = async path => {
  const size = await sizeOf(path)
  if (size === undefined) return 'missing'
  // Not even the header, which is written first.
  if (size < wavHeaderBytes) return 'empty'
  const mended = await mendWavFile(path)
  if ('fault' in mended) return 'broken'
  return mended.durationMs === 0 ? 'empty' : { durationMs: mended.durationMs }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A recording under way, and where its sound goes. */
export type OpenRecording = {
  readonly recordingId: string
  readonly sink: RecordingSink
  paused(): Promise<void>
  resumed(): Promise<void>
  /** The sink was finished: the file goes to its store, or away when nothing was recorded. */
  ended(durationMs: number): Promise<void>
}

export type OpenRecordingOptions = {
  /** The process, as it names itself to calls. */
  owner: string
  channels: RecordingChannels
  metadata?: Record<string, string>
}

/** Starts the row and the file of a recording; undefined when the call is over. */
export async function openRecording(
  services: Pick<Services, 'db' | 'objects' | 'clock' | 'log' | 'wake'>,
  { callId, tenantId, organizationId }: Scope & { callId: string },
  { owner, channels, metadata = {} }: OpenRecordingOptions,
): Promise<OpenRecording | undefined> {
  const { db, objects, clock, log, wake } = services
  const scope: Scope = { tenantId, organizationId }
  const start = { callId, channels, metadata, owner, folder: objects.folder.id(), atMs: clock.now() }
  const started = await db.inTenant(scope, tx => startRecording(tx, scope, start))
  if (started === undefined) return undefined
  const { id } = started
  const path = recordingFile(objects.folder, started)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    await db.inTenant(scope, tx => markFailed(tx, scope, id, 'recording_write_failed', clock.now()))
    throw error
  }
  const sink = createFileSink(path)

  /** Whether all of it is on disk; a disk that is full keeps what it took. */
  async function isWritten(): Promise<boolean> {
    try {
      await sink.closed
      return true
    } catch (error) {
      log.error({ recordingId: id, err: error }, 'a recording could not be written')
      return false
    }
  }

  return {
    recordingId: id,
    sink,
    paused: async () => void (await db.inTenant(scope, tx => pauseRecording(tx, scope, id, clock.now()))),
    resumed: async () => void (await db.inTenant(scope, tx => resumeRecording(tx, scope, id, clock.now()))),
    async ended(durationMs) {
      const written = await isWritten()
      const kept = written || ((await sizeOf(path).catch(() => undefined)) ?? 0) > wavHeaderBytes
      const atMs = clock.now()
      await db.inTenant(scope, tx => {
        if (!kept) return markFailed(tx, scope, id, 'recording_write_failed', atMs)
        if (written && durationMs === 0) return markAbsent(tx, scope, id, atMs)
        return finishRecording(tx, scope, id, written ? { atMs, durationMs } : { atMs })
      })
      wake(recordingQueue)
    },
  }
}
