// The Explorer: every endpoint of both versions, found on the left, read on the right. Where the window is narrow the list
// and the endpoint are views of their own.
import { useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { endpointByAddress, type IndexEntry } from '../session/catalog.ts'
import { TextLink } from '../ui/index.ts'
import { useCallers } from './callers.ts'
import { EndpointPage } from './endpoint_page.tsx'
import styles from './explorer.module.css'
import { matching, noFilters, prepareSearch, useFilters, useTyped } from './filters.ts'
import { Landing } from './landing.tsx'
import { ListPane } from './list_pane.tsx'
import { isOpenTo } from './may_call.ts'
import { chosenPlan, PlannedPage } from './planned.tsx'
import { t } from './texts.ts'
import { UnknownEndpoint } from './unknown_endpoint.tsx'

export function ExplorerScreen() {
  const { pathname } = useLocation()
  const isLanding = /^\/explorer\/?$/.test(pathname)
  const opened = isLanding ? undefined : endpointByAddress(pathname.replace(/\/$/, ''))
  const [filters, change] = useTyped(...useFilters())
  const [wantsKeys, setWantsKeys] = useState(false)
  const callers = useCallers(filters.caller, wantsKeys)
  const { q, version, category, method, caller } = filters
  const { chosen } = callers
  const browsed = useMemo(() => {
    const passes = (entry: IndexEntry) => caller === '' || chosen === undefined || isOpenTo(entry, chosen)
    return matching({ q: '', version, category, method, caller }, passes)
  }, [version, category, method, caller, chosen])
  const shown = useMemo(() => {
    if (q.trim() === '') return browsed
    const passing = new Set(browsed)
    return matching({ ...noFilters, q }, entry => passing.has(entry))
  }, [q, browsed])
  useEffect(() => {
    const timer = setTimeout(prepareSearch)
    return () => clearTimeout(timer)
  }, [])
  const plan = isLanding ? chosenPlan(category) : undefined
  const detail = useFocusOfView(`${pathname} ${plan?.name ?? ''}`)
  return (
    <div className={styles['explorer']} data-view={isLanding && plan === undefined ? 'list' : 'endpoint'}>
      <ListPane
        filters={filters}
        onFilters={change}
        callers={callers}
        onWantKeys={() => setWantsKeys(true)}
        browsed={browsed}
        shown={shown}
        opened={opened}
      />
      <div ref={detail} id="explorer-detail" className={styles['detail']} tabIndex={-1}>
        {plan !== undefined && (
          <TextLink to="/explorer" search={{ q }} className={styles['back']}>
            <ArrowLeft size={15} aria-hidden="true" /> {t('allEndpoints')}
          </TextLink>
        )}
        {!isLanding && (
          <TextLink to="/explorer" search={true} className={styles['back']}>
            <ArrowLeft size={15} aria-hidden="true" /> {t('allEndpoints')}
          </TextLink>
        )}
        {plan !== undefined && <PlannedPage key={plan.name} plan={plan} />}
        {isLanding && plan === undefined && <Landing />}
        {!isLanding && opened === undefined && <UnknownEndpoint address={pathname} />}
        {opened !== undefined && (
          <EndpointPage key={opened.id} entry={opened} caller={chosen ?? callers.self} {...neighbours(shown, opened)} />
        )}
      </div>
      <div className="visually-hidden" role="status">
        {opened === undefined ? '' : t('showing', { name: opened.name })}
      </div>
    </div>
  )
}

/** The endpoints before and behind, in the list as it is shown. */
function neighbours(
  shown: readonly IndexEntry[],
  opened: IndexEntry,
): { previous?: IndexEntry | undefined; next?: IndexEntry | undefined } {
  const index = shown.findIndex(({ id }) => id === opened.id)
  return index === -1 ? {} : { previous: shown[index - 1], next: shown[index + 1] }
}

/** Where only one of the two views stands, opening the other must not leave the focus in what is gone. */
function useFocusOfView(pathname: string) {
  const detail = useRef<HTMLDivElement>(null)
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    const { activeElement } = document
    const isGone = activeElement === document.body || (activeElement as HTMLElement | null)?.offsetParent === null
    if (isGone) detail.current?.focus({ preventScroll: true })
  }, [pathname])
  return detail
}
