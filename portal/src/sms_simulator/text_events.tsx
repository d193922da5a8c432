// What Tandem knows of the texts on the phone: each with its status, which changes while one looks.
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import type { LiveState } from '../data/live.ts'
import { ButtonLink, Card, CodeLink, StatusChip, TextLink, Time } from '../ui/index.ts'
import styles from './handset.module.css'
import { spokenNumber } from './numbers.ts'
import { t } from './texts.ts'
import { partnerOf, type Text } from './threads.ts'

const shown = 8

export type TextEventsProps = { texts: readonly Text[]; mayHear: boolean; live: LiveState }
export function TextEvents({ texts, mayHear, live }: TextEventsProps) {
  const newest = texts.toSorted((a, b) => (a.messageId < b.messageId ? 1 : -1)).slice(0, shown)
  return (
    <Card
      title={t('activity')}
      flush
      actions={
        <>
          <span className={styles['live']} data-state={mayHear ? live : 'closed'}>
            {mayHear ? t(`live.${live}`) : t('everySeconds', { count: 3 })}
          </span>
          <ButtonLink to="/messages" size="sm">
            {t('allMessages')}
          </ButtonLink>
        </>
      }
    >
      {newest.length === 0 ? (
        <p className={styles['quiet']}>{t('activityNone')}</p>
      ) : (
        <TextEventList label={t('newest')} texts={newest} />
      )}
    </Card>
  )
}

export function TextEventList({ label, texts }: { label: string; texts: readonly Text[] }) {
  return (
    <ul className={styles['textEvents']} aria-label={label}>
      {texts.map(text => (
        <TextEvent key={text.messageId} text={text} />
      ))}
    </ul>
  )
}

function TextEvent({ text }: { text: Text }) {
  const isOut = text.direction === 'outbound'
  const isNotSent = text.carrier === 'none'
  const way = isNotSent
    ? t('toNumber', { number: spokenNumber(text.to) })
    : t(isOut ? 'fromNumber' : 'toNumber', { number: spokenNumber(partnerOf(text)) })
  return (
    <li>
      <span className={styles['way']} title={t(isNotSent ? 'toReal' : isOut ? 'toHandset' : 'fromHandset')}>
        {isOut ? <ArrowDownLeft size={14} aria-hidden="true" /> : <ArrowUpRight size={14} aria-hidden="true" />}
      </span>
      <span className={styles['what']}>
        <TextLink to="/messages/$id" params={{ id: text.messageId }}>
          {text.redactedAt === null ? text.body : t('redactedShort')}
        </TextLink>
        <small>
          {way}, {t('segments', { count: text.segments })}, <Time iso={text.createdAt} />
        </small>
      </span>
      <span className={styles['state']}>
        <StatusChip status={text.status} />
        {text.code !== null && <CodeLink code={text.code} />}
      </span>
    </li>
  )
}
