// The keys of the inbox, for those who like them.
import { Dialog } from '../ui/index.ts'
import styles from './list.module.css'

const keys = [
  ['j', 'Next conversation'],
  ['k', 'The one before'],
  ['Enter', 'Open it'],
  ['r', 'Answer'],
  ['n', 'Write a note'],
  ['e', 'Close, or open again'],
  ['s', 'Snooze'],
  ['a', 'Take it yourself'],
  ['u', 'Mark as unread'],
  ['/', 'Search'],
  ['Ctrl Enter', 'Send'],
] as const

export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onOpenChange={open => !open && onClose()} title="Keys of the inbox">
      <dl className={styles['keyList']}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
