// What no event reports, such as whether a phone is registered, and what carriers count: it is read again and again while somebody looks.
import { useEffect, useRef } from 'react'

/** @param everyMs undefined where nothing need be looked for */
export function usePolled(
  { query }: { query: { error: unknown; refetch(): unknown } },
  everyMs: number | undefined,
): void {
  const latest = useRef(query)
  latest.current = query
  useEffect(() => {
    if (everyMs === undefined) return undefined
    const look = () => {
      if (latest.current.error === null && !document.hidden) void latest.current.refetch()
    }
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
