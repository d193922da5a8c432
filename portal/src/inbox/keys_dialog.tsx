// The keys of the inbox, for those who like them.
import { Dialog } from '../ui/index.ts'
import styles from './list.module.css'
import { t } from './texts.ts'

const keys = [
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['r', 'answer'],
  ['n', 'note'],
  ['e', 'close'],
  ['s', 'snooze'],
  ['a', 'take'],
  ['u', 'unread'],
  ['/', 'search'],
  ['Ctrl Enter', 'send'],
] as const

export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onOpenChange={open => !open && onClose()} title={t('keys')}>
      <dl className={styles['keyList']}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(`key.${does}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
