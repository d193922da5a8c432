// What is sent: body, query, headers, and all of it as code.

import type { JsonSchema } from '@tandem/catalog'
import { RotateCcw } from 'lucide-react'
import { lazy, type Ref, Suspense, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Endpoint } from '../../session/catalog.ts'
import { useSession } from '../../session/session.ts'
import { Button, ConfirmDialog, LoadingRows, Menu } from '../../ui/index.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { useLanguage } from '../../words/language.ts'
import type { Fault } from '../editor/code_editor.ts'
import { JsonEditor, type JsonEditorHandle, type JsonEditorMemory } from '../editor/json_editor.tsx'
import { type BodyExample, bodyExamples } from '../json/examples.ts'
import { prettyJson } from '../json/json_pretty.ts'
import { CodePanel } from '../parts/code_panel.tsx'
import { FindField, useFind } from '../parts/find.tsx'
import styles from '../parts/screen.module.css'
import { isFile, isForm } from '../request/form.ts'
import type { Effective, Note } from '../request/request.ts'
import type { Variable } from '../request/variables.ts'
import type { FieldFault } from '../sending/explain.ts'
import { pageState } from '../state/page_state.ts'
import type { DraftState } from '../state/use_draft.ts'
import type { FileState } from '../state/use_file.ts'
import type { Saved } from '../state/use_saved.ts'
import { FormEditor } from './form_editor.tsx'
import { HeaderEditor } from './header_editor.tsx'
import { QueryEditor } from './query_editor.tsx'
import { t } from './texts.ts'

const FilePanel = lazy(() => import('./file_panel.tsx').then(module => ({ default: module.FilePanel })))
const TestsPanel = lazy(() => import('./tests_panel.tsx').then(module => ({ default: module.TestsPanel })))

export type RequestTab = 'body' | 'query' | 'headers' | 'tests' | 'code'
export type RequestPanelProps = {
  draft: DraftState
  file: FileState
  effective: Effective
  variables: readonly Variable[]
  saved: Saved
  /** What the server found wrong in the request as it stands. */
  faults: readonly FieldFault[]
  tab: RequestTab
  onTab(tab: RequestTab): void
  editor: Ref<JsonEditorHandle>
}

export function RequestPanel(props: RequestPanelProps) {
  const { draft, file, effective, faults, saved, tab, onTab } = props
  const { endpoint } = draft
  const { query, headers } = draft.draft
  const fieldsIn = (place: 'query' | 'header') => endpoint?.parameters.filter(field => field.in === place)
  const faultTexts = useMemo(() => new Map(faults.map(({ field, message }) => [field, message])), [faults])
  const count = (rows: typeof query, more = 0) => rows.filter(row => row.enabled && row.name !== '').length + more
  const added = effective.headers.filter(header => header.origin !== 'you').length
  return (
    <section className={styles['request']} aria-label={t('request')}>
      <Tabs<RequestTab>
        label={t('requestParts')}
        value={tab}
        onChange={onTab}
        tabs={[
          {
            value: 'body',
            label: labelOf(t('place.body'), effective.body === undefined && effective.file === undefined ? 0 : -1),
            content: isForm(headers) ? (
              <FormPanel draft={draft} />
            ) : isFile(headers) ? (
              <Suspense fallback={null}>
                <FilePanel draft={draft} file={file} />
              </Suspense>
            ) : (
              <BodyPanel {...props} />
            ),
          },
          {
            value: 'query',
            label: labelOf(t('place.query'), count(query)),
            content: (
              <QueryEditor
                rows={query}
                onChange={rows => draft.change({ query: rows })}
                fields={fieldsIn('query')}
                faults={faultTexts}
              />
            ),
          },
          {
            value: 'headers',
            label: labelOf(t('place.headers'), count(headers, added)),
            content: (
              <HeaderEditor
                rows={headers}
                onChange={rows => draft.change({ headers: rows })}
                fields={fieldsIn('header') ?? []}
                effective={effective}
              />
            ),
          },
          {
            value: 'tests',
            label: labelOf(t('column.tests'), saved.checks.tests.length + saved.checks.captures.length),
            content: (
              <Suspense fallback={<LoadingRows label={t('loadingTests')} rows={2} />}>
                <TestsPanel checks={saved.checks} onChange={saved.setChecks} isKept={saved.open !== undefined} />
              </Suspense>
            ),
          },
          { value: 'code', label: t('code'), content: <CodePanel effective={effective} endpoint={endpoint} /> },
        ]}
      />
    </section>
  )
}

function labelOf(name: string, count: number) {
  return (
    <>
      {name}
      {count !== 0 && <span className={styles['tabCount']}>{count === -1 ? <i aria-hidden="true">•</i> : count}</span>}
    </>
  )
}

/** The schema of the body with those that it names. */
function wholeSchema({ bodySchema, schemas }: Endpoint): JsonSchema | null {
  return bodySchema && { ...bodySchema, components: { schemas } }
}

