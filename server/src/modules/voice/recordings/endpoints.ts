// Recordings of calls over the API: list and read them, hear them, delete them. They are made while calls are under way.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { FileBytes, MomentInput, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { hearsAreRecorded } from '../../audit/index.ts'
import { deleteRecordings, recordingQueue } from './changes.ts'
import { openMedia } from './media.ts'
import { isUnfinished, presentRecording, type Recording, recordingChannels, recordingStates } from './rules.ts'
import { findRecording, listRecordings, listSidesOf, lockRecordings, type RecordingFilters } from './store.ts'

const State = OneOf(recordingStates, {
  description:
    'recording, paused and processing are under way; available can be heard; absent (nothing was recorded), failed and ' +
    'deleted have no media.',
})

const RecordingRecord = Type.Object({
  recordingId: Type.String({ description: 'Identifier of the recording, `rec_…`.' }),
  callId: Type.String({ description: 'The call that was recorded, `call_…`.' }),
  state: State,
  channels: OneOf(recordingChannels, {
    description: 'mono: both parties on one channel; dual: the caller on the left, the callee on the right.',
  }),
  durationMs: Nullable(Type.Integer({ description: 'Length of the sound in milliseconds, without pauses.' })),
  sizeBytes: Nullable(Type.Integer({ description: 'Length of the WAV file in bytes.' })),
  sha256: Nullable(Type.String({ description: 'SHA-256 of the WAV file, in hexadecimal.' })),
  mediaUrl: Nullable(
    Type.String({ description: 'Path of the WAV file below the address of the API; null while there is none.' }),
  ),
  errorCode: Nullable(Type.String({ description: 'Why it failed, as in GET /v2/problems.' })),
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Named texts given with the instruction to record.',
  }),
  createdAt: Timestamp,
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
  availableAt: Nullable(Timestamp),
  deletedAt: Nullable(Timestamp),
})

const RecordingParams = Type.Object({
  recordingId: RecordId('rec', 'Identifier of the recording.'),
})

const sampleRecording: Static<typeof RecordingRecord> = {
  recordingId: 'rec_01kahm41x2d4f6h8k0m2p4r6t8',
  callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
  state: 'available',
  channels: 'dual',
  durationMs: 42_180,
  sizeBytes: 1_349_804,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  mediaUrl: '/v2/voice/recordings/rec_01kahm41x2d4f6h8k0m2p4r6t8/media',
  errorCode: null,
  metadata: { purpose: 'training' },
  createdAt: '2026-11-21T08:44:02.150Z',
  startedAt: '2026-11-21T08:44:02.150Z',
  endedAt: '2026-11-21T08:44:44.330Z',
  availableAt: '2026-11-21T08:44:44.512Z',
  deletedAt: null,
}
const params = { recordingId: sampleRecording.recordingId }

const ListedRecording = Type.Object({
  ...RecordingRecord.properties,
  call: Nullable(
    Type.Object(
      {
        direction: OneOf(['outbound', 'inbound'], { description: 'Who called: outbound by us, inbound to us.' }),
        from: Type.String({ description: 'Who called.' }),
        to: Type.String({ description: 'Who was called.' }),
        callerName: Nullable(Type.String({ description: 'What the caller calls themselves.' })),
      },
      { description: 'Between whom the call was; null without calls:read.' },
    ),
  ),
})

export const list = endpoint({
  id: 'recordings.list',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/recordings',
  name: 'List recordings',
  description:
    'Recordings of calls, newest first, filtered by any of the parameters together. Deleted ones stay listed.',
  permission: 'recordings:read',
  query: Type.Object({
    ...v2PageQuery,
    callId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only recordings of this call.' })),
    state: Type.Optional(State),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
  }),
  reply: ListedRecording,
  envelope: 'page',
  sample: {
    query: { state: 'available', limit: 2 },
    reply: {
      ...sampleRecording,
      call: { direction: 'inbound' as const, from: '+15550100001', to: '+15005550006', callerName: null },
    },
  },
  async handle({ query, tx, principal }) {
    const { limit = 50, cursor, callId, state } = query
    const filters: RecordingFilters = {
      callId,
      state,
      createdAfter: query.createdAfter && isoMs(Date.parse(query.createdAfter)),
      createdBefore: query.createdBefore && isoMs(Date.parse(query.createdBefore)),
    }
    const from = readCursor(cursor, filters, 'time', 'id:rec')
    const rows = await listRecordings(tx, principal, filters, from, limit + 1)
    const page = cutPage(rows, limit, row => [row.created_at, row.id], filters)
    const calls = principal.permissions.has('calls:read') ? await listSidesOf(tx, principal, page.rows) : undefined
    const items = page.rows.map(row => ({ ...presentRecording(row), call: calls?.get(row.call_id) ?? null }))
    return { items, limit, nextCursor: page.nextCursor }
  },
})

