// A conversation as bubbles: what arrived at the left, what was written here at the right, notes of what did not come. A
// screen reader hears what is added.
import { useEffect, useRef } from 'react'
import { CodeLink } from '../ui/index.ts'
import styles from './handset.module.css'
import { spokenNumber } from './numbers.ts'
import { standingOf, type Text } from './threads.ts'

const timeFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

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
      aria-label={`Conversation with ${spokenNumber(partner)}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1)
      tabIndex={0}
    >
      {texts.length === 0 && <p className={styles['note']}>No texts with {spokenNumber(partner)} yet.</p>}
      {texts.map((text, index) => (
        <Entry key={text.messageId} text={text} before={texts[index - 1]} />
      ))}
    </div>
  )
}

function dayOf(text: Text): string {
  return dayFormat.format(new Date(text.createdAt))
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
          A text did not arrive: {text.status}
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
      ? `A text is scheduled for ${timeFormat.format(new Date(text.sendAt))}`
      : `A text is on its way: ${text.status}`
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
        <span className="visually-hidden">{mine ? 'You: ' : 'They: '}</span>
        <span>{text.redactedAt === null ? text.body : <em>The text was redacted.</em>}</span>
      </p>
      <small>
        <time dateTime={at}>{timeFormat.format(new Date(at))}</time>
        {mine ? `, ${text.status}` : ''}
        {text.segments > 1 ? `, ${text.segments} segments` : ''}
        {text.encoding === 'UCS-2' ? ', UCS-2' : ''}
      </small>
    </div>
  )
}
