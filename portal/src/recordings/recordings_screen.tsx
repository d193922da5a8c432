// Recordings of all calls: a list that follows what happens, where each is heard, kept as a file, and deleted by those who may.
import type { RecordingsListItem } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Party } from '../people/party.tsx'
import { clientOf } from '../people/phone_text.ts'
import { durationText, IdLink, sizeText } from '../ui/index.ts'
import { DeleteRecording } from './delete_recording.tsx'
import { RecordingSound } from './recording_sound.tsx'

type Item = RecordingsListItem

const underWay: Item['state'][] = ['recording', 'paused', 'processing']

const recordings: Resource<Item> = {
  many: 'recordings',
  about: 'What was recorded of calls, newest first.',
  from: api => api.recordings.list,
  id: 'recordingId',
  nameOf: ({ recordingId }) => recordingId,
  filters: [
    { name: 'callId', label: 'Call', placeholder: 'call_…' },
    { name: 'state', label: 'State', options: [...underWay, 'available', 'absent', 'failed', 'deleted'] },
    { name: 'createdAfter', label: 'Recorded since', kind: 'day' },
  ],
  columns: [
    { name: 'with', label: 'With', px: 250, hasControls: true, cell: With },
    { name: 'startedAt', label: 'Started', kind: 'time' },
    {
      name: 'callId',
      label: 'Call',
      px: 130,
      atFirst: 'wide',
      hasControls: true,
      cell: one => <IdLink id={one.callId}>Inspect the call</IdLink>,
    },
    { name: 'state', label: 'State', px: 180, kind: 'status', code: 'errorCode' },
    {
      name: 'durationMs',
      label: 'Length',
      px: 110,
      align: 'end',
      cell: one => one.durationMs && durationText(one.durationMs),
    },
    {
      name: 'channels',
      label: 'Channels',
      px: 180,
      atFirst: 'wide',
      cell: ({ channels }) => (channels === 'dual' ? 'Caller left, callee right' : 'Mono'),
    },
    {
      name: 'sizeBytes',
      label: 'Size',
      px: 110,
      align: 'end',
      atFirst: 'wide',
      cell: one => one.sizeBytes && sizeText(one.sizeBytes),
    },
    { name: 'sound', label: 'Sound', px: 330, hasControls: true, cell: Sound },
    { name: 'availableAt', label: 'Available', kind: 'time', atFirst: 'never' },
    { name: 'recordingId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  addressesOf: one => [otherSide(one)?.address ?? ''],
  live: { events: 'recording.', isMoving: ({ state }) => underWay.includes(state) },
  empty: {
    text: 'The instruction record keeps what a caller says after a tone, and with "mode": "call" the whole call. It is played here.',
  },
}

/** Whom one of us spoke with: who called, or was called from here. */
function otherSide({ call }: Item) {
  if (call === null) return undefined
  const isOurs = call.direction === 'outbound' || clientOf(call.from) !== undefined
  return isOurs ? { address: call.to, name: null } : { address: call.from, name: call.callerName }
}

function With(one: Item) {
  const side = otherSide(one)
  return side === undefined ? null : <Party {...side} />
}

function Sound(recording: Item) {
  if (recording.state !== 'available') return null
  return (
    <RecordingSound recordingId={recording.recordingId}>
      <DeleteRecording recording={recording} />
    </RecordingSound>
  )
}

export const RecordingsScreen = () => <ResourceScreen of={recordings} />
