// The sound of one recording: heard, and kept as a file. It comes by the API with the person's token, which a player cannot send:
// it is fetched whole and played from memory.

import { useMutation } from '@tanstack/react-query'
import { Download, Play } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import { saveFile } from '../data/save_file.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote } from '../ui/index.ts'
import styles from './recording_sound.module.css'
import { t } from './texts.ts'

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

/** @param props.children more buttons beside those to play and to download */
export function RecordingSound({ recordingId, children }: { recordingId: string; children?: ReactNode }) {
  const api = useApi()
  const player = useRef<HTMLAudioElement>(null)
  // Fetched once, for hearing and for keeping.
  const sound = useMutation({
    gcTime: 0,
    mutationFn: () => api.recordings.media({ recordingId }, { timeoutMs: fileTimeoutMs }),
  })
  const [playing, setPlaying] = useState(false)
  const url = useObjectUrl(playing ? sound.data : undefined)
  const fetched = async () => sound.data ?? (await sound.mutateAsync())
  const play = async () => {
    try {
      await fetched()
      setPlaying(true)
    } catch {
      // It is shown below.
    }
  }
  const keep = async () => {
    try {
      saveFile(await fetched(), `${recordingId}.wav`)
    } catch {
      // It is shown below.
    }
  }
  useEffect(() => {
    if (url === undefined) return
    player.current?.focus()
    // A browser that lets nothing begin by itself shows the player; it is begun there.
    player.current?.play().catch(() => undefined)
  }, [url])
  return (
    <div className={styles['sound']}>
      {url !== undefined && (
        // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said in a call
        <audio ref={player} className={styles['player']} controls src={url} aria-label={t('player')} />
      )}
      <div className={styles['buttons']}>
        {url === undefined && (
          <Button size="sm" icon={<Play size={14} />} busy={sound.isPending} onClick={() => void play()}>
            {t('play')}
          </Button>
        )}
        <Button size="sm" icon={<Download size={14} />} disabled={sound.isPending} onClick={() => void keep()}>
          {t('download')}
        </Button>
        {children}
      </div>
      {sound.error !== null && <ErrorNote text={faultText(sound.error)} />}
    </div>
  )
}
