// The recordings of a call: heard, kept as a file, and deleted by those who may. The sound comes by the API with the person's
// token, which a player cannot send: it is fetched whole and played from memory.
import type { Recording } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Play, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../app/api.ts'
import { useLive } from '../app/live.ts'
import { useSession } from '../app/session.ts'
import {
  Button,
  Card,
  CodeLink,
  ConfirmDialog,
  durationText,
  ErrorNote,
  ErrorState,
  LoadingRows,
  StatusChip,
  sizeText,
  Time,
  toast,
} from '../ui/index.ts'
import styles from './calls.module.css'

/** Says nothing of a call that has none. @param props.isOver whether none can come any more */
export function RecordingsCard({ callId, isOver }: { callId: string; isOver: boolean }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const query = useQuery({
    queryKey: [mode, 'recordings of', callId],
    queryFn: ({ signal }) => api.recordings.list({ callId, limit: 50 }, { signal }),
  })
  useLive(
    ['events'],
    message => {
      const mine =
        message.event === 'event' &&
        message.data.type.startsWith('recording.') &&
        (message.data.data as { callId?: unknown } | null)?.callId === callId
      if (mine || message.event === 'gap') void query.refetch()
    },
    permissions.has('events:read'),
  )
  const recordings = query.data?.items ?? []
  return (
    <Card title="Recordings">
      {query.isPending ? (
        <LoadingRows label="Loading the recordings" rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : recordings.length === 0 ? (
        <p className={styles['quiet']}>{isOver ? 'The call was not recorded.' : 'Nothing is recorded yet.'}</p>
      ) : (
        <ul className={styles['recordings']} aria-label="Recordings of the call, newest first">
          {recordings.map(recording => (
            <RecordingRow key={recording.recordingId} recording={recording} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The address of something in memory for as long as it is shown. */
function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (blob === undefined) return undefined
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [blob])
  return url
}

function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

function RecordingRow({ recording }: { recording: Recording }) {
  const api = useApi()
  const { permissions } = useSession()
  const { recordingId, state, durationMs, sizeBytes, channels, errorCode, startedAt } = recording
  const player = useRef<HTMLAudioElement>(null)
  // Fetched once, for hearing and for keeping.
  const sound = useMutation({ gcTime: 0, mutationFn: () => api.recordings.media({ recordingId }) })
  const [playing, setPlaying] = useState(false)
  const isAvailable = state === 'available'
  const url = useObjectUrl(playing && isAvailable ? sound.data : undefined)
  const fetched = async () => sound.data ?? (await sound.mutateAsync())
  const play = async () => {
    try {
      await fetched()
      setPlaying(true)
    } catch {
      // It is told below.
    }
  }
  const keep = async () => {
    try {
      saveAs(await fetched(), `${recordingId}.wav`)
    } catch {
      // It is told below.
    }
  }
  useEffect(() => {
    if (url === undefined) return
    player.current?.focus()
    // A browser that lets nothing begin by itself shows the player; it is begun there.
    player.current?.play().catch(() => undefined)
  }, [url])
  return (
    <li className={styles['recording']}>
      <div className={styles['line']}>
        <StatusChip status={state} />
        {durationMs !== null && <span>{durationText(durationMs)}</span>}
        <small>
          {channels === 'dual' ? 'caller left, callee right' : 'mono'}
          {sizeBytes !== null && `, ${sizeText(sizeBytes)}`}, <Time iso={startedAt} />
        </small>
        {errorCode !== null && <CodeLink code={errorCode} />}
      </div>
      {url !== undefined && (
        // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said in a call
        <audio ref={player} className={styles['player']} controls src={url} aria-label="Recording of the call" />
      )}
      {isAvailable && (
        <div className={styles['line']}>
          {url === undefined && (
            <Button size="sm" icon={<Play size={14} />} busy={sound.isPending} onClick={() => void play()}>
              Play
            </Button>
          )}
          <Button size="sm" icon={<Download size={14} />} disabled={sound.isPending} onClick={() => void keep()}>
            Download
          </Button>
          {permissions.has('recordings:delete') && <DeleteRecording recording={recording} />}
        </div>
      )}
      {sound.error !== null && <ErrorNote text={sound.error.message} />}
    </li>
  )
}

function DeleteRecording({ recording: { recordingId, callId } }: { recording: Recording }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.recordings.delete({ recordingId }),
    onSuccess: () => {
      setAsked(false)
      toast({ text: 'The recording was deleted.' })
      return cache.invalidateQueries({ queryKey: [mode, 'recordings of', callId] })
    },
  })
  return (
    <>
      <Button size="sm" variant="danger" icon={<Trash2 size={14} />} onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Delete this recording"
        description="Its sound is gone for good. That there was a recording, when and how long, stays readable."
        confirmLabel="Delete"
        danger
        busy={remove.isPending}
        {...(remove.error === null ? {} : { error: remove.error.message })}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
