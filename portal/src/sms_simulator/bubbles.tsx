// A conversation as bubbles: what arrived at the left, what was written here at the right, notes of what did not come. A
// screen reader hears what is added.
import { useEffect, useRef } from 'react'
import { CodeLink } from '../ui/index.ts'
import { dayText, timeText } from '../words/format.ts'
import styles from './handset.module.css'
import { spokenNumber } from './numbers.ts'
import { t } from './texts.ts'
import { standingOf, statusText, type Text } from './threads.ts'

export function Bubbles({ partner, texts }: { partner: string; texts: readonly Text[] }) {
  const box = useRef<HTMLDivElement>(null)
  const last = texts.at(-1)
  const end = `${texts.length} ${last?.messageId} ${last?.status}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the end of the conversation
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [end])
  return (
    <div
      ref={box}
      className={styles['log']}
      role="log"
      aria-label={t('conversationWith', { partner: spokenNumber(partner) })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1)
      tabIndex={0}
    >
      {texts.length === 0 && <p className={styles['note']}>{t('noneWith', { partner: spokenNumber(partner) })}</p>}
      {texts.map((text, index) => (
        <Entry key={text.messageId} text={text} before={texts[index - 1]} />
      ))}
    </div>
  )
}

function dayOf(text: Text): string {
  return dayText(new Date(text.createdAt), { weekday: 'long', day: 'numeric', month: 'long' })
}

function Entry({ text, before }: { text: Text; before: Text | undefined }) {
  const day = dayOf(text)
  const standing = standingOf(text)
  return (
    <>
      {(before === undefined || dayOf(before) !== day) && <p className={styles['note']}>{day}</p>}
      {standing === 'coming' ? (
        <Coming text={text} />
      ) : standing === 'lost' ? (
        <p className={styles['note']} data-lost="">
          {t('lost', { status: statusText(text.status) })}
          {text.code !== null && (
            <>
              , <CodeLink code={text.code} />
            </>
          )}
        </p>
      ) : (
        <Bubble text={text} mine={standing === 'mine'} />
      )}
    </>
  )
}

function Coming({ text }: { text: Text }) {
  const summary =
    text.status === 'scheduled' && text.sendAt !== null
      ? t('scheduledFor', { time: timeText(new Date(text.sendAt)) })
      : t('onItsWay', { status: statusText(text.status) })
  return (
    <div className={styles['row']}>
      <p className={styles['bubble']} data-coming="">
        <span className={styles['dots']} aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <span>{summary}</span>
      </p>
    </div>
  )
}

function Bubble({ text, mine }: { text: Text; mine: boolean }) {
  const at = mine ? text.createdAt : (text.deliveredAt ?? text.createdAt)
  return (
    <div className={styles['row']} data-mine={mine || undefined}>
      <p className={styles['bubble']}>
        <span className="visually-hidden">{t(mine ? 'you' : 'they')} </span>
        <span>{text.redactedAt === null ? text.body : <em>{t('redacted')}</em>}</span>
      </p>
      <small>
        <time dateTime={at}>{timeText(new Date(at))}</time>
        {mine ? `, ${statusText(text.status)}` : ''}
        {text.segments > 1 ? `, ${t('segments', { count: text.segments })}` : ''}
        {text.encoding === 'UCS-2' ? `, ${text.encoding}` : ''}
      </small>
    </div>
  )
}
