// The body of an answer: indented, as it came, or as a tree; found in, copied, downloaded; its values bound to variables.
// Every character goes into text nodes: nothing of an answer is ever read as markup.
import { Download, WrapText } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { saveFile } from '../../data/save_file.ts'
import { CopyButton } from '../../ui/code.tsx'
import { Button, EmptyState, IconButton, SegmentedControl, sizeText } from '../../ui/index.ts'
import type { PreparedBody, Rows } from '../body/body_work.ts'
import type { ChosenValue } from '../body/chosen_value.ts'
import { prepare } from '../body/prepare.ts'
import { createPlaces, type PlacedValue, resolvePointer } from '../json/json_pointer.ts'
import { FindField, useFind } from '../parts/find.tsx'
import styles from '../parts/response.module.css'
import { BigText } from './big_text.tsx'
import { JsonTree } from './json_tree.tsx'
import { Reader } from './reader.tsx'
import { t } from './texts.ts'
import { ValueBar } from './value_bar.tsx'

/** Larger bodies are shown only when asked for. */
const ASK_BYTES = 10_000_000
/** CodeMirror reads up to this many characters, and lines up to this length; rows of our own read the rest. */
const READER_CHARS = 2_000_000
const READER_LINE = 20_000

export type BodyActions = {
  onVariable(chosen: ChosenValue): void
  onCredential(text: string): void
  onInspect(id: string): void
}
export type ResponseBodyProps = BodyActions & { body: Blob; contentType: string; fileName: string }

type View = 'pretty' | 'raw' | 'tree'
const views: readonly View[] = ['pretty', 'raw', 'tree']

type State = { body: Blob; prepared?: PreparedBody; error?: string }

function usePrepared(body: Blob, contentType: string, wanted: boolean): State {
  const [state, setState] = useState<State>({ body })
  useEffect(() => {
    if (!wanted) return undefined
    let gone = false
    prepare(body, contentType).then(
      prepared => !gone && setState({ body, prepared }),
      (error: Error) => !gone && setState({ body, error: error.message }),
    )
    return () => {
      gone = true
    }
  }, [body, contentType, wanted])
  return state.body === body ? state : { body }
}

export function ResponseBody(props: ResponseBodyProps) {
  const { body, contentType, fileName } = props
  const [asked, setAsked] = useState<Blob>()
  const wanted = body.size <= ASK_BYTES || asked === body
  const { prepared, error } = usePrepared(body, contentType, wanted)
  if (!wanted) {
    return (
      <EmptyState
        title={t('sizeOf', { size: sizeText(body.size), type: contentType.split(';')[0] || t('data') })}
        text={t('largeBody')}
        action={
          <>
            <Button onClick={() => setAsked(body)}>{t('view')}</Button>
            <Button onClick={() => download(body, fileName)}>{t('download')}</Button>
            <CopyButton text={() => body.text()} label={t('copy')} size="md" showLabel />
          </>
        }
      />
    )
  }
  if (error !== undefined) {
    return (
      <EmptyState
        title={t('bodyNotShown')}
        text={error}
        action={<Button onClick={() => download(body, fileName)}>{t('download')}</Button>}
      />
    )
  }
  if (prepared === undefined)
    return (
      <p className={styles['quiet']} role="status">
        {t('preparing', { size: sizeText(body.size) })}
      </p>
    )
  if (prepared.kind === 'empty') return <p className={styles['quiet']}>{t('noBody')}</p>
  if (prepared.kind === 'binary') {
    return (
      <EmptyState
        title={t('notText', { size: sizeText(body.size) })}
        text={contentType}
        action={<Button onClick={() => download(body, fileName)}>{t('download')}</Button>}
      />
    )
  }
  return <TextBody {...props} prepared={prepared} />
}

