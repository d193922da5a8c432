// A stream of events while it lasts: what it has brought, as it comes. Stopped, it is an answer like others.
import { useLayoutEffect, useRef } from 'react'
import { sizeText } from '../../ui/index.ts'
import { visible } from '../body/body_work.ts'
import styles from '../parts/response.module.css'
import { t } from './texts.ts'

export type StreamViewProps = { status: number; bytes: number; newest: string }
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
        {visible(newest)}
      </pre>
    </>
  )
}
