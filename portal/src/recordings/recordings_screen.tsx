// Recordings of all calls: a list that follows what happens, where each is heard, kept as a file, and deleted by those who may.
import type { Recording, RecordingsListParams } from '@tandem/sdk'
import { AudioLines } from 'lucide-react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useLiveRecords } from '../data/live_records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { chosenOf, without } from '../navigation/params.ts'
import { fromStartOfDay, useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Card,
  CodeLink,
  type Column,
  durationText,
  IdLink,
  NewOnTop,
  PageHeader,
  StatusChip,
  sizeText,
  Time,
  Toolbar,
} from '../ui/index.ts'
import { DeleteRecording } from './delete_recording.tsx'
import { RecordingSound } from './recording_sound.tsx'

export function RecordingsScreen() {
  const { permissions } = useSession()
  if (!permissions.has('recordings:read')) return <Refused title="Recordings" permission="recordings:read" />
  return <RecordingList />
}

const underWay: Recording['state'][] = ['recording', 'paused', 'processing']
const states: Recording['state'][] = [...underWay, 'available', 'absent', 'failed', 'deleted']
const filterNames = ['callId', 'state', 'createdAfter'] as const

const columns: Column<Recording>[] = [
  { key: 'started', header: 'Started', nowrap: true, render: ({ startedAt }) => <Time iso={startedAt} /> },
  { key: 'call', header: 'Call', nowrap: true, render: ({ callId }) => <IdLink id={callId}>Inspect the call</IdLink> },
  {
    key: 'state',
    header: 'State',
    render: ({ state, errorCode }) => (
      <>
        <StatusChip status={state} /> {errorCode !== null && <CodeLink code={errorCode} />}
      </>
    ),
  },
  {
    key: 'length',
    header: 'Length',
    align: 'end',
    nowrap: true,
    hideOnNarrow: true,
    render: ({ durationMs }) => (durationMs === null ? '–' : durationText(durationMs)),
  },
  {
    key: 'file',
    header: 'File',
    hideOnNarrow: true,
    render: ({ channels, sizeBytes }) =>
      `${channels === 'dual' ? 'Caller left, callee right' : 'Mono'}${sizeBytes === null ? '' : `, ${sizeText(sizeBytes)}`}`,
  },
  {
    key: 'sound',
    header: 'Sound',
    render: recording =>
      recording.state === 'available' && (
        <RecordingSound recordingId={recording.recordingId}>
          <DeleteRecording recording={recording} />
        </RecordingSound>
      ),
  },
]

function RecordingList() {
  const api = useApi()
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const asked = fromStartOfDay(filters, 'createdAfter')
  const list = useCursorList<Recording>('recordings', filters, (cursor, signal) =>
    api.recordings.list({ ...(asked as RecordingsListParams), limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const { unseen, show } = useLiveRecords<Recording>({
    list,
    eventPrefix: 'recording.',
    idOf: ({ recordingId }) => recordingId,
    isMoving: ({ state }) => underWay.includes(state),
    fits: ({ callId, state }) =>
      (filters['callId'] === undefined || filters['callId'] === callId) &&
      (filters['state'] === undefined || filters['state'] === state),
  })
  return (
    <>
      <PageHeader title="Recordings" description="What was recorded of calls, newest first." />
      <Toolbar label="Filters of recordings">
        <TextFilter name="callId" label="Call" params={params} onChange={change} placeholder="call_…" pageSearch />
        <SelectFilter
          name="state"
          label="State"
          all="All"
          params={params}
          onChange={change}
          options={states.map(value => ({ value, label: value }))}
        />
        <TextFilter name="createdAfter" label="Recorded since" type="date" params={params} onChange={change} />
      </Toolbar>
      <Card flush>
        <NewOnTop count={unseen} noun="recording" onShow={show} />
        <CursorTable
          list={list}
          noun="recordings"
          isFiltered={Object.keys(filters).length > 0}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <AudioLines size={20} />,
            title: 'No recordings yet',
            text: 'The instruction record keeps what a caller says after a tone, and with "mode": "call" the whole call. It is played here.',
          }}
          caption="Recordings"
          columns={columns}
          rowKey={({ recordingId }) => recordingId}
          subline={({ durationMs }) => (durationMs === null ? '' : durationText(durationMs))}
        />
      </Card>
    </>
  )
}
