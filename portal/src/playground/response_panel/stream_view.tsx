// A stream of events while it lasts: the newest of what it has brought, as it comes. Stopped, it is an answer like others.
import { memo, useLayoutEffect, useRef } from 'react'
import { sizeText } from '../../ui/index.ts'
import { visible } from '../body/body_work.ts'
import type { StreamEnd } from '../kept/followed.ts'
import styles from '../parts/response.module.css'
import { t } from './texts.ts'

export type StreamViewProps = { status: number; bytes: number; newest: StreamEnd }
export function StreamView({ status, bytes, newest }: StreamViewProps) {
  const place = useRef<HTMLPreElement>(null)
  // Who scrolls up reads: only at its end it goes along.
  const goesAlong = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came makes it longer
  useLayoutEffect(() => {
    const element = place.current
    if (element !== null && goesAlong.current) element.scrollTop = element.scrollHeight
  }, [newest])
  return (
    <>
      <div className={styles['streamHead']}>
        <span role="status">{t('streamOpen', { status })}</span>
        <span>{sizeText(bytes)}</span>
      </div>
      {newest.earlier > 0 && <p className={styles['streamHead']}>{t('streamEarlier', { count: newest.earlier })}</p>}
      {newest.parts.some(part => part.isCut) && <p className={styles['streamHead']}>{t('eventCut')}</p>}
      <pre
        ref={place}
        className={styles['stream']}
        role="log"
        aria-label={t('streamSoFar')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, for the keyboard too
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          goesAlong.current = scrollTop + clientHeight >= scrollHeight - 4
        }}
      >
        {newest.parts.map(({ number, text }) => (
          <Part key={number} text={text} />
        ))}
      </pre>
    </>
  )
}

/** Drawn once: what is added moves nothing that stands there. */
const Part = memo(function Part({ text }: { text: string }) {
  return <span>{visible(text)}</span>
})
