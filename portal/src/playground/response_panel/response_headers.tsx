// The headers of an answer: what one looks for first stands first, the rest by name; they can be filtered and copied.
import { useMemo, useState } from 'react'
import { CopyButton } from '../../ui/code.tsx'
import { IdLink, TextLink } from '../../ui/index.ts'
import { visible } from '../body/body_work.ts'
import styles from '../parts/response.module.css'
import { sortHeaders } from './header_order.ts'
import { t } from './texts.ts'

export type ResponseHeadersProps = {
  headers: readonly (readonly [name: string, value: string])[]
  /** Whether the request log knows the request: it knows those of known callers only. */
  isLogged: boolean
}
export function ResponseHeaders({ headers, isLogged }: ResponseHeadersProps) {
  const [filter, setFilter] = useState('')
  const sorted = useMemo(() => sortHeaders(headers), [headers])
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = sorted.filter(pair => words.every(word => pair.join(' ').toLowerCase().includes(word)))
  const text = () => shown.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <section className={styles['headers']} aria-label={t('responseHeaders')}>
      <div className={styles['headersHead']}>
        <h2>
          {t('headers')} <span className={styles['count']}>{headers.length}</span>
        </h2>
        <input
          className={styles['filter']}
          type="search"
          aria-label={t('filterHeaders')}
          placeholder={t('filter')}
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        <CopyButton text={text} label={t('copyHeaders')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1) */}
      <section className={styles['headersList']} tabIndex={0} aria-label={t('headersList')}>
        <dl>
          {shown.map(([name, value]) => (
            <div key={`${name} ${value}`}>
              <dt>{name}</dt>
              <dd>
                <HeaderValue name={name} value={value} isLogged={isLogged} />
              </dd>
            </div>
          ))}
        </dl>
        {shown.length === 0 && <p className={styles['quiet']}>{t('noHeader')}</p>}
      </section>
    </section>
  )
}

function HeaderValue({ name, value, isLogged }: { name: string; value: string; isLogged: boolean }) {
  if (isLogged && name === 'x-request-id' && /^req_[0-9a-z]{26}$/.test(value)) {
    return (
      <>
        <IdLink id={value} />{' '}
        <TextLink to="/logs/$id" params={{ id: value }}>
          {t('openInLogs')}
        </TextLink>
      </>
    )
  }
  return visible(value)
}
