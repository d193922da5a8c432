// Two people answer at once: each sees what the other sent before anything more goes out.
import { MessageCircleWarning } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import styles from './composer.module.css'
import { t } from './texts.ts'
import type { Item } from './views.ts'
import { isAnswer, lineOf } from './words.ts'

/** What somebody else answered while the person was writing. */
export function useAnswered(items: readonly Item[], isWriting: boolean) {
  const { user } = useSession()
  const [item, setItem] = useState<Item>()
  const last = useRef<string>(undefined)
  const newest = items.at(-1)?.itemId
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change at the end
  useEffect(() => {
    const before = last.current
    last.current = newest
    if (before === undefined || !isWriting) return
    const added = items.slice(items.findIndex(({ itemId }) => itemId === before) + 1)
    const other = added.findLast(one => isAnswer(one) && one.author?.userId !== user.id)
    if (other !== undefined) setItem(other)
  }, [newest])
  return { item, dismiss: () => setItem(undefined) }
}

export type AnsweredProps = {
  item: Item | undefined
  /** What one wanted to send was held back. */
  isConflict: boolean
  onSend(): void
  onDismiss(): void
}

export function Answered({ item, isConflict, onSend, onDismiss }: AnsweredProps) {
  const name = item?.author?.name
  return (
    <div className={styles['answered']} role="alert">
      <MessageCircleWarning size={16} aria-hidden="true" />
      <p>
        <strong dir="auto">{name === undefined ? t('answered.somebody') : t('answered.who', { name })}</strong>
        {item !== undefined && <span dir="auto">{t('answered.words', { words: lineOf(item) })}</span>}
        <span>{isConflict ? t('answered.kept') : t('answered.read')}</span>
      </p>
      <span className={styles['answeredActions']}>
        {isConflict && (
          <Button size="sm" onClick={onSend}>
            {t('answered.send')}
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onDismiss}>
          {t('dismiss')}
        </Button>
      </span>
    </div>
  )
}