function TextBody({ prepared, body, fileName, ...actions }: ResponseBodyProps & { prepared: PreparedBody }) {
  const [wish, setView] = useState<View>('pretty')
  const [wrap, setWrap] = useState(true)
  const [chosen, setChosen] = useState<ChosenValue>()
  const isJson = prepared.kind === 'json'
  const view = isJson ? wish : 'raw'
  const rows = view === 'pretty' ? prepared.pretty : prepared.raw
  const isLarge = rows.text.length > READER_CHARS || rows.longestLine > READER_LINE
  const find = useFind(rows.text)
  const findField = useRef<HTMLInputElement>(null)
  const choose = useChooser(rows.text, setChosen)
  const onPlace = (offset: number) => {
    if (isJson) choose(offset)
  }
  const viewProps = {
    rows,
    isJson,
    label: t('responseBody'),
    matches: find.matches,
    current: find.current,
    onPlace,
    onId: actions.onInspect,
    onFind: () => findField.current?.select(),
  }
  return (
    <>
      <div className={styles['bodyTools']}>
        {isJson && (
          <SegmentedControl<View>
            label={t('viewOfBody')}
            options={views.map(value => ({ value, label: t(`view.${value}`) }))}
            value={view}
            onChange={setView}
          />
        )}
        {view !== 'tree' && <FindField find={find} label={t('findInBody')} ref={findField} />}
        <span className={styles['bodyActions']}>
          {view !== 'tree' && !isLarge && (
            <IconButton
              size="sm"
              label={t('wrapLines')}
              aria-pressed={wrap}
              icon={<WrapText size={14} />}
              onClick={() => setWrap(!wrap)}
            />
          )}
          <CopyButton text={() => rows.text} label={t('copyBody')} />
          <IconButton
            size="sm"
            label={t('downloadBody')}
            icon={<Download size={14} />}
            onClick={() => download(body, fileName)}
          />
        </span>
      </div>
      {prepared.fault !== null && (
        <p className={styles['fault']} role="alert">
          {t('notReallyJson', { why: prepared.fault })}
        </p>
      )}
      <div className={styles['bodyView']}>
        {view === 'tree' ? (
          <Tree rows={prepared.raw} onSelect={setChosen} onId={actions.onInspect} />
        ) : isLarge ? (
          <BigText {...viewProps} />
        ) : (
          <Reader {...viewProps} wrap={wrap} />
        )}
      </div>
      {isJson && <ValueBar chosen={chosen} {...actions} />}
    </>
  )
}

/** A long text is walked in steps of this, and the page lives between them. */
const STEP_MS = 12

/** Says which value is at an offset of the text, at once or, deep in a long one, a little later. */
function useChooser(text: string, onChosen: (chosen: ChosenValue | undefined) => void): (offset: number) => void {
  const places = useMemo(() => createPlaces(text), [text])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other values
  useEffect(() => {
    onChosen(undefined)
    return () => clearTimeout(timer.current)
  }, [text])
  return function choose(offset) {
    clearTimeout(timer.current)
    // Behind the comma at the end of a line one still means the value of that line.
    const found = places.find(text[offset - 1] === ',' ? offset - 1 : offset, STEP_MS)
    if (found === 'later') timer.current = setTimeout(choose, 0, offset)
    else onChosen(found === undefined ? undefined : chosenFrom(text, found))
  }
}

const chosenFrom = (text: string, found: PlacedValue): ChosenValue => ({
  pointer: found.pointer,
  kind: found.kind,
  source: () => text.slice(found.from, found.to),
})

type TreeProps = { rows: Rows; onSelect(chosen: ChosenValue): void; onId(id: string): void }
function Tree({ rows, onSelect, onId }: TreeProps) {
  const value = useMemo(() => JSON.parse(rows.text) as unknown, [rows])
  return (
    <JsonTree
      value={value}
      label={t('responseBody')}
      onId={onId}
      onSelect={pointer => {
        const found = resolvePointer(value, pointer)
        const kind = Array.isArray(found) ? 'array' : found === null ? 'literal' : typeof found
        onSelect({
          pointer,
          kind: kind === 'boolean' ? 'literal' : (kind as ChosenValue['kind']),
          source: () => JSON.stringify(found),
        })
      }}
    />
  )
}

/** Hands the body to the browser's downloads as plain bytes, under a name without surprises. */
function download(body: Blob, fileName: string): void {
  saveFile(new Blob([body], { type: 'application/octet-stream' }), fileName.replaceAll(/[^\w.-]+/g, '_').slice(-100))
}
