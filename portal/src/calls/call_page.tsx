// One call on its page: what is known of it, its recordings, what was said on the wire, and what can be done while it lasts.
import type { Call } from '@tandem/sdk'
import { useLiveRecord } from '../data/live_records.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { useOtherName } from '../people/party.tsx'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { ButtonLink, PageHeader, TextLink } from '../ui/index.ts'
import { CallCommands, underWay } from './call_commands.tsx'
import { CallFacts } from './call_facts.tsx'
import { LadderCard } from './call_ladder.tsx'
import { LegsCard } from './call_legs.tsx'
import { RecordingsCard } from './call_recordings.tsx'
import { t } from './texts.ts'

/** Whom it was with. */
function Heading({ call }: { call: Call }) {
  return t(call.direction === 'inbound' ? 'headingFrom' : 'headingTo', { who: useOtherName(call) })
}

export function CallPage({ id }: { id: string }) {
  const { permissions } = useSession()
  const query = useRecord('call', id)
  useLiveRecord({
    resourceId: id,
    events: ['call.*', 'gather.*', 'queue.*'],
    isMoving: query.data !== undefined && underWay.includes(query.data.state),
    onChange: () => void query.refetch(),
  })
  return (
    <>
      <PageHeader
        title={t('callId', { id })}
        heading={query.data === undefined ? t('call') : <Heading call={query.data} />}
        description={
          <>
            <TextLink to="/calls">{t('all')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={
          <>
            <ButtonLink to="/logs" search={{ resourceId: id }}>
              {t('requests')}
            </ButtonLink>
            {query.data !== undefined && <CallCommands call={query.data} />}
          </>
        }
      />
      <RecordStates kind="call" id={id} query={query}>
        {call => (
          <CallFacts call={call}>
            {/* A call that nobody answered dials nobody and has no sound, and one of the simulator no messages: nothing is asked for. */}
            {(call.answeredAt !== null || call.direction === 'inbound') && (
              <LegsCard callId={id} version={call.history.length} />
            )}
            {call.answeredAt !== null && permissions.has('recordings:read') && (
              <RecordingsCard callId={id} isOver={!underWay.includes(call.state)} />
            )}
            {call.trunkId !== null && (
              <LadderCard callId={id} version={call.history.length} isOver={!underWay.includes(call.state)} />
            )}
          </CallFacts>
        )}
      </RecordStates>
    </>
  )
}
