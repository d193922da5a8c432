// Seconds that run down while somebody looks.
import { useEffect, useState } from 'react'

/** Seconds that are left of a span that began at `fromMs`; counts down while it is shown. */
export function useCountdown(seconds: number, fromMs: number): number {
  const left = () => Math.max(0, Math.ceil(seconds - (Date.now() - fromMs) / 1000))
  const [, tick] = useState(0)
  const now = left()
  useEffect(() => {
    if (now === 0) return undefined
    const timer = setTimeout(() => tick(count => count + 1), 1_000)
    return () => clearTimeout(timer)
  })
  return now
}
