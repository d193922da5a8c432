// The rate limit of one process: a sliding window of one-second counters for each key. "N a minute" means that N quick
// requests after a quiet minute all pass, and that no 60 seconds, wherever they begin, ever hold more than N.
// 60 whole seconds touch at most 61 counters; counting all 61, the oldest whole, keeps the bound strict, at the price
// that a full quota is back only after 61 quiet seconds.

/** What the limiter says of one request. Refused requests are not counted. */
export type Decision = {
  allowed: boolean
  /** The quota of the window, as asked. */
  limit: number
  /** What is left of it after this request. */
  remaining: number
  /** Whole seconds until the oldest counted request leaves the window: the `t` of the RateLimit header. */
  resetSeconds: number
  /** 0 when allowed; else whole seconds after which the same request passes if no other does. At most window + 1. */
  retryAfterSeconds: number
}

/** A decision whose seconds are `stretch` seconds long, in seconds. */
export function stretched(decision: Decision, stretch: number): Decision {
  const { resetSeconds, retryAfterSeconds } = decision
  const seconds = (count: number) => Math.ceil(count * stretch)
  return { ...decision, resetSeconds: seconds(resetSeconds), retryAfterSeconds: seconds(retryAfterSeconds) }
}

export type MemoryLimiter = {
  /** Asks for `cost` of a key's `limit` in the window. `nowMs` may run backwards: a stepped clock blocks nobody. */
  take(key: string, limit: number, nowMs: number, cost?: number): Decision
  /** Keys known at present, for metrics. */
  readonly size: number
}

export type MemoryLimiterOptions = {
  windowSeconds?: number
  /** Beyond this many keys, the one quiet for longest is forgotten. About 350 bytes each. */
  maxKeys?: number
}

type Slot = {
  key: string
  /** The ring of this slot: `counts[base + second % ring]`. Many slots share one array. */
  counts: Uint32Array
  base: number
  total: number
  /** The second of the oldest counter above 0; without meaning when `total` is 0. */
  oldest: number
  /** The second up to which the ring is brought. */
  last: number
  newer: Slot | undefined
  older: Slot | undefined
}

const SLOTS_A_SLAB = 1024

/** A limiter in memory. A call costs about a tenth of a microsecond; nothing runs in the background. */
export function createMemoryLimiter({
  windowSeconds = 60,
  maxKeys = 200_000,
}: MemoryLimiterOptions = {}): MemoryLimiter {
  const ring = windowSeconds + 1
  const slots = new Map<string, Slot>()
  const free: Slot[] = []
  // Keys in the order of their last active second.
  let newest: Slot | undefined
  let oldest: Slot | undefined

  function unlink(slot: Slot): void {
    if (slot.newer === undefined) newest = slot.older
    else slot.newer.older = slot.older
    if (slot.older === undefined) oldest = slot.newer
    else slot.older.newer = slot.newer
  }

  function linkNewest(slot: Slot): void {
    slot.newer = undefined
    slot.older = newest
    if (newest !== undefined) newest.newer = slot
    newest = slot
    oldest ??= slot
  }

  function forget(slot: Slot): void {
    unlink(slot)
    slots.delete(slot.key)
    slot.counts.fill(0, slot.base, slot.base + ring)
    free.push(slot)
  }

  function addSlab(): void {
    const counts = new Uint32Array(SLOTS_A_SLAB * ring)
    for (let i = SLOTS_A_SLAB - 1; i >= 0; i--)
      free.push({ key: '', counts, base: i * ring, total: 0, oldest: 0, last: 0, newer: undefined, older: undefined })
  }

  function open(key: string, second: number): Slot {
    // Two old keys go for each new one while there are quiet ones, so memory follows the keys of the last minute.
    for (let i = 0; i < 2 && oldest !== undefined && second - oldest.last > windowSeconds; i++) forget(oldest)
    if (slots.size >= maxKeys && oldest !== undefined) forget(oldest)
    if (free.length === 0) addSlab()
    const slot = free.pop() as Slot
    slot.key = key
    slot.total = 0
    slot.last = second
    slots.set(key, slot)
    linkNewest(slot)
    return slot
  }

  // Brings the ring to another second and drops what left the window.
  function advance(slot: Slot, second: number): void {
    if (second < slot.last) rewind(slot, second)
    else if (slot.total > 0 && second - slot.oldest > windowSeconds) expire(slot, second)
    slot.last = second
    if (newest !== slot) {
      unlink(slot)
      linkNewest(slot)
    }
  }

  function expire(slot: Slot, second: number): void {
    const { counts, base, last } = slot
    let at = slot.oldest
    for (; at <= last && second - at > windowSeconds; at++) {
      const i = base + (at % ring)
      slot.total -= counts[i]!
      counts[i] = 0
    }
    while (at <= last && counts[base + (at % ring)] === 0) at++
    slot.oldest = at
  }

  // The clock was set back: every counter keeps its age, so nothing is forgotten and nobody waits for the old time.
  function rewind(slot: Slot, second: number): void {
    const { counts, base, last } = slot
    const byAge = Array.from({ length: ring }, (_, age) => counts[base + modulo(last - age, ring)]!)
    for (const [age, count] of byAge.entries()) counts[base + modulo(second - age, ring)] = count
    slot.oldest += second - last
  }

  function take(key: string, limit: number, nowMs: number, cost = 1): Decision {
    const second = Math.floor(nowMs / 1000)
    let slot = slots.get(key)
    if (slot === undefined) slot = open(key, second)
    else if (slot.last !== second) advance(slot, second)
    const allowed = slot.total + cost <= limit
    if (allowed && cost > 0) {
      if (slot.total === 0) slot.oldest = second
      slot.total += cost
      slot.counts[slot.base + (second % ring)]! += cost
    }
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - slot.total),
      resetSeconds: slot.total === 0 ? 0 : secondsUntil(slot.oldest + ring, nowMs),
      retryAfterSeconds: allowed ? 0 : retryAfter(slot, cost - (limit - slot.total), nowMs, cost > limit),
    }
  }

  function retryAfter(slot: Slot, needed: number, nowMs: number, hopeless: boolean): number {
    let freed = 0
    for (let at = slot.oldest; !hopeless && at <= slot.last; at++) {
      freed += slot.counts[slot.base + (at % ring)]!
      if (freed >= needed) return secondsUntil(at + ring, nowMs)
    }
    return ring
  }

  return {
    take,
    get size() {
      return slots.size
    },
  }
}

function secondsUntil(second: number, nowMs: number): number {
  return Math.ceil((second * 1000 - nowMs) / 1000)
}

function modulo(n: number, by: number): number {
  return ((n % by) + by) % by
}
