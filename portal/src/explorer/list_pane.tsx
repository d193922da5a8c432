// The left side of the Explorer: search, filters, and the list of endpoints they leave. It keeps its place while endpoints
// are opened, and is worked with the keyboard: arrows through the list, Enter opens.

import { searchPlanned } from '@tandem/catalog'
import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { pageSearch } from '../navigation/shortcuts.ts'
import { categories, endpointAddress, endpoints, type IndexEntry, planned } from '../session/catalog.ts'
import { Button, ErrorState, IconButton, LoadingRows, type Option, SelectField, TextLink } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import { byLanguage } from '../words/words.ts'
import { byRole, type Callers, keyLabel } from './callers.ts'
import { EndpointList } from './endpoint_list.tsx'
import styles from './explorer.module.css'
import { type Filters, isFiltered, noFilters, searchText } from './filters.ts'
import { chosenPlan, PlannedFound } from './planned.tsx'
import { t } from './texts.ts'

const methods = [...new Set(endpoints.map(({ method }) => method))]
const versions = [...new Set(endpoints.map(({ version }) => version))].sort()
const plain = (value: string): Option => ({ value, label: value })
const categoryOptions = byLanguage((): readonly Option[] => [
  ...categories.map(({ name }) => plain(name)),
  ...planned.map(({ name }) => ({ value: name, label: t('plannedOption', { name }) })),
])

export type ListPaneProps = {
  filters: Filters
  onFilters(patch: Partial<Filters>): void
  callers: Callers
  onWantKeys(): void
  /** All that the filters leave, whatever is searched. */
  browsed: readonly IndexEntry[]
  /** What the search leaves of it. */
  shown: readonly IndexEntry[]
  opened: IndexEntry | undefined
}

export function ListPane({ filters, onFilters, callers, onWantKeys, browsed, shown, opened }: ListPaneProps) {
  const pane = useRef<HTMLElement>(null)
  const plan = chosenPlan(filters.category)
  const navigate = useNavigate()
  const open = (entry: IndexEntry) => {
    void navigate({ to: endpointAddress(entry) as '/', search: true })
  }
  const isUnknownKey = filters.caller !== '' && filters.caller !== byRole && callers.chosen === undefined
  return (
    <section ref={pane} className={styles['pane']} aria-label={t('endpoints')} onKeyDown={moveThrough}>
      <div className={styles['controls']}>
        <PaneHead isTitle={opened === undefined && plan === undefined} />
        <SearchField
          value={filters.q}
          onChange={q => onFilters({ q })}
          onEnter={() => shown[0] !== undefined && open(shown[0])}
        />
        <div className={styles['filters']}>
          <Filter
            name="version"
            label={t('version')}
            all={t('allVersions')}
            options={versions.map(plain)}
            {...{ filters, onFilters }}
          />
          <Filter
            name="category"
            label={t('category')}
            all={t('allCategories')}
            options={categoryOptions()}
            {...{ filters, onFilters }}
          />
          <Filter
            name="method"
            label={t('method')}
            all={t('allMethods')}
            options={methods.map(plain)}
            {...{ filters, onFilters }}
          />
          <Filter
            name="caller"
            label={t('caller')}
            all={t('anyCaller')}
            options={callerOptions(callers, filters.caller)}
            onWant={onWantKeys}
            {...{ filters, onFilters }}
          />
        </div>
        <div className={styles['count']}>
          <span role="status">{isUnknownKey ? '' : countOf(shown.length, filters)}</span>
          {isFiltered(filters) && (
            <Button size="sm" variant="ghost" onClick={() => onFilters(noFilters)}>
              {t('clearFilters')}
            </Button>
          )}
        </div>
      </div>
      <PlannedFound plans={searchPlanned(filters.q)} />
      {plan !== undefined ? (
        <p className={styles['none']}>{t('isPlanned', { name: plan.name })}</p>
      ) : isUnknownKey ? (
        <KeysState callers={callers} onForget={() => onFilters({ caller: '' })} />
      ) : (
        <EndpointList
          browsed={browsed}
          found={filters.q.trim() === '' ? undefined : shown}
          typed={filters.q}
          suffixes={{ browsed: searchText({ ...filters, q: '' }), found: searchText(filters) }}
          opened={opened}
          self={callers.self}
          onOpen={open}
        />
      )}
    </section>
  )
}

