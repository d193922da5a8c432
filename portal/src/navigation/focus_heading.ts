// A new page begins at its heading, for the keyboard and the screen reader too (WCAG 2.4.3): the focus goes there whenever
// the path of the address changes, and nowhere when only filters do.
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** So long a page may take to show its heading, and a dialog that was left to be gone. */
const PATIENCE_MS = 5_000
const STEP_MS = 30

/** @param main the element that screens stand in */
export function useFocusOnHeading(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    let stop: () => void = () => undefined
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      stop()
      stop = focusHeading(main)
    })
    return () => {
      stop()
      unsubscribe()
    }
  }, [router, main])
}

/**
 * Waits for the heading, and for a dialog to give the focus back. A screen that keeps the focused element (a list beside what
 * it opens), or puts the focus itself, is left alone, and so is a person who goes on by themselves.
 */
function focusHeading(main: RefObject<HTMLElement | null>): () => void {
  const endMs = performance.now() + PATIENCE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: HTMLElement | undefined
  const step = () => {
    const place = main.current
    const active = document.activeElement
    if (active?.closest('[role="dialog"]') == null) {
      const isInside = place !== null && place !== active && place.contains(active)
      const isLost = active === document.body || active === place
      if (active !== shown && (shown === undefined ? isInside : !isLost)) return
      const heading = place?.querySelector<HTMLElement>('h1')
      if (heading != null && heading !== shown) {
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
        shown = heading
      } else if (heading == null && active !== place) place?.focus({ preventScroll: true })
    }
    if (performance.now() < endMs) timer = setTimeout(step, STEP_MS)
  }
  step()
  return () => clearTimeout(timer)
}
