// For tests of recordings: makes recordings in any state on a test application, with a small WAV file that is really stored.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Scope } from '../../src/kernel/data/db.ts'
import { wavFile, wavHeaderBytes } from '../../src/media/wav_write.ts'
import {
  finishRecording,
  markAbsent,
  markAvailable,
  markFailed,
  pauseRecording,
  type Recording,
  recordingFile,
  startRecording,
} from '../../src/modules/voice/recordings/changes.ts'
import { objectKeyOf, type RecordingState } from '../../src/modules/voice/recordings/rules.ts'
import { findRecording } from '../../src/modules/voice/recordings/store.ts'
import type { TestApp, TestOrganization } from '../harness.ts'
import { startCall } from './calls.ts'

/** A recording of so many milliseconds, one channel. */
export function soundFile(durationMs: number): Buffer {
  return wavFile(Int16Array.from({ length: durationMs * 8 }, (_, at) => ((at * 7) % 2_001) - 1_000))
}

const durationOf = (bytes: Buffer) => (bytes.length - wavHeaderBytes) / 16

export function liveScope({ liveTenantId, organizationId }: TestOrganization): Scope {
  return { tenantId: liveTenantId, organizationId }
}

export type MakeRecording = {
  state?: RecordingState
  of?: TestOrganization
  /** Of a call there is; else one is started. */
  callId?: string
  bytes?: Buffer
  callbackUrl?: string
}

/** Makes a recording in the live tenant and leads it to a state. */
export async function makeRecording(t: TestApp, options: MakeRecording = {}): Promise<Recording> {
  const { state = 'available', of = t.main, bytes = soundFile(1_000), callbackUrl } = options
  const more = callbackUrl === undefined ? {} : { callbackUrl }
  const callId = options.callId ?? (await startCall(t, '+15005550200', more, of.tokens.Admin))
  const scope = liveScope(of)
  const { db, objects, clock } = t.app.services
  const started = await db.inTenant(scope, tx =>
    startRecording(tx, scope, {
      callId,
      channels: 'mono',
      metadata: { purpose: 'test' },
      owner: 'node_test',
      folder: objects.folder.id(),
      atMs: clock.now(),
    }),
  )
  if (started === undefined) throw new Error('the call is over')
  const { id } = started
  const atMs = clock.now() + 1_000
  if (state !== 'recording' && state !== 'paused' && state !== 'absent' && state !== 'failed') {
    const path = recordingFile(objects.folder, started)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  const now = await db.inTenant(scope, async tx => {
    switch (state) {
      case 'recording':
        return started
      case 'paused':
        return pauseRecording(tx, scope, id, atMs)
      case 'absent':
        return markAbsent(tx, scope, id, atMs)
      case 'failed':
        return markFailed(tx, scope, id, 'recording_write_failed', atMs)
      default:
        return finishRecording(tx, scope, id, { atMs, durationMs: durationOf(bytes) })
    }
  })
  if (now === undefined) throw new Error(`no recording can become ${state}`)
  if (state !== 'available' && state !== 'deleted') return now
  const key = objectKeyOf(now)
  const put = await objects.current.put(key, recordingFile(objects.folder, now))
  if (put.sha256 !== createHash('sha256').update(bytes).digest('hex')) throw new Error('stored something else')
  const stored = { storage: objects.current.name, key, ...put, durationMs: durationOf(bytes), atMs }
  // A worker may have been faster.
  const available = await db.inTenant(
    scope,
    async tx => (await markAvailable(tx, scope, id, stored)) ?? (await findRecording(tx, scope, id)),
  )
  if (state === 'available') return available as Recording
  const { status, json } = await t.call('DELETE', `/v2/voice/recordings/${id}`, { as: of.tokens.Admin })
  if (status !== 200) throw new Error(`not deleted: ${JSON.stringify(json)}`)
  return { ...(available as Recording), state: 'deleted' }
}
