// A reader for bodies of any size: rows of one height, of which only those in sight exist. Arrow keys move a cursor line,
// whose value is shown below the body.
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { classes } from '../../ui/index.ts'
import { MAX_ROW, type Match, type Rows, rowAt, rowText } from '../body/body_work.ts'
import { rowSegments, type Segment } from '../body/row_segments.ts'
import styles from './big_text.module.css'

const ROW_PX = 20
/** Browsers stop at some 33 million pixels: beyond this, scrolling goes in larger steps. */
const MAX_PX = 8_000_000
const OVERSCAN = 12

export type BigTextProps = {
  rows: Rows
  isJson: boolean
  label: string
  matches: readonly Match[]
  current: Match | undefined
  onPlace(offset: number): void
  onId(id: string): void
  /** Ctrl+F or Cmd+F was pressed. */
  onFind(): void
}

export function BigText({ rows, isJson, label, matches, current, onPlace, onId, onFind }: BigTextProps) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [active, setActive] = useState(0)
  const count = rows.starts.length
  const full = count * ROW_PX
  const shown = Math.min(full, MAX_PX)
  const factor = full > MAX_PX ? (full - height) / (MAX_PX - height) : 1

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const goTo = (row: number, where: 'center' | 'nearest') => {
    const element = box.current
    if (element === null) return
    const y = row * ROW_PX
    const from = element.scrollTop * factor
    if (where === 'nearest' && y >= from && y + ROW_PX <= from + height) return
    const target = where === 'center' ? y - height / 2 : y < from ? y : y + ROW_PX - height
    element.scrollTop = Math.max(0, target / factor)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another match moves the view
  useEffect(() => {
    if (current !== undefined) goTo(rowAt(rows, current.from), 'center')
  }, [current])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins at its beginning
  useEffect(() => {
    setActive(0)
    if (box.current !== null) box.current.scrollTop = 0
  }, [rows])

  const y = top * factor
  const first = Math.max(0, Math.floor(y / ROW_PX) - OVERSCAN)
  const last = Math.min(count, Math.ceil((y + height) / ROW_PX) + OVERSCAN)

  const moveTo = (row: number) => {
    const next = Math.max(0, Math.min(count - 1, row))
    setActive(next)
    goTo(next, 'nearest')
    const text = rowText(rows, next)
    onPlace(rows.starts[next]! + Math.max(0, text.search(/\S/)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
      event.preventDefault()
      onFind()
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(height / ROW_PX) - 1)
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    }
    const target = steps[event.key]
    if (target === undefined) return
    event.preventDefault()
    moveTo(target)
  }
  const onClick = (event: MouseEvent) => {
    const id = (event.target as HTMLElement).dataset['id']
    if (id !== undefined && getSelection()?.isCollapsed !== false) onId(id)
    const offset = offsetAt(event)
    if (offset === undefined) return
    setActive(rowAt(rows, offset))
    onPlace(offset)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a text field could not draw only what is in sight
    <div
      ref={box}
      className={styles['box']}
      role="textbox"
      aria-multiline="true"
      aria-readonly="true"
      aria-label={label}
      tabIndex={0}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div className={styles['space']} style={{ height: shown }}>
        <div className={styles['window']} style={{ transform: `translateY(${top + first * ROW_PX - y}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, index) => {
            const row = first + index
            return (
              <BigRow
                key={row}
                rows={rows}
                row={row}
                isJson={isJson}
                isActive={row === active}
                matches={matches}
                current={current}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

type BigRowProps = Pick<BigTextProps, 'rows' | 'isJson' | 'matches' | 'current'> & { row: number; isActive: boolean }
function BigRow({ rows, row, isJson, isActive, matches, current }: BigRowProps) {
  const segments = useMemo(() => {
    const start = rows.starts[row]!
    const isLineStart = row === 0 || rows.text[start - 1] === '\n'
    return rowSegments(rowText(rows, row), start, { isJson, isLineStart, matches, current })
  }, [rows, row, isJson, matches, current])
  return (
    <div className={classes(styles['row'], isActive && styles['active'])}>
      {rows.longestLine <= MAX_ROW && (
        <span className={styles['line']} aria-hidden="true">
          {row + 1}
        </span>
      )}
      {segments.map(segment => (
        <span key={segment.at} data-at={segment.at} data-id={segment.id} className={lookOf(segment)}>
          {segment.text}
        </span>
      ))}
    </div>
  )
}

function lookOf({ kind, id, found, current }: Segment): string {
  return classes(styles[kind], id !== undefined && styles['id'], found && styles['found'], current && styles['current'])
}

/** The offset in the text under the pointer. */
function offsetAt({ clientX, clientY, target }: MouseEvent): number | undefined {
  const place = document.caretPositionFromPoint?.(clientX, clientY)
  const node = place?.offsetNode ?? null
  const element = node instanceof Element ? node : (node?.parentElement ?? (target as Element))
  const span = element.closest<HTMLElement>('[data-at]')
  if (span === null) return undefined
  return Number(span.dataset['at']) + (node instanceof Text ? (place?.offset ?? 0) : 0)
}
