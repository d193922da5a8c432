// One answer to much that happens at once.
import { useEffect, useRef } from 'react'

/** A function that does `work` once for all its calls within so many milliseconds, and never after the component is gone. */
export function useGathered(work: () => unknown, withinMs: number): () => void {
  const latest = useRef(work)
  latest.current = work
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void latest.current()
    }, withinMs)
  }
}
