// One conference on its page: how it stands, who is in it with what can be done about them, and who left. It follows what happens.
import type { Conference } from '@tandem/sdk'
import type { ReactNode } from 'react'
import { useLiveRecord } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { Party, partyOf } from '../people/party.tsx'
import { usePhoneText } from '../people/use_phone_text.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { ButtonLink, Card, DescriptionList, EmptyState, Moment, PageHeader, TextLink, Time } from '../ui/index.ts'
import { endText, leftText, type Participant } from './conference_words.ts'
import styles from './conferences.module.css'
import { ParticipantActions } from './participant_actions.tsx'
import { StateChip } from './state_chip.tsx'
import { t } from './texts.ts'

export function ConferencePage({ id }: { id: string }) {
  const query = useRecord('conference', id)
  useLiveRecord({
    resourceId: id,
    events: ['conference.*'],
    isMoving: query.data !== undefined && query.data.state !== 'ended',
    onChange: () => void query.refetch(),
  })
  return (
    <>
      <PageHeader
        title={query.data === undefined ? t('conference') : t('conferenceName', { name: query.data.name })}
        description={
          <>
            <TextLink to="/conferences">{t('all')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={
          <ButtonLink to="/logs" search={{ resourceId: id }}>
            {t('requests')}
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
            title={t('inside', { count: inside.length })}
            columns={insideColumns(conference, permissions.has('calls:control'))}
            rows={inside}
            empty={t('nobodyInside')}
          />
        )}
        {gone.length > 0 && (
          <Participants
            title={t('gone', { count: gone.length })}
            columns={goneColumns()}
            rows={gone}
            empty={t('nobodyLeft')}
          />
        )}
        {participants.length === 0 && state === 'ended' && (
          <Card title={t('participants')}>
            <EmptyState title={t('nobodyWas')} />
          </Card>
        )}
      </div>
      <Card title={t('details')}>
        <DescriptionList
          items={[
            { term: t('stateLabel'), detail: <StateChip state={state} /> },
            ...(state === 'init' ? [{ term: t('waitsFor'), detail: t('waitsForText') }] : []),
            ...(endReason === null ? [] : [{ term: t('endedBecause'), detail: endText(endReason) }]),
            { term: t('opened'), detail: <Moment iso={createdAt} /> },
            { term: t('started'), detail: <Moment iso={startedAt} /> },
            { term: t('ended'), detail: <Moment iso={endedAt} /> },
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
  const phoneText = usePhoneText()
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
          openLabel={participant => t('openCall', { name: phoneText(partyOf(participant)) })}
        />
      )}
    </Card>
  )
}

const party = (): Column<Participant> => ({
  key: 'party',
  header: t('who'),
  nowrap: true,
  render: one => <Party isPlain address={partyOf(one)} />,
})
const joined = (): Column<Participant> => ({
  key: 'joined',
  header: t('joined'),
  hideOnNarrow: true,
  nowrap: true,
  render: ({ joinedAt }) => <Time iso={joinedAt} />,
})

function insideColumns({ conferenceId, state }: Conference, mayControl: boolean): Column<Participant>[] {
  const actions: Column<Participant> = {
    key: 'actions',
    header: t('actions'),
    render: participant => <ParticipantActions conferenceId={conferenceId} participant={participant} />,
  }
  return [
    party(),
    {
      key: 'heard',
      header: t('heard'),
      render: participant => heardText(participant, state),
    },
    joined(),
    ...(mayControl ? [actions] : []),
  ]
}

function heardText({ muted, held, coach }: Participant, state: Conference['state']): ReactNode {
  if (state === 'init') return t('notYet')
  if (held) return <span title={t('heldTitle')}>{t('held')}</span>
  if (muted) return <span title={t('mutedTitle')}>{t('muted')}</span>
  if (coach === null) return t('yes')
  return t.rich('onlyBy', {
    link: text => (
      <TextLink to="/calls/$id" params={{ id: coach }}>
        {text}
      </TextLink>
    ),
  })
}

const goneColumns = (): Column<Participant>[] => [
  party(),
  {
    key: 'reason',
    header: t('why'),
    render: ({ leftReason }) => (leftReason === null ? '–' : leftText(leftReason)),
  },
  joined(),
  {
    key: 'left',
    header: t('leftAt'),
    nowrap: true,
    render: ({ leftAt }) => (leftAt === null ? '–' : <Time iso={leftAt} />),
  },
]
