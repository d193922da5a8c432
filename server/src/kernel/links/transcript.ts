// What a test of a link says and hears, step by step, for people to read. The remote side may say more than anyone reads
// and than memory holds: of each step the beginning is kept, with how much was left out, and a flood is to end the test.

export type Said = { direction: 'sent' | 'received'; text: string }

const maxShown = 100
/** No remote side that answers in order says half as much within one test. */
const maxSaid = 5_000

/** What is said of a step that a flood has ended. */
export const floodText = 'The remote side sends without end what nobody has asked it for, so the test was ended.'

export type Transcript = {
  add(entry: Said): void
  /** What was said since it was last asked: the beginning, and the count of the rest. */
  take(): Said[]
  /** Resolves when far more was said than any test needs. */
  readonly flooded: Promise<void>
}

export function createTranscript(): Transcript {
  const { promise: flooded, resolve: onFlood } = Promise.withResolvers<void>()
  let shown: Said[] = []
  let leftOut = { sent: 0, received: 0 }
  let count = 0
  return {
    flooded,
    add(entry) {
      count++
      if (count === maxSaid) onFlood()
      if (shown.length < maxShown) shown.push(entry)
      else leftOut[entry.direction]++
    },
    take() {
      const rest = (['sent', 'received'] as const)
        .filter(direction => leftOut[direction] > 0)
        .map(direction => ({ direction, text: `… and ${leftOut[direction].toLocaleString('en-US')} more` }))
      const said = [...shown, ...rest]
      shown = []
      leftOut = { sent: 0, received: 0 }
      return said
    },
  }
}