/** @param isTitle where nothing of the detail is the title of the page */
function PaneHead({ isTitle }: { isTitle: boolean }) {
  return (
    <div className={styles['paneHead']}>
      {isTitle ? (
        <h1>{t('explorer')}</h1>
      ) : (
        <TextLink to="/explorer" search={true} className={styles['paneTitle']}>
          {t('explorer')}
        </TextLink>
      )}
      <button type="button" className={styles['skip']} onClick={focusDetail}>
        {t('skip')}
      </button>
    </div>
  )
}

function countOf(count: number, filters: Filters): string {
  const total = endpoints.length
  return isFiltered(filters) ? t('endpointsOf', { count, total }) : t('endpointCount', { count: total })
}

/** The list cannot be filtered by a key that is not known (yet); says which of it is the case. */
function KeysState({ callers, onForget }: { callers: Callers; onForget(): void }): ReactNode {
  const { keys } = callers
  if (keys.isPending) return <LoadingRows label={t('loadingKeys')} rows={4} />
  if (keys.isError) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
  return (
    <div className={styles['none']} role="alert">
      <p>{t('unknownKey')}</p>
      <Button size="sm" onClick={onForget}>
        {t('showAllEndpoints')}
      </Button>
    </div>
  )
}

function callerOptions({ keys, self }: Callers, value: string): Option[] {
  const known = (keys.data ?? []).map(key => ({ value: key.keyId, label: keyLabel(key) }))
  const isMissing = value !== '' && value !== byRole && !known.some(option => option.value === value)
  const state = keys.isError ? t('keysFailed') : keys.data?.length === 0 ? t('keysNone') : null
  return [
    { value: byRole, label: t('myRole', { role: self.role }) },
    ...known,
    ...(isMissing ? [{ value, label: t('aKey') }] : []),
    ...(keys.isFetching && keys.data === undefined
      ? [{ value: 'loading', label: t('loadingKeys'), disabled: true }]
      : []),
    ...(state === null ? [] : [{ value: 'none', label: state, disabled: true }]),
  ]
}

type FilterProps = {
  name: 'version' | 'category' | 'method' | 'caller'
  label: string
  all: string
  options: readonly Option[]
  filters: Filters
  onFilters(patch: Partial<Filters>): void
  onWant?(): void
}
function Filter({ name, label, all, options, filters, onFilters, onWant }: FilterProps) {
  return (
    <SelectField
      hideLabel
      label={label}
      options={[{ value: '', label: all }, ...options]}
      value={filters[name]}
      data-set={filters[name] !== '' || undefined}
      onFocus={onWant}
      onPointerEnter={onWant}
      onChange={event => onFilters({ [name]: event.target.value })}
    />
  )
}

/** What is typed filters at once: the list is drawn with the key, the address follows when typing rests. */
function SearchField({ value, onChange, onEnter }: { value: string; onChange(q: string): void; onEnter(): void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className={styles['search']}>
      <Search size={15} aria-hidden="true" />
      <input
        ref={field}
        {...pageSearch}
        type="search"
        aria-label={t('searchEndpoints')}
        aria-keyshortcuts="/"
        placeholder={t('searchHint')}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (isComposing(event)) return
          if (event.key === 'Enter') onEnter()
          else if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            onChange('')
          }
        }}
      />
      {value === '' ? (
        <span className={styles['key']} aria-hidden="true">
          /
        </span>
      ) : (
        <IconButton
          size="sm"
          label={t('clearSearch')}
          icon={<X size={14} />}
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** Arrows lead from the search into the list, through it, and back. */
function moveThrough(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const from = event.target as HTMLElement
  const isSearch = from.matches('[data-page-search]')
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('nav > :not([hidden]) a[data-id]')]
  const index = links.indexOf(from)
  if (index === -1 && !(isSearch && step === 1)) return
  const target =
    event.key === 'Home' && index !== -1 ? 0 : event.key === 'End' && index !== -1 ? links.length - 1 : index + step
  if (step === 0 && target === index) return
  event.preventDefault()
  if (target === -1) event.currentTarget.querySelector<HTMLElement>('[data-page-search]')?.focus()
  else links[Math.min(target, links.length - 1)]?.focus()
}

function focusDetail(): void {
  document.getElementById('explorer-detail')?.focus()
}
