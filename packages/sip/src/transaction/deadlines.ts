// Deadlines in their order: a binary heap in which each one knows its place, so that those that are not wanted any more are
// taken out at once. Nothing stale stays, and with ten thousand in it each change takes a dozen steps.

/** `place` belongs to the heap: -1 while the deadline is not in it. */
export type Deadline = { atMs: number; place: number }

export type Deadlines<Entry extends Deadline> = {
  add(entry: Entry): void
  /** False when it was not there. */
  remove(entry: Entry): boolean
  /** Takes out the first one that is due. */
  takeDue(nowMs: number): Entry | undefined
  clear(): void
  readonly nextMs: number | undefined
  readonly size: number
}

export function createDeadlines<Entry extends Deadline>(): Deadlines<Entry> {
  const heap: Entry[] = []

  function put(entry: Entry, place: number): void {
    heap[place] = entry
    entry.place = place
  }

  function rise(entry: Entry, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      if (heap[above]!.atMs <= entry.atMs) break
      put(heap[above]!, place)
      place = above
    }
    put(entry, place)
  }

  function sink(entry: Entry, from: number): void {
    let place = from
    for (;;) {
      let below = 2 * place + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1]!.atMs < heap[below]!.atMs) below += 1
      if (heap[below]!.atMs >= entry.atMs) break
      put(heap[below]!, place)
      place = below
    }
    put(entry, place)
  }

  function remove(entry: Entry): boolean {
    const { place } = entry
    if (place === -1) return false
    entry.place = -1
    const last = heap.pop()!
    if (last === entry) return true
    if (last.atMs < entry.atMs) rise(last, place)
    else sink(last, place)
    return true
  }

  return {
    add(entry) {
      heap.push(entry)
      rise(entry, heap.length - 1)
    },
    remove,
    takeDue(nowMs) {
      const first = heap[0]
      if (first === undefined || first.atMs > nowMs) return undefined
      remove(first)
      return first
    },
    clear() {
      for (const entry of heap) entry.place = -1
      heap.length = 0
    },
    get nextMs() {
      return heap[0]?.atMs
    },
    get size() {
      return heap.length
    },
  }
}
