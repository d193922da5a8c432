// The table of a noun's records: only the rows in sight are drawn, columns are resized at their edges and sorted by their heads, rows are
// selected, walked with j and k, and edited where they stand.
import { ArrowDown, ArrowUp, Pencil } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { IconButton, TextLink } from '../ui/index.ts'
import { InlineEditor } from './inline_editor.tsx'
import {
  fieldNamed,
  fieldValue,
  isSelectable,
  type NounDescription,
  type NounField,
  type NounRecord,
  pathOf,
  titleOf,
  upper,
} from './noun.ts'
import styles from './nouns.module.css'
import { FieldValue } from './values.tsx'
import type { ColumnChoice, SortKey } from './view_state.ts'

export const rowPx = 40
const standardPx: Record<string, number> = {
  text: 200,
  emails: 220,
  email: 220,
  phones: 150,
  phone: 150,
  long_text: 260,
  tags: 220,
}
const minPx = 80
const maxPx = 800
/** Rows drawn above and below those in sight. */
const spare = 12

export type RecordsTableProps = {
  noun: NounDescription
  records: readonly NounRecord[]
  /** What the records are filtered and ordered by, as a query; another one begins at the top. */
  query: string
  columns: readonly ColumnChoice[]
  sort: readonly SortKey[]
  selected: ReadonlySet<string>
  active: number
  /** How often the keyboard has walked: the row that it came to gets the focus. */
  walked: number
  mayEdit(record: NounRecord, field?: NounField): boolean
  onSort(name: string, adds: boolean): void
  onResize(name: string, width: number): void
  onSelect(ids: ReadonlySet<string>): void
  onActive(index: number): void
  onSaved(record: NounRecord): void
  /** Draws a cell by other means; undefined where it is drawn as usual. */
  cell?(field: NounField, record: NounRecord): ReactNode
  /** The end of what was fetched is in sight. */
  onEnd(): void
}

type Cell = { row: string; field: string }

