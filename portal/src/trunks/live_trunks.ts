// Trunks that follow the stream: a change of theirs is read again at once, and after calls what they counted. Counters are no
// events, and are written a few seconds apart: what is read once after a call has it all.
import { useEffect, useRef } from 'react'
import { useLive } from '../data/live.ts'
import { useSession } from '../session/session.ts'

/** What happens to trunks within this time is read at once. */
const gatherMs = 200
/** Counters are written every five seconds at least. */
const countedMs = 6_000

/** Calls `onChange` soon after something happened to trunks, and once their calls are counted. */
export function useLiveTrunks(onChange: () => void): void {
  const { permissions } = useSession()
  const latest = useRef(onChange)
  latest.current = onChange
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>())
  /** What happened while something waited is read after it once more. */
  const again = useRef(new Set<number>())
  const soon = (ms: number) => {
    if (timers.current.has(ms)) return void again.current.add(ms)
    const run = () => {
      timers.current.delete(ms)
      latest.current()
      if (again.current.delete(ms)) soon(ms)
    }
    timers.current.set(ms, setTimeout(run, ms))
    return undefined
  }
  useLive(
    [{ events: ['trunk.*', 'call.*'] }],
    message => {
      if (message.event === 'gap') return soon(gatherMs)
      if (message.event !== 'event') return undefined
      return soon(message.data.type.startsWith('trunk.') ? gatherMs : countedMs)
    },
    permissions.has('events:read'),
  )
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running.values()) clearTimeout(timer)
      running.clear()
    }
  }, [])
}
