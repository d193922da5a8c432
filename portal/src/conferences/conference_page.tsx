// One conference on its page: how it stands, who is in it with what can be done about them, and who left. It follows what happens.
import type { Conference } from '@tandem/sdk'
import type { ReactNode } from 'react'
import { useLiveRecord } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { Party } from '../people/party.tsx'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { ButtonLink, Card, DescriptionList, EmptyState, Moment, PageHeader, TextLink, Time } from '../ui/index.ts'
import { endWords, leftWords, type Participant, partyOf } from './conference_words.ts'
import styles from './conferences.module.css'
import { ParticipantActions } from './participant_actions.tsx'
import { StateChip } from './state_chip.tsx'

export function ConferencePage({ id }: { id: string }) {
  const query = useRecord('conference', id)
  useLiveRecord({
    resourceId: id,
    isMoving: query.data !== undefined && query.data.state !== 'ended',
    onChange: () => void query.refetch(),
  })
  return (
    <>
      <PageHeader
        title={query.data === undefined ? 'Conference' : `Conference ${query.data.name}`}
        description={
          <>
            <TextLink to="/conferences">All conferences</TextLink> / <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
          </>
        }
        actions={
          <ButtonLink to="/logs" search={{ resourceId: id }}>
            Requests about it
          </ButtonLink>
        }
      />
      <RecordStates kind="conference" id={id} query={query}>
        {conference => <Contents conference={conference} />}
      </RecordStates>
    </>
  )
}

function Contents({ conference }: { conference: Conference }) {
  const { state, endReason, createdAt, startedAt, endedAt, participants } = conference
  const { permissions } = useSession()
  const inside = participants.filter(({ leftAt }) => leftAt === null)
  const gone = participants.filter(({ leftAt }) => leftAt !== null)
  return (
    <div className={record['columns']}>
      <div className={styles['stack']}>
        {state !== 'ended' && (
          <Participants
            title={`In it now (${inside.length})`}
            columns={insideColumns(conference, permissions.has('calls:control'))}
            rows={inside}
            empty="Nobody is in it."
          />
        )}
        {gone.length > 0 && (
          <Participants title={`Left (${gone.length})`} columns={goneColumns} rows={gone} empty="Nobody left." />
        )}
        {participants.length === 0 && state === 'ended' && (
          <Card title="Participants">
            <EmptyState title="Nobody was in it" />
          </Card>
        )}
      </div>
      <Card title="Details">
        <DescriptionList
          items={[
            { term: 'State', detail: <StateChip state={state} /> },
            ...(state === 'init'
              ? [{ term: 'Waits for', detail: 'Somebody with whom it starts; until then nobody hears anybody' }]
              : []),
            ...(endReason === null ? [] : [{ term: 'Ended because', detail: endWords[endReason] }]),
            { term: 'Opened', detail: <Moment iso={createdAt} /> },
            { term: 'Started', detail: <Moment iso={startedAt} /> },
            { term: 'Ended', detail: <Moment iso={endedAt} /> },
          ]}
        />
      </Card>
    </div>
  )
}

type ParticipantsProps = {
  title: string
  columns: readonly Column<Participant>[]
  rows: readonly Participant[]
  empty: string
}

function Participants({ title, columns, rows, empty }: ParticipantsProps) {
  return (
    <Card title={title} flush={rows.length > 0}>
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows}
          rowKey={({ callId }) => callId}
          rowLink={({ callId }) => ({ to: '/calls/$id', params: { id: callId } })}
          openLabel={participant => `Open the call of ${partyOf(participant)}`}
        />
      )}
    </Card>
  )
}

const party: Column<Participant> = {
  key: 'party',
  header: 'Who',
  nowrap: true,
  render: one => <Party isPlain address={partyOf(one)} />,
}
const joined: Column<Participant> = {
  key: 'joined',
  header: 'Joined',
  hideOnNarrow: true,
  nowrap: true,
  render: ({ joinedAt }) => <Time iso={joinedAt} />,
}

function insideColumns({ conferenceId, state }: Conference, mayControl: boolean): Column<Participant>[] {
  const actions: Column<Participant> = {
    key: 'actions',
    header: 'Actions',
    render: participant => <ParticipantActions conferenceId={conferenceId} participant={participant} />,
  }
  return [
    party,
    {
      key: 'heard',
      header: 'Heard',
      render: participant => heardText(participant, state),
    },
    joined,
    ...(mayControl ? [actions] : []),
  ]
}

function heardText({ muted, held, coach }: Participant, state: Conference['state']): ReactNode {
  if (state === 'init') return 'Not yet'
  if (held) return <span title="It neither hears nor is heard">No, on hold</span>
  if (muted) return <span title="It hears, and nobody hears it">No, muted</span>
  if (coach === null) return 'Yes'
  return (
    <>
      Only by{' '}
      <TextLink to="/calls/$id" params={{ id: coach }}>
        one call
      </TextLink>
    </>
  )
}

const goneColumns: Column<Participant>[] = [
  party,
  {
    key: 'reason',
    header: 'Why',
    render: ({ leftReason }) => (leftReason === null ? '–' : leftWords[leftReason]),
  },
  joined,
  {
    key: 'left',
    header: 'Left',
    nowrap: true,
    render: ({ leftAt }) => (leftAt === null ? '–' : <Time iso={leftAt} />),
  },
]
