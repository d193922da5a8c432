// Puts a conversation off: to one of the usual times, or to a chosen one.
import { useState } from 'react'
import { Button, Dialog, TextField } from '../ui/index.ts'
import styles from './conversation.module.css'
import { fieldValue, snoozeChoices } from './snooze_times.ts'
import { t } from './texts.ts'
import { momentText } from './words.ts'

export function SnoozeDialog({ onSnooze, onClose }: { onSnooze(until: Date): void; onClose(): void }) {
  const [now] = useState(() => new Date())
  const [own, setOwn] = useState('')
  const date = new Date(own)
  const isPast = own !== '' && !(date.getTime() > Date.now())
  const snooze = (until: Date) => {
    onSnooze(until)
    onClose()
  }
  return (
    <Dialog open onOpenChange={open => !open && onClose()} title={t('snooze.title')} description={t('snooze.text')}>
      <div className={styles['choices']}>
        {snoozeChoices(now).map(({ key, at }) => (
          <Button key={key} className={styles['choice']} onClick={() => snooze(at)}>
            {t(`snooze.${key}`)} <span>{momentText(at.toISOString())}</span>
          </Button>
        ))}
      </div>
      <form
        className={styles['ownTime']}
        onSubmit={event => {
          event.preventDefault()
          if (own !== '' && !isPast) snooze(date)
        }}
      >
        <TextField
          label={t('snooze.own')}
          type="datetime-local"
          min={fieldValue(now)}
          value={own}
          {...(isPast && { error: t('snooze.past') })}
          onChange={({ target }) => setOwn(target.value)}
        />
        <Button type="submit" disabled={own === '' || isPast}>
          {t('snooze')}
        </Button>
      </form>
    </Dialog>
  )
}
