// Inbound messages of the last minutes: which of them the carrier may send once more, and how many said the same. Memory
// is bounded: what has to be forgotten early gets no reference a second time.

/** Long enough for the carrier to bind again and repeat what was not acknowledged. */
export const repeatMs = 5 * 60_000
/** References name the ten minutes they were given in. */
export const slotMs = 600_000
/** What was acknowledged so shortly before its link broke may not have arrived, and is repeated then. */
const uncertainMs = 5_000
/** A carrier that has waited so long for the acknowledgement may have given it up, and repeat the message on the same link. */
const patienceMs = 2_500
const maxRemembered = 50_000
/** They go many at once, and seldom: what looks at a map from its beginning passes by all that has gone from there. */
const forgottenAtOnce = 5_000
const sweepMs = 10_000

/**
 * - `pending`: it is being stored
 * - `acknowledged`: another one with the same content is another message
 * - `repeatable`: another one with the same content is its repetition
 */
type Known = {
  readonly reference: string
  readonly content: Content
  state: 'pending' | 'acknowledged' | 'repeatable'
  isStored: boolean
  link: number
  atMs: number
}

/** Messages that say the same. */
type Content = {
  readonly key: string
  /** Counted within it. */
  name: string
  prefix: string
  ordinal: number
  remembered: number
  /** Those that are not acknowledged. */
  readonly open: Set<Known>
}

export type KnownMessages = {
  /**
   * The reference of a message that has arrived: that of the one it repeats, or the next one.
   * @param name what the reference begins with; another one begins to count again
   * @param sentMs the carrier counts from when it sent it, however late it was read
   */
  take(key: string, name: string, link: number, nowMs: number, sentMs: number): string
  /** Whether it was stored, so that it is acknowledged now; otherwise it will be repeated. */
  settled(reference: string, isStored: boolean, nowMs: number): void
  /** A link broke, up to `agoMs` ago. */
  linkLost(link: number, nowMs: number, agoMs?: number): void
  /** Whether something was stored of which the carrier may not know. */
  isUncertain(nowMs: number): boolean
}

/** @param mark stands in references that are given after something was forgotten early, and before that in none */
export function createKnownMessages(mark: string): KnownMessages {
  // In the order in which they came last.
  const known = new Map<string, Known>()
  const contents = new Map<string, Content>()
  let forgotten = 0
  let sweptMs = 0

  function contentOf(key: string, name: string): Content {
    const content = contents.get(key) ?? { key, name: '', prefix: '', ordinal: 0, remembered: 0, open: new Set() }
    if (content.name !== name) {
      const prefix = forgotten === 0 ? `${name}.` : `${name}${mark}~${forgotten.toString(36)}.`
      Object.assign(content, { name, prefix, ordinal: 0 })
    }
    contents.set(key, content)
    return content
  }

  function next(content: Content): Known {
    const reference = `${content.prefix}${content.ordinal++}`
    content.remembered++
    return { reference, content, state: 'pending', isStored: false, link: 0, atMs: 0 }
  }

  function forgetOld(nowMs: number): void {
    const isFull = known.size > maxRemembered
    if (!isFull && nowMs - sweptMs < sweepMs) return
    sweptMs = nowMs
    const most = isFull ? maxRemembered - forgottenAtOnce : maxRemembered
    for (const entry of known.values()) {
      const isOld = nowMs - entry.atMs >= slotMs + repeatMs
      if (known.size <= most && !isOld) break
      const { reference, content } = entry
      known.delete(reference)
      content.open.delete(entry)
      content.remembered--
      if (content.remembered > 0) continue
      contents.delete(content.key)
      // The next one that says the same is counted from 0 again, so that it needs another prefix.
      if (!isOld) forgotten++
    }
  }

  function changeState(entry: Known, state: Known['state'], atMs: number): void {
    entry.state = state
    entry.atMs = atMs
    if (state === 'acknowledged') entry.content.open.delete(entry)
    else entry.content.open.add(entry)
  }

  return {
    take(key, name, link, nowMs, sentMs) {
      const content = contentOf(key, name)
      const entry = repeatedOf(content, nowMs) ?? next(content)
      const { reference } = entry
      known.delete(reference)
      known.set(reference, entry)
      entry.link = link
      changeState(entry, 'pending', sentMs)
      forgetOld(nowMs)
      return reference
    },
    settled(reference, isStored, nowMs) {
      const entry = known.get(reference)
      if (entry === undefined) return
      entry.isStored ||= isStored
      if (entry.state !== 'pending') return
      const isLate = nowMs - entry.atMs > patienceMs
      changeState(entry, isStored && !isLate ? 'acknowledged' : 'repeatable', nowMs)
    },
    linkLost(link, nowMs, agoMs = 0) {
      for (const entry of known.values()) {
        if (entry.link !== link || entry.state === 'repeatable') continue
        if (entry.state === 'acknowledged' && nowMs - agoMs - entry.atMs >= uncertainMs) continue
        changeState(entry, 'repeatable', nowMs)
      }
    },
    isUncertain: nowMs => known.values().some(({ state, atMs }) => state !== 'acknowledged' && nowMs - atMs < repeatMs),
  }
}

/**
 * Which one a message repeats: first of all one that was not stored, because that one comes again for certain; otherwise
 * the newest, whose acknowledgement is the likeliest to be missing.
 */
function repeatedOf({ open }: Content, nowMs: number): Known | undefined {
  let newest: Known | undefined
  for (const entry of open) {
    const { state, isStored, atMs } = entry
    const isRepeatable = state === 'repeatable' && nowMs - atMs < repeatMs
    if (isRepeatable && !isStored) return entry
    if (isRepeatable || (state === 'pending' && nowMs - atMs > patienceMs)) newest = entry
    else if (state === 'repeatable') open.delete(entry)
  }
  return newest
}