function BodyPanel({ draft, effective, variables, faults, editor }: RequestPanelProps) {
  const { method, path, body } = draft.draft
  const { endpoint } = draft
  const schema = useMemo(() => (endpoint === undefined ? null : wholeSchema(endpoint)), [endpoint])
  const facts = useMemo(() => ({ schema, variables, serverFaults: faults }), [schema, variables, faults])
  const note = effective.notes.find(each => each.where === 'body' && each.level === 'warning')
  const { user, mode } = useSession()
  const memory = useMemo(
    () => memoryOf(pageState(user.id).editors, `${mode} ${method} ${path}`),
    [user.id, mode, method, path],
  )
  const [problems, setProblems] = useState<readonly Fault[]>([])
  const [finding, setFinding] = useState(false)
  const find = useFind(finding ? body : '')
  const findField = useRef<HTMLInputElement>(null)
  const own = useRef<JsonEditorHandle>(null)
  useImperativeHandle(editor, () => ({
    showField: field => own.current?.showField(field),
    showRange: range => own.current?.showRange(range),
    focus: () => own.current?.focus(),
  }))
  const closeFind = () => {
    setFinding(false)
    find.setQuery('')
    own.current?.focus()
  }
  return (
    <div className={styles['bodyPanel']}>
      {note !== undefined && <p className={styles['note']}>{note.message}</p>}
      <JsonEditor
        // Another request has another history of changes.
        key={`${method} ${path}`}
        ref={own}
        label={t('jsonBody')}
        value={body}
        onChange={next => draft.change({ body: next })}
        facts={facts}
        memory={memory}
        found={find}
        onFaults={setProblems}
        onFind={() => {
          setFinding(true)
          requestAnimationFrame(() => findField.current?.select())
        }}
      />
      <Problems problems={problems} body={body} onShow={range => own.current?.showRange(range)} />
      <div className={styles['bodyTools']}>
        <BodyTools draft={draft} />
        {finding ? (
          <FindField find={find} label={t('findInJson')} ref={findField} onClose={closeFind} />
        ) : (
          <span className={styles['hint']}>{t('escHint')}</span>
        )}
      </div>
    </div>
  )
}

/** Where an editor leaves its undo steps when another tab is opened. */
function memoryOf(editors: Map<string, unknown>, key: string): JsonEditorMemory {
  return { get: () => editors.get(key), set: saved => void editors.set(key, saved) }
}

/** The faults in words: also for those who do not see or point at the marks. */
function Problems({
  problems,
  body,
  onShow,
}: {
  problems: readonly Fault[]
  body: string
  onShow(range: Fault): void
}) {
  const [at, setAt] = useState(0)
  const fault = problems[Math.min(at, problems.length - 1)]
  if (fault === undefined) return null
  const line = body.slice(0, fault.from).split('\n').length
  const next = () => {
    const index = (at + 1) % problems.length
    setAt(index)
    const shown = problems[index]
    if (shown !== undefined) onShow(shown)
  }
  return (
    <div className={styles['problems']} role="status">
      <button type="button" onClick={() => onShow(fault)}>
        {t('lineFault', { line, fault: fault.message })}
      </button>
      {problems.length > 1 && (
        <Button size="sm" variant="ghost" onClick={next}>
          {t('findOf', { index: Math.min(at, problems.length - 1) + 1, count: problems.length })}
        </Button>
      )}
    </div>
  )
}

function FormPanel({ draft }: { draft: DraftState }) {
  const fields = draft.endpoint?.parameters.filter(field => field.in === 'body')
  return (
    <div className={styles['bodyPanel']}>
      <FormEditor body={draft.draft.body} onChange={body => draft.change({ body })} fields={fields} />
      <div className={styles['bodyTools']}>
        <BodyTools draft={draft} />
      </div>
    </div>
  )
}

function BodyTools({ draft }: { draft: DraftState }) {
  const { endpoint, isDirty } = draft
  const { body } = draft.draft
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: their names are words
  const examples = useMemo(() => bodyExamples(endpoint), [endpoint, language])
  const [wanted, setWanted] = useState<BodyExample>()
  const isExample = body.trim() === '' || examples.some(example => example.text === body)
  const take = (example: BodyExample) => {
    if (isExample) draft.change({ body: example.text })
    else setWanted(example)
  }
  const formatted = useMemo(() => formattedJson(body), [body])
  return (
    <>
      {examples.length > 0 && (
        <Menu
          trigger={<Button size="sm">{t('example')}</Button>}
          items={examples.map(example => ({ key: example.name, label: example.name, onSelect: () => take(example) }))}
        />
      )}
      {!isForm(draft.draft.headers) && (
        <Button
          size="sm"
          disabled={formatted === undefined || formatted === body}
          onClick={() => formatted !== undefined && draft.change({ body: formatted })}
        >
          {t('format')}
        </Button>
      )}
      <Button size="sm" icon={<RotateCcw size={13} />} disabled={!isDirty} onClick={draft.reset}>
        {t('reset')}
      </Button>
      <ConfirmDialog
        open={wanted !== undefined}
        onOpenChange={open => !open && setWanted(undefined)}
        title={t('replaceBody')}
        description={t('replaceBodyText')}
        confirmLabel={t('replace')}
        onConfirm={() => {
          if (wanted !== undefined) draft.change({ body: wanted.text })
          setWanted(undefined)
        }}
      />
    </>
  )
}

/** The body indented; undefined when it is no JSON, or has variables in the place of values. */
function formattedJson(body: string): string | undefined {
  try {
    JSON.parse(body)
    return prettyJson(body)
  } catch {
    return undefined
  }
}

/** What is in the way of sending, in words; each with the tab where it can be mended. */
export function Notes({ notes, onTab }: { notes: readonly Note[]; onTab(tab: RequestTab): void }) {
  const errors = notes.filter(note => note.level === 'error')
  if (errors.length === 0) return null
  const tabOf = (note: Note): RequestTab | undefined =>
    note.where === 'query' || note.where === 'headers' || note.where === 'body' ? note.where : undefined
  return (
    <ul className={styles['notes']} aria-label={t('beforeSending')}>
      {errors.map(note => {
        const tab = tabOf(note)
        return (
          <li key={`${note.where} ${note.message}`}>
            {tab === undefined ? (
              note.message
            ) : (
              <button type="button" onClick={() => onTab(tab)}>
                {note.message}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
