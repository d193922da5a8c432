// Recordings of all calls: a list that follows what happens, where each is heard, kept as a file, and deleted by those who may.
import type { RecordingsListItem } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Party } from '../people/party.tsx'
import { clientOf } from '../people/phone_text.ts'
import { durationText, IdLink, sizeText } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { DeleteRecording } from './delete_recording.tsx'
import { RecordingSound } from './recording_sound.tsx'
import { t } from './texts.ts'

type Item = RecordingsListItem

const underWay: Item['state'][] = ['recording', 'paused', 'processing']

const exampleId = 'call_…'

const recordings = byLanguage(
  (): Resource<Item> => ({
    many: 'recordings',
    things: t('things'),
    about: t('about'),
    from: api => api.recordings.list,
    id: 'recordingId',
    nameOf: ({ recordingId }) => recordingId,
    filters: [
      { name: 'callId', label: t('call'), placeholder: exampleId },
      { name: 'state', label: t('state'), options: [...underWay, 'available', 'absent', 'failed', 'deleted'] },
      { name: 'createdAfter', label: t('since'), kind: 'day' },
    ],
    columns: [
      { name: 'with', label: t('with'), px: 250, hasControls: true, cell: With },
      { name: 'startedAt', label: t('started'), kind: 'time' },
      {
        name: 'callId',
        label: t('call'),
        px: 130,
        atFirst: 'wide',
        hasControls: true,
        cell: one => <IdLink id={one.callId}>{t('inspectCall')}</IdLink>,
      },
      { name: 'state', label: t('state'), px: 180, kind: 'status', code: 'errorCode' },
      {
        name: 'durationMs',
        label: t('length'),
        px: 110,
        align: 'end',
        cell: one => one.durationMs && durationText(one.durationMs),
      },
      {
        name: 'channels',
        label: t('channels'),
        px: 180,
        atFirst: 'wide',
        cell: ({ channels }) => t(channels === 'dual' ? 'channels.dual' : 'channels.mono'),
      },
      {
        name: 'sizeBytes',
        label: t('size'),
        px: 110,
        align: 'end',
        atFirst: 'wide',
        cell: one => one.sizeBytes && sizeText(one.sizeBytes),
      },
      { name: 'sound', label: t('sound'), px: 330, hasControls: true, cell: Sound },
      { name: 'availableAt', label: t('available'), kind: 'time', atFirst: 'never' },
      { name: 'recordingId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    addressesOf: one => [otherSide(one)?.address ?? ''],
    live: { events: ['recording.*'], isMoving: ({ state }) => underWay.includes(state) },
    empty: {
      text: t('emptyText'),
    },
  }),
)

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