export function RecordsTable(props: RecordsTableProps) {
  const { noun, records, columns, selected, active, onActive, onEnd } = props
  const frame = useRef<HTMLElement>(null)
  const [from, to] = useRowsInSight(frame, records.length)
  useTopOf(frame, props.query)
  const [edited, setEdited] = useState<Cell>()
  const known = columns.flatMap(({ name, width }) => {
    const field = fieldNamed(noun, name)
    return field === undefined ? [] : [{ field, width: width ?? field.px ?? standardPx[field.kind] ?? 140 }]
  })
  const atEnd = to >= records.length
  const latest = useRef(onEnd)
  latest.current = onEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may still end in sight
  useEffect(() => {
    if (atEnd) latest.current()
  }, [atEnd, records.length])
  useActiveInSight(frame, active, props.walked)
  const selectable = isSelectable(noun)
  const all = records.length > 0 && records.every(record => selected.has(String(record.id)))
  return (
    // A region that scrolls must be reachable by the keyboard (WCAG 2.1.1).
    <section
      ref={frame}
      className={styles['frame']}
      aria-label={upper(noun.words.many)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      // The router gives every address the places that were scrolled to before it; those of another list are not meant.
      data-scroll-restoration-id={`${noun.many}?${props.query}`}
    >
      <table className={styles['table']} aria-rowcount={records.length + 1}>
        <caption className="visually-hidden">{upper(noun.words.many)}</caption>
        <colgroup>
          {selectable && <col style={{ width: 40 }} />}
          {known.map(({ field, width }) => (
            <col key={field.name} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selectable && (
              <th scope="col">
                <Check
                  label="Select all that are shown"
                  checked={all}
                  onChange={() => props.onSelect(all ? new Set() : new Set(records.map(({ id }) => String(id))))}
                />
              </th>
            )}
            {known.map(({ field, width }) => (
              <HeadCell key={field.name} field={field} width={width} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} />
          {records.slice(from, to).map((record, place) => (
            <Row
              key={record.id}
              {...props}
              record={record}
              index={from + place}
              fields={known.map(({ field }) => field)}
              edited={edited?.row === String(record.id) ? edited.field : undefined}
              onPoint={() => onActive(from + place)}
              onEdit={field => setEdited(field === undefined ? undefined : { row: String(record.id), field })}
            />
          ))}
          <Gap rows={records.length - to} />
        </tbody>
      </table>
    </section>
  )
}

function Check({ label, checked, onChange }: { label: string; checked: boolean; onChange(): void }) {
  return (
    <label className={styles['check']}>
      <span className="visually-hidden">{label}</span>
      <input type="checkbox" checked={checked} onChange={onChange} />
    </label>
  )
}

function Gap({ rows }: { rows: number }) {
  if (rows <= 0) return null
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: room for rows that are not drawn, and nothing to be read
    <tr role="none">
      <td role="none" style={{ height: rows * rowPx, padding: 0, border: 0 }} />
    </tr>
  )
}

/** The rows to be drawn, of so many: those in sight and some around them. */
function useRowsInSight(frame: RefObject<HTMLElement | null>, count: number): [from: number, to: number] {
  const [place, setPlace] = useState({ top: 0, height: 900 })
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const look = () =>
      setPlace(old => {
        // Only whole steps draw again: a row more or less in sight is spare.
        const top = Math.floor(element.scrollTop / (rowPx * 4)) * rowPx * 4
        const height = element.clientHeight
        return old.top === top && old.height === height ? old : { top, height }
      })
    look()
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [frame])
  const from = Math.max(0, Math.floor(place.top / rowPx) - spare)
  const to = Math.min(count, Math.ceil((place.top + place.height) / rowPx) + spare + 4)
  return [Math.min(from, Math.max(0, count - 1)), to]
}

/** Another order, or other filters, are read from the top. */
function useTopOf(frame: RefObject<HTMLElement | null>, query: string): void {
  const before = useRef(query)
  useLayoutEffect(() => {
    if (before.current === query) return
    before.current = query
    if (frame.current !== null) frame.current.scrollTop = 0
  }, [frame, query])
}

/** Scrolls to the row that the keyboard came to, and puts the focus on its title. */
function useActiveInSight(frame: RefObject<HTMLElement | null>, active: number, walked: number): void {
  const before = useRef(walked)
  useEffect(() => {
    const element = frame.current
    if (element === null || active < 0 || before.current === walked) return
    before.current = walked
    const headPx = element.querySelector('thead')?.getBoundingClientRect().height ?? 0
    const top = active * rowPx
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowPx + headPx > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowPx + headPx - element.clientHeight
    const focus = () => element.querySelector<HTMLElement>(`[data-index="${active}"] a`)?.focus({ preventScroll: true })
    focus()
    // A row that was out of sight is drawn with the next frame.
    const next = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(next)
  }, [frame, active, walked])
}

type HeadCellProps = Pick<RecordsTableProps, 'sort' | 'onSort' | 'onResize'> & { field: NounField; width: number }

function HeadCell({ field, width, sort, onSort, onResize }: HeadCellProps) {
  const at = sort.findIndex(key => key.name === field.name)
  const key = sort[at]
  const order = key === undefined ? 'none' : key.descending ? 'descending' : 'ascending'
  const Arrow = key?.descending === true ? ArrowDown : ArrowUp
  return (
    <th scope="col" data-kind={field.kind} aria-sort={field.sortable === true ? order : undefined}>
      {field.sortable === true ? (
        <button
          type="button"
          className={styles['head']}
          title="Sort by this; with Shift as one more"
          onClick={event => onSort(field.name, event.shiftKey)}
        >
          {field.label}
          {key !== undefined && <Arrow size={12} aria-hidden="true" />}
          {key !== undefined && sort.length > 1 && <span className={styles['place']}>{at + 1}</span>}
        </button>
      ) : (
        <span className={styles['head']}>{field.label}</span>
      )}
      <Edge label={field.label} width={width} onResize={next => onResize(field.name, next)} />
    </th>
  )
}

const bounded = (px: number) => Math.round(Math.min(maxPx, Math.max(minPx, px)))

/** The edge of a column: dragged, or moved with the arrow keys. */
function Edge({ label, width, onResize }: { label: string; width: number; onResize(width: number): void }) {
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    const edge = event.currentTarget
    const begun = event.clientX
    edge.setPointerCapture(event.pointerId)
    const move = (next: globalThis.PointerEvent) => onResize(bounded(width + next.clientX - begun))
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0
    if (step === 0) return
    event.preventDefault()
    onResize(bounded(width + step))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved (ARIA window splitter)
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      tabIndex={0}
      className={styles['edge']}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}

type RowProps = RecordsTableProps & {
  record: NounRecord
  index: number
  fields: readonly NounField[]
  edited: string | undefined
  onPoint(): void
  onEdit(field: string | undefined): void
}

function Row({ noun, record, index, fields, edited, onPoint, onEdit, ...props }: RowProps) {
  const { selected, active, mayEdit, onSelect, onSaved } = props
  const id = String(record.id)
  const isSelected = selected.has(id)
  const isActive = active === index
  const toggle = () => onSelect(isSelected ? selected.difference(new Set([id])) : new Set([...selected, id]))
  const title = titleOf(noun, record)
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      onPointerDown={onPoint}
    >
      {isSelectable(noun) && (
        <td>
          <Check label={`Select ${title}`} checked={isSelected} onChange={toggle} />
        </td>
      )}
      {fields.map((field, place) => {
        const mayEditCell = mayEdit(record, field)
        if (edited === field.name)
          return (
            <td key={field.name} className={styles['editing']}>
              <InlineEditor
                noun={noun}
                record={record}
                field={field}
                onClose={() => onEdit(undefined)}
                onSaved={saved => {
                  onSaved(saved)
                  onEdit(undefined)
                }}
              />
            </td>
          )
        return (
          <td
            key={field.name}
            data-kind={field.kind}
            onDoubleClick={mayEditCell ? () => onEdit(field.name) : undefined}
          >
            <div className={styles['cell']}>
              <span className={styles['value']}>
                {place === 0 ? (
                  <TextLink to={`${pathOf(noun)}/$id` as '/leads/$id'} params={{ id }} aria-label={`Open ${title}`}>
                    {field.name === noun.title ? (
                      title
                    ) : (
                      <FieldValue field={field} value={fieldValue(field, record)} compact />
                    )}
                  </TextLink>
                ) : (
                  (props.cell?.(field, record) ?? (
                    <FieldValue field={field} value={fieldValue(field, record)} compact />
                  ))
                )}
              </span>
              {mayEditCell && (
                <IconButton
                  className={styles['pencil']}
                  size="sm"
                  tabIndex={isActive ? 0 : -1}
                  label={`Edit ${field.label.toLowerCase()} of ${title}`}
                  icon={<Pencil size={12} />}
                  onClick={() => onEdit(field.name)}
                />
              )}
            </div>
          </td>
        )
      })}
    </tr>
  )
}
