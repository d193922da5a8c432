// The error reference: every code the API knows, grouped by status, searched as one types; and a page a code.
import { reasonPhrase } from '@tandem/catalog'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useProblemWords } from '../problems/said.ts'
import { type Problem, useProblems } from '../session/catalog.ts'
import { Chip, ListStates, PageHeader, TextLink, Toolbar, toneOfHttp } from '../ui/index.ts'
import { ErrorPage } from './error_page.tsx'
import styles from './errors.module.css'
import { Exports } from './exports.tsx'
import { isNear, typedWords } from './highlight.ts'
import { inlineText } from './prose.tsx'
import { t } from './texts.ts'

export function ErrorsScreen() {
  const { code } = useParams({ strict: false }) as { code?: string }
  return code === undefined ? <ErrorTable /> : <ErrorPage key={code} code={code} />
}

const retryOptions = () => [
  { value: 'yes', label: t('retryHelps') },
  { value: 'no', label: t('retryNoHelp') },
]

function ErrorTable() {
  const query = useProblems()
  const [params, change] = useParamsOfAddress()
  const say = useProblemWords()
  const all = query.data ?? []
  const { q = '', status = '', retry = '' } = params
  const found = useMemo(
    () => matching(query.data ?? [], { q, status, retry }, say),
    [query.data, q, status, retry, say],
  )
  const statuses = [...new Set(all.map(problem => problem.status))].sort(byStatus)
  const isFiltered = q !== '' || status !== '' || retry !== ''
  return (
    <div className={styles['screen']}>
      <PageHeader title={t('part.errors')} description={t('errorsAbout')} />
      <Toolbar label={t('filterErrors')}>
        <TextFilter
          name="q"
          label={t('search')}
          placeholder={t('codeHint')}
          type="search"
          params={params}
          onChange={change}
          pageSearch
        />
        <SelectFilter
          name="status"
          label={t('status')}
          all={t('all')}
          options={statuses.map(own => ({ value: String(own), label: statusName(own) }))}
          params={params}
          onChange={change}
        />
        <SelectFilter
          name="retry"
          label={t('retry')}
          all={t('all')}
          options={retryOptions()}
          params={params}
          onChange={change}
        />
        <span className={styles['count']} role="status">
          {query.data === undefined ? '' : t('codesOf', { count: found.length, total: all.length })}
        </span>
      </Toolbar>
      <ListStates
        label={t('loadingErrors')}
        query={query}
        isEmpty={found.length === 0}
        isFiltered={isFiltered}
        empty={{ title: t('noErrors') }}
        onClearFilters={() => change({ q: undefined, status: undefined, retry: undefined })}
      >
        {statuses.map(own => (
          <StatusGroup key={own} status={own} problems={found.filter(problem => problem.status === own)} />
        ))}
      </ListStates>
      <Exports page="/errors" />
    </div>
  )
}

/** Statuses upwards, and what is no answer at all behind them. */
function byStatus(a: number, b: number): number {
  return (a === 0 ? 1_000 : a) - (b === 0 ? 1_000 : b)
}

/** `403 Forbidden`; codes without a status stand only in records. */
export function statusName(status: number): string {
  return status === 0 ? t('inRecordsOnly') : `${status} ${reasonPhrase(status)}`
}

type Say = (problem: Problem) => Problem

/** Found by the words of the server and by those that are shown; returned as they are shown. */
function matching(
  problems: readonly Problem[],
  { q, status, retry }: { q: string; status: string; retry: string },
  say: Say,
): Problem[] {
  const passing = problems.filter(
    problem =>
      (status === '' || String(problem.status) === status) && (retry === '' || problem.retriable === (retry === 'yes')),
  )
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return passing.map(say)
  const texts = new Map(
    passing.map(problem => [problem, [...new Set([textOf(problem), textOf(say(problem))])].join(' ')]),
  )
  const exact = passing.filter(problem => words.every(word => texts.get(problem)!.includes(word)))
  // What nobody wrote may be a typo.
  const found = exact.length > 0 ? exact : passing.filter(problem => isNear(texts.get(problem)!, typedWords(q)))
  return found.map(say)
}

function textOf({ code, status, title, cause, fix }: Problem): string {
  return `${code} ${code.replaceAll('_', ' ')} ${status} ${title} ${cause} ${fix}`.toLowerCase()
}

function StatusGroup({ status, problems }: { status: number; problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  const title = statusName(status)
  return (
    <section className={styles['group']} aria-label={title}>
      <h2>
        <Chip tone={toneOfHttp(status)}>{title}</Chip>
      </h2>
      <ul>
        {problems.map(({ code, title: name, cause, retriable }) => (
          <li key={code} id={`error-${code}`}>
            <div className={styles['code']}>
              <TextLink to="/errors/$code" params={{ code }}>
                <code>{code}</code>
              </TextLink>
              <span>{name}</span>
            </div>
            <p>{inlineText(cause)}</p>
            <div className={styles['retry']}>{retriable && <Chip tone="info">{t('retryHelps')}</Chip>}</div>
          </li>
        ))}
      </ul>
    </section>
  )
}
