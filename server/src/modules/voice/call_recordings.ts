// The files of recordings while a call is under way: begun with their rows, handed to be stored when they end.
import { mkdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Services } from '../../kernel/endpoint.ts'
import { createFileSink } from '../../media/wav_write.ts'
import type { Recordings } from './control/tools.ts'
import {
  finishRecording,
  markAbsent,
  markFailed,
  pauseRecording,
  recordingFile,
  recordingQueue,
  resumeRecording,
  startRecording,
} from './recordings/index.ts'

export function createRecordings({ db, objects, clock, wake }: Services, owner: string): Recordings {
  return {
    async open({ ref, call }, channels) {
      const { folder } = objects
      const row = await db.inTenant(ref, tx =>
        startRecording(tx, ref, { callId: call.id, channels, owner, folder: folder.id(), atMs: clock.now() }),
      )
      if (row === undefined) return undefined
      const path = recordingFile(folder, row)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const sink = createFileSink(path)
      return {
        recordingId: row.id,
        sink,
        paused: async () => void (await db.inTenant(ref, tx => pauseRecording(tx, ref, row.id, clock.now()))),
        resumed: async () => void (await db.inTenant(ref, tx => resumeRecording(tx, ref, row.id, clock.now()))),
        async ended(durationMs) {
          const isWritten = await sink.closed.then(
            () => true,
            () => false,
          )
          const atMs = clock.now()
          await db.inTenant(ref, async tx => {
            if (!isWritten) await markFailed(tx, ref, row.id, 'recording_write_failed', atMs)
            else if (durationMs === 0) await markAbsent(tx, ref, row.id, atMs)
            else await finishRecording(tx, ref, row.id, { atMs, durationMs })
          })
          if (durationMs === 0) await unlink(path).catch(() => {})
          wake(recordingQueue)
        },
      }
    },
  }
}