export const get = endpoint({
  id: 'recordings.get',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/recordings/{recordingId}',
  name: 'Get a recording',
  description: 'One recording with everything known of it. Its audio is at `mediaUrl` once the state is available.',
  permission: 'recordings:read',
  params: RecordingParams,
  reply: RecordingRecord,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params, reply: sampleRecording },
  async handle({ params: { recordingId }, tx, principal }) {
    const recording = await findRecording(tx, principal, recordingId)
    return presentRecording(requireRecord(recording))
  },
})

function notReady({ state }: Recording): Problem {
  const message = `The state of the recording is ${state}. Wait for the event recording.available, or ask again later.`
  return new Problem('recording_not_ready', { message })
}

export const media = endpoint({
  id: 'recordings.media',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/recordings/{recordingId}/media',
  name: 'Get the audio of a recording',
  description:
    'The recording as a WAV file (8 kHz, 16 bit), whole or the part that Range asks for: players may seek, and a download ' +
    'that broke off may go on. The ETag is the SHA-256 of the file; HEAD answers its length alone.',
  permission: 'recordings:read',
  audit: 'recording.heard',
  params: RecordingParams,
  query: Type.Object({
    download: Type.Optional(
      OneOf(['1', '0'], { description: '1 has browsers save the file instead of playing it (Content-Disposition).' }),
    ),
  }),
  reply: FileBytes('The bytes of the WAV file.'),
  envelope: 'file',
  mediaType: 'audio/wav',
  problems: ['not_found', 'recording_not_ready', 'recording_has_no_media', 'recording_unreachable'],
  sample: { params, reply: 'RIFF…WAVEfmt …' },
  async handle({ params: { recordingId }, query, tx, principal, audited, services }): Promise<FileReply> {
    const recording = requireRecord(await findRecording(tx, principal, recordingId))
    if (isUnfinished(recording)) throw notReady(recording)
    const { state, size_bytes: size, sha256 } = recording
    if (state !== 'available' || size === null || sha256 === null) {
      throw new Problem('recording_has_no_media', { message: withoutMedia[state] ?? withoutMedia['deleted'] })
    }
    if (!(await hearsAreRecorded(tx, principal))) audited(false)
    return {
      mediaType: 'audio/wav',
      size,
      tag: sha256,
      fileName: `${recording.id}.wav`,
      asDownload: query.download === '1',
      open: range => openMedia(services, recording, range),
    }
  },
})

const withoutMedia: Record<string, string> = {
  absent: 'Nothing was recorded: no sound came. There is nothing to hear.',
  failed: 'The recording failed; its errorCode says why. There is nothing to hear.',
  deleted: 'The recording was deleted. There is nothing to hear any more.',
}

export const remove = endpoint({
  id: 'recordings.delete',
  version: 'v2',
  category: 'Voice',
  method: 'DELETE',
  path: '/voice/recordings/{recordingId}',
  name: 'Delete a recording',
  description:
    'Deletes the audio of a recording for good; what is known of it stays readable, with the state deleted. Writes the ' +
    'event recording.deleted. One that is deleted already is answered as it is.',
  permission: 'recordings:delete',
  audit: 'recording.deleted',
  params: RecordingParams,
  reply: RecordingRecord,
  envelope: 'data',
  problems: ['not_found', 'recording_not_ready'],
  sample: {
    params,
    reply: { ...sampleRecording, state: 'deleted', mediaUrl: null, deletedAt: '2026-11-21T09:00:00.000Z' },
  },
  async handle({ params: { recordingId }, tx, principal, now, afterCommit, services }) {
    const [locked] = await lockRecordings(tx, principal, [recordingId])
    const recording = requireRecord(locked)
    if (isUnfinished(recording)) throw notReady(recording)
    const [deleted] = await deleteRecordings(tx, principal, [recordingId], 'api', now)
    afterCommit(() => services.wake(recordingQueue))
    return presentRecording(deleted ?? recording)
  },
})

export const endpoints = [list, get, media, remove]
