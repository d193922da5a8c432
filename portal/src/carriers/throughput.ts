// How fast a carrier is now: what its links wrote between two readings of their counters.
import type { Carrier } from '@tandem/sdk'
import { useEffect, useRef, useState } from 'react'
import { countText, numberText } from '../words/format.ts'

/** Links report every five seconds; anyone who watches them reads as often. */
export const refreshMs = 5_000

/** What was counted, and when; milliseconds since 1970. */
export type Sample = { submitted: number; atMs: number }

export function sampleOf({ links }: Pick<Carrier, 'links'>): Sample | undefined {
  if (links.length === 0) return undefined
  return {
    submitted: links.reduce((sum, { counters }) => sum + counters.submitted, 0),
    atMs: Math.max(...links.map(({ updatedAt }) => Date.parse(updatedAt))),
  }
}

/** Segments a second between two samples; undefined when there is none to calculate: the same sample, or counters that were reset. */
export function rateOf(before: Sample | undefined, now: Sample): number | undefined {
  if (before === undefined || now.atMs <= before.atMs || now.submitted < before.submitted) return undefined
  return ((now.submitted - before.submitted) * 1_000) / (now.atMs - before.atMs)
}

export function rateText(rate: number | undefined): string {
  if (rate === undefined) return '–'
  if (rate >= 10 || Number.isInteger(rate)) return countText(Math.round(rate))
  return numberText(rate, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** The rates by carrier, known from the second reading on. */
export function useThroughput(carriers: readonly Carrier[]): ReadonlyMap<string, number> {
  const samples = useRef(new Map<string, Sample>())
  const [rates, setRates] = useState<ReadonlyMap<string, number>>(new Map())
  useEffect(() => {
    const fresh: [string, number][] = []
    for (const carrier of carriers) {
      const now = sampleOf(carrier)
      if (now === undefined) continue
      const before = samples.current.get(carrier.carrierId)
      const rate = rateOf(before, now)
      if (rate !== undefined) fresh.push([carrier.carrierId, rate])
      if (before === undefined || now.atMs > before.atMs) samples.current.set(carrier.carrierId, now)
    }
    if (fresh.length > 0) setRates(old => new Map([...old, ...fresh]))
  }, [carriers])
  return rates
}
