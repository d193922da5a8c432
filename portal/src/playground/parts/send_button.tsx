// Send, and while it runs Cancel with a clock; after some seconds it says what is going on.
import { Send, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, durationText, sizeText } from '../../ui/index.ts'
import type { Sending } from '../state/use_sender.ts'
import { t } from '../texts.ts'
import styles from './screen.module.css'

export type SendButtonProps = { sending: Sending | undefined; disabled: boolean; onSend(): void; onCancel(): void }
export function SendButton({ sending, disabled, onSend, onCancel }: SendButtonProps) {
  const ms = useClock(sending?.startMs)
  if (sending === undefined) {
    return (
      <Button
        className={styles['send']}
        variant="primary"
        icon={<Send size={15} />}
        disabled={disabled}
        title={t('sendKeys')}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onClick={onSend}
      >
        {t('send')}
      </Button>
    )
  }
  return (
    <Button className={styles['send']} variant="danger" icon={<Square size={13} />} onClick={onCancel}>
      {t(sending.progress?.newest === undefined ? 'cancel' : 'stop')}
      <span className={styles['clock']} aria-hidden="true">
        {durationText(ms)}
      </span>
    </Button>
  )
}

function useClock(startMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (startMs === undefined) return undefined
    setNowMs(performance.now())
    const timer = setInterval(() => setNowMs(performance.now()), 50)
    return () => clearInterval(timer)
  }, [startMs])
  return startMs === undefined ? 0 : Math.max(0, nowMs - startMs)
}

const HINT_AFTER_MS = 3_200

/** What goes on while one waits. */
export function SendingState({ sending }: { sending: Sending }) {
  const ms = useClock(sending.startMs)
  const { progress } = sending

  return (
    <div className={styles['sending']} role="status">
      {progress === undefined ? (
        <p>{t(ms < HINT_AFTER_MS ? 'waiting' : 'waitingLong')}</p>
      ) : (
        <>
          <p>
            {progress.totalBytes === undefined
              ? t('reading', { status: progress.status, size: sizeText(progress.bytes) })
              : t('readingOf', {
                  status: progress.status,
                  size: sizeText(progress.bytes),
                  total: sizeText(progress.totalBytes),
                })}
          </p>
          {progress.totalBytes !== undefined && (
            <progress max={progress.totalBytes} value={progress.bytes} aria-label={t('read')} />
          )}
        </>
      )}
    </div>
  )
}
