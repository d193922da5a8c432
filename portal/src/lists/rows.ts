// What the table of a list knows of its rows: which are in sight, and which one the keyboard is at.
import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useListKeys } from '../navigation/shortcuts.ts'

export const rowPx = 40
/** Rows drawn above and below those in sight. */
const spare = 12

type Frame = RefObject<HTMLElement | null>

/** The rows to be drawn, of so many, each so high: those in sight and some around them. */
export function useRowsInSight(frame: Frame, count: number, px = rowPx): [from: number, to: number] {
  const [place, setPlace] = useState({ top: 0, height: 0 })
  // A list that has just come draws what can be seen, and the rest once that is painted.
  const [around, setAround] = useState(0)
  useEffect(() => startTransition(() => setAround(spare)), [])
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const look = () =>
      setPlace(old => {
        // Only whole steps draw again: a row more or less in sight is spare.
        const top = Math.floor(element.scrollTop / (px * 4)) * px * 4
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
  }, [frame, px])
  const from = Math.max(0, Math.floor(place.top / px) - around)
  const to = Math.min(count, Math.ceil((place.top + place.height) / px) + around + 4)
  return [Math.min(from, Math.max(0, count - 1)), to]
}

/** Another order, or other filters, are read from the top. */
export function useTopOf(frame: Frame, query: string): void {
  const before = useRef(query)
  useLayoutEffect(() => {
    if (before.current === query) return
    before.current = query
    if (frame.current !== null) frame.current.scrollTop = 0
  }, [frame, query])
}

export const toggled = (selected: ReadonlySet<string>, id: string) =>
  selected.has(id) ? selected.difference(new Set([id])) : new Set([...selected, id])

type Walked<Row> = {
  listed: string
  rows: readonly Row[]
  idOf(row: Row): string
  selection?: { selected: ReadonlySet<string>; onSelect(ids: ReadonlySet<string>): void } | undefined
  onEdit?: ((row: Row) => unknown) | undefined
}

/**
 * The row that the keyboard is at. It is that of its record while others come and go above it, and the next one where it is gone; in
 * another list, or another order, there is none.
 */
export function useWalk<Row>(frame: Frame, { listed, rows, idOf, selection, onEdit }: Walked<Row>) {
  const [place, setPlace] = useState<{ id: string; index: number; listed: string }>()
  const [walked, setWalked] = useState(0)
  const active = activeOf(rows.map(idOf), place?.listed === listed ? place : undefined)
  const current = rows[active]
  const setActive = (index: number) => {
    const next = rows[index]
    if (next !== undefined) setPlace({ id: idOf(next), index, listed })
  }
  const walk = (by: number) => {
    setActive(Math.max(0, Math.min(rows.length - 1, active + by)))
    setWalked(times => times + 1)
  }
  useListKeys({
    j: () => walk(1),
    k: () => walk(-1),
    o: () => openerAt(frame, active)?.click(),
    x: () => current !== undefined && selection?.onSelect(toggled(selection.selected, idOf(current))),
    e: () => current !== undefined && onEdit?.(current),
  })
  useActiveInSight(frame, active, walked)
  return { active, setActive }
}

function activeOf(ids: readonly string[], place: { id: string; index: number } | undefined): number {
  if (place === undefined) return -1
  const found = ids.indexOf(place.id)
  return found === -1 ? Math.min(place.index, ids.length - 1) : found
}

const openerAt = (frame: Frame, index: number) =>
  frame.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-opens]`)

/** Scrolls to the row that the keyboard came to, and puts the focus on what opens it. */
function useActiveInSight(frame: Frame, active: number, walked: number): void {
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
    const focus = () => openerAt(frame, active)?.focus({ preventScroll: true })
    focus()
    // A row that was out of sight is drawn with the next frame.
    const next = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(next)
  }, [frame, active, walked])
}
