// The table of every list: only the rows in sight are drawn, columns are resized at their edges, rows are walked with j and k and opened
// with Enter or o. Selection, orders and editing in place are there for lists that have them.
import { ArrowDown, ArrowUp, ArrowUpRight, Pencil } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { IconButton, type RowLink, TextLink, type Tone } from '../ui/index.ts'
import styles from './lists.module.css'
import { rowPx, toggled, useRowsInSight, useTopOf, useWalk } from './rows.ts'
import { t } from './texts.ts'

const minPx = 80
const maxPx = 800
/** Where nothing can be pointed at without a press, what is shown to a pointer is always there. */
const canHover = window.matchMedia('(hover: hover)').matches

export type TableColumn<Row> = {
  name: string
  label: string
  px: number
  align?: 'end' | undefined
  sortable?: boolean
  /** What it holds can be pressed: where it comes first, the way to the row's page stands beside it. */
  hasControls?: boolean | undefined
  /** Neither chosen nor resized. */
  fixed?: true
  /** Somebody chose its width. */
  isResized?: boolean
  cell(row: Row): ReactNode
}

export type SortKey = { name: string; descending: boolean }

export type TableProps<Row> = {
  /** What the table shows; read by screen readers. */
  caption: string
  /** What is listed, filtered and ordered in which way; another one begins at the top. */
  listed: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  idOf(row: Row): string
  /** What a row is opened by, in its first cell: a link to its page, or a button. */
  opens: { label(row: Row): string; link?(row: Row): RowLink | undefined; press?(row: Row): void }
  toneOf?: ((row: Row) => Tone | undefined) | undefined
  /** The key e. */
  onEdit?: ((row: Row) => unknown) | undefined
  onResize(name: string, width: number): void
  /** The end of what was fetched is in sight. */
  onEnd(): void
  selection?:
    | { selected: ReadonlySet<string>; titleOf(row: Row): string; onSelect(ids: ReadonlySet<string>): void }
    | undefined
  sorting?: { keys: readonly SortKey[]; onSort(name: string, adds: boolean): void }
  /** Cells that are edited where they stand; the editor calls `onClose`. */
  editing?: {
    mayEdit(row: Row, column: string): boolean
    labelOf(row: Row, column: string): string
    editor(row: Row, column: string, onClose: () => void): ReactNode
  }
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, listed, columns, rows, idOf, selection, onEnd } = props
  const frame = useRef<HTMLElement>(null)
  const [from, to] = useRowsInSight(frame, rows.length)
  useTopOf(frame, listed)
  const [edited, setEdited] = useState<{ row: string; column: string }>()
  const atEnd = to >= rows.length
  const latest = useRef(onEnd)
  latest.current = onEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may still end in sight
  useEffect(() => {
    if (atEnd) latest.current()
  }, [atEnd, rows.length])
  const { active, setActive } = useWalk(frame, props)
  const fits = fitting(columns, selection === undefined ? 0 : checkPx)
  const all = rows.length > 0 && selection !== undefined && rows.every(row => selection.selected.has(idOf(row)))
  return (
    // A region that scrolls must be reachable by the keyboard (WCAG 2.1.1).
    <section
      ref={frame}
      className={styles['frame']}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      // The router gives every address the places that were scrolled to before it; those of another list are not meant.
      data-scroll-restoration-id={`${caption}?${listed}`}
    >
      <table className={styles['table']} style={{ width: fits.table }} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {selection !== undefined && <col style={{ width: checkPx }} />}
          {columns.map(column => (
            <col key={column.name} style={{ width: fits.column(column) }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selection !== undefined && (
              <th scope="col">
                <Check
                  label={t('selectAll')}
                  checked={all}
                  onChange={() => selection.onSelect(all ? new Set() : new Set(rows.map(idOf)))}
                />
              </th>
            )}
            {columns.map(column => (
              <HeadCell key={column.name} column={column} sorting={props.sorting} onResize={props.onResize} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} />
          {rows.slice(from, to).map((row, place) => (
            <TableRow
              key={idOf(row)}
              {...props}
              row={row}
              index={from + place}
              isActive={active === from + place}
              edited={edited?.row === idOf(row) ? edited.column : undefined}
              onPoint={() => setActive(from + place)}
              onEditCell={column => setEdited(column === undefined ? undefined : { row: idOf(row), column })}
            />
          ))}
          <Gap rows={rows.length - to} />
        </tbody>
      </table>
    </section>
  )
}

const checkPx = 40
/** How narrow columns become, next to what they ask for, before the list is rather scrolled sideways. */
const narrowest = 0.8

/**
 * Widths in the terms of CSS: columns that nobody resized become somewhat narrower where all of them then fit into the frame. The last
 * would else be cut off at its edge for the want of a few pixels.
 */
function fitting<Row>(columns: readonly TableColumn<Row>[], besides: number) {
  const total = columns.reduce((sum, { px }) => sum + px, besides)
  if (columns.some(({ isResized }) => isResized === true))
    return { table: '100%', column: ({ px }: TableColumn<Row>) => px }
  // The factor makes a step of a difference: the whole width where even the narrowest columns do not fit.
  const whole = `min(${total}px, (${Math.round(total * narrowest)}px - 100%) * 9999)`
  return {
    table: `max(100%, ${whole})`,
    column: ({ px, fixed }: TableColumn<Row>) => (fixed === true ? px : `${(100 * px) / total}%`),
  }
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

type HeadCellProps<Row> = Pick<TableProps<Row>, 'sorting' | 'onResize'> & { column: TableColumn<Row> }

function HeadCell<Row>({ column, sorting, onResize }: HeadCellProps<Row>) {
  const { name, label, px, align } = column
  const keys = sorting?.keys ?? []
  const at = keys.findIndex(key => key.name === name)
  const key = keys[at]
  const order = key === undefined ? 'none' : key.descending ? 'descending' : 'ascending'
  const Arrow = key?.descending === true ? ArrowDown : ArrowUp
  const isSortable = column.sortable === true && sorting !== undefined
  return (
    <th scope="col" data-align={align} data-fixed={column.fixed} aria-sort={isSortable ? order : undefined}>
      {isSortable ? (
        <button
          type="button"
          className={styles['head']}
          title={t('sort')}
          onClick={event => sorting.onSort(name, event.shiftKey)}
        >
          {label}
          {key !== undefined && <Arrow size={12} aria-hidden="true" />}
          {key !== undefined && keys.length > 1 && <span className={styles['place']}>{at + 1}</span>}
        </button>
      ) : (
        <span className={styles['head']}>{label}</span>
      )}
      {column.fixed !== true && <Edge label={label} width={px} onResize={next => onResize(name, next)} />}
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
      aria-label={t('columnWidth', { column: label })}
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

type RowProps<Row> = TableProps<Row> & {
  row: Row
  index: number
  isActive: boolean
  edited: string | undefined
  onPoint(): void
  onEditCell(column: string | undefined): void
}

function TableRow<Row>(props: RowProps<Row>) {
  const { row, index, isActive, edited, columns, idOf, opens, selection, editing, onPoint, onEditCell } = props
  const id = idOf(row)
  const isSelected = selection?.selected.has(id) === true
  const [isPointed, setPointed] = useState(false)
  // In a list of many rows and columns they would be half of what is drawn.
  const showsPencils = isActive || isPointed || !canHover
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-tone={props.toneOf?.(row)}
      // Where cells are edited in place, presses are meant for them.
      className={editing === undefined ? styles['opens'] : undefined}
      onClick={editing === undefined ? openPressed : undefined}
      onPointerDown={onPoint}
      onPointerEnter={editing === undefined ? undefined : () => setPointed(true)}
      onPointerLeave={editing === undefined ? undefined : () => setPointed(false)}
    >
      {selection !== undefined && (
        <td>
          <Check
            label={t('select', { name: selection.titleOf(row) })}
            checked={isSelected}
            onChange={() => selection.onSelect(toggled(selection.selected, id))}
          />
        </td>
      )}
      {columns.map(({ name, align, fixed, hasControls, cell }, place) => {
        if (editing !== undefined && edited === name)
          return (
            <td key={name} className={styles['editing']}>
              {editing.editor(row, name, () => onEditCell(undefined))}
            </td>
          )
        const mayEdit = editing?.mayEdit(row, name) === true
        return (
          <td
            key={name}
            data-align={align}
            data-fixed={fixed}
            onDoubleClick={mayEdit ? () => onEditCell(name) : undefined}
          >
            <div className={styles['cell']}>
              {place === 0 && hasControls === true && (
                <Opener {...opens} row={row}>
                  <ArrowUpRight size={14} />
                </Opener>
              )}
              <span className={styles['value']} dir="auto">
                {place === 0 && hasControls !== true ? (
                  <Opener {...opens} row={row}>
                    {cell(row)}
                  </Opener>
                ) : (
                  cell(row)
                )}
              </span>
              {mayEdit && showsPencils && (
                <IconButton
                  className={styles['pencil']}
                  size="sm"
                  tabIndex={isActive ? 0 : -1}
                  label={editing?.labelOf(row, name) ?? ''}
                  icon={<Pencil size={12} />}
                  onClick={() => onEditCell(name)}
                />
              )}
            </div>
          </td>
        )
      })}
    </tr>
  )
}

function Opener<Row>({
  row,
  label,
  link,
  press,
  children,
}: TableProps<Row>['opens'] & { row: Row; children: ReactNode }) {
  const shared = { 'aria-label': label(row), 'data-opens': '', children }
  const page = link?.(row)
  if (page !== undefined) return <TextLink {...(page as { to: '/' })} {...shared} />
  return <button type="button" className={styles['opener']} onClick={() => press?.(row)} {...shared} />
}

/** A press anywhere on a row opens it. */
function openPressed(event: MouseEvent<HTMLElement>): void {
  const [row, pressed] = [event.currentTarget, event.target as Element]
  // What is pressed in a menu or dialog that the row opened comes here too: React bubbles by components, not by place.
  if (!row.contains(pressed)) return
  // A press on a control inside the row, or the end of a selection of text, is not meant for the row.
  if (pressed.closest('a, button, input, select, label, audio') || window.getSelection()?.toString()) return
  row.querySelector<HTMLElement>('[data-opens]')?.click()
}
