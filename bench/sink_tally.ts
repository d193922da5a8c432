/**
 * What a sink counts: which messages came and when, by the number in their text, so that none is missed and none counted
 * twice; and the orders that the bench gives it over the IPC channel. Times are microseconds of the machine's monotonic
 * clock, which all processes share.
 */
import type { AddressInfo, Server } from 'node:net'

/** Microseconds of the clock that does not jump; the same in all processes of the machine. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

export type SinkCounts = {
  /** All that came, and how many different ones these were. */
  total: number
  distinct: number
  firstUs: number
  lastUs: number
  /** Further counts of the sink's own. */
  others: Record<string, number>
  /** When each message came first, by its number less `firstN`; 0: never. Only when asked for. */
  timesUs?: Float64Array
}

/** What the bench may ask; each is answered once. */
export type SinkOrder =
  | { kind: 'counts'; times?: { firstN: number; count: number } }
  | { kind: 'reset' }
  | { kind: 'secret'; secret: string }
export type SinkReply = { kind: 'listening'; port: number } | { kind: 'answer'; counts: SinkCounts }

export type Tally = {
  /** Notes the message whose number is in these digits. */
  note(bytes: Buffer, at: number, digits: number): void
  count(what: string, n?: number): void
  counts(times?: { firstN: number; count: number }): SinkCounts
  reset(): void
}

export function createTally(): Tally {
  let times = new Float64Array(1 << 20)
  let total = 0
  let distinct = 0
  let firstUs = 0
  let lastUs = 0
  let others: Record<string, number> = {}

  return {
    note(bytes, at, digits) {
      let n = 0
      for (let i = at; i < at + digits; i++) n = n * 10 + bytes[i]! - 48
      total += 1
      lastUs = nowUs()
      if (firstUs === 0) firstUs = lastUs
      if (!(n >= 0 && n < 1e8)) return
      if (n >= times.length) {
        const longer = new Float64Array(Math.max(n + 1, 2 * times.length))
        longer.set(times)
        times = longer
      }
      if (times[n] !== 0) return
      times[n] = lastUs
      distinct += 1
    },
    count(what, n = 1) {
      others[what] = (others[what] ?? 0) + n
    },
    counts(asked) {
      const counts = { total, distinct, firstUs, lastUs, others }
      if (asked === undefined) return counts
      return { ...counts, timesUs: times.slice(asked.firstN, asked.firstN + asked.count) }
    },
    reset() {
      times.fill(0)
      total = 0
      distinct = 0
      firstUs = 0
      lastUs = 0
      others = {}
    },
  }
}

/** Listens on a free port, says which, and answers orders until the bench goes away. */
export function serveOrders(server: Server, tally: Tally, onSecret?: (secret: string) => void): void {
  const say = (reply: SinkReply) => process.send?.(reply)
  server.listen(0, '127.0.0.1', () => say({ kind: 'listening', port: (server.address() as AddressInfo).port }))
  process.on('message', (message: unknown) => {
    const order = message as SinkOrder
    if (order.kind === 'reset') tally.reset()
    else if (order.kind === 'secret') onSecret?.(order.secret)
    say({ kind: 'answer', counts: tally.counts(order.kind === 'counts' ? order.times : undefined) })
  })
  process.once('disconnect', () => process.exit(0))
}
