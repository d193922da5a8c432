// The recordings of a call: heard, kept as a file, and deleted by those who may.
import type { Recording } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { DeleteRecording } from '../recordings/delete_recording.tsx'
import { RecordingSound } from '../recordings/recording_sound.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Card, CodeLink, durationText, ErrorState, LoadingRows, StatusChip, sizeText, Time } from '../ui/index.ts'
import styles from './calls.module.css'
import { t } from './texts.ts'

/** Says nothing of a call that has none. @param props.isOver whether none can come any more */
export function RecordingsCard({ callId, isOver }: { callId: string; isOver: boolean }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'recordings of', callId],
    queryFn: ({ signal }) => api.recordings.list({ callId, limit: 50 }, { signal }),
  })
  useLiveRelated({
    events: ['recording.*'],
    isMine: data => data['callId'] === callId,
    onChange: () => void query.refetch(),
  })
  const recordings = query.data?.items ?? []
  return (
    <Card title={t('recordings')}>
      {query.isPending ? (
        <LoadingRows label={t('recordingsLoading')} rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : recordings.length === 0 ? (
        <p className={styles['quiet']}>{t(isOver ? 'recordingsNone' : 'recordingsNoneYet')}</p>
      ) : (
        <ul className={styles['recordings']} aria-label={t('recordingsOf')}>
          {recordings.map(recording => (
            <RecordingRow key={recording.recordingId} recording={recording} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function RecordingRow({ recording }: { recording: Recording }) {
  const { recordingId, state, durationMs, sizeBytes, channels, errorCode, startedAt } = recording
  return (
    <li className={styles['recording']}>
      <div className={styles['line']}>
        <StatusChip status={state} />
        {durationMs !== null && <span>{durationText(durationMs)}</span>}
        <small>
          {t(channels === 'dual' ? 'channels.dual' : 'channels.mono')}
          {sizeBytes !== null && `, ${sizeText(sizeBytes)}`}, <Time iso={startedAt} />
        </small>
        {errorCode !== null && <CodeLink code={errorCode} />}
      </div>
      {state === 'available' && (
        <RecordingSound recordingId={recordingId}>
          <DeleteRecording recording={recording} />
        </RecordingSound>
      )}
    </li>
  )
}
