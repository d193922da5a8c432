/**
 * How long one search takes, of a million companies and with nothing else asked: words by chance (the same in every run) of each kind, one
 * after the other, as a person waits for them.
 */
import { createHistogram, percentile, record } from './histogram.ts'
import { cpuSecondsOf, formatMs, markdownTable } from './measure.ts'
import { ends, starts } from './seed_nouns.ts'
import { request, type Tandem } from './servers.ts'

/** Numbers from 0 to below `below`, the same in every run. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Drawn = (below: number) => number

const one = (drawn: Drawn, list: readonly string[]): string => list[drawn(list.length)]!
const word = (drawn: Drawn): string => one(drawn, starts) + one(drawn, ends)

/** A word with a letter left out, put in, or in the place of its neighbour. */
function misspelt(drawn: Drawn): string {
  const right = word(drawn)
  if (right.length < 6) return misspelt(drawn)
  const at = 1 + drawn(right.length - 2)
  const before = right.slice(0, at)
  const kinds = [
    before + right.slice(at + 1),
    before + one(drawn, ['x', 'q', 'z']) + right.slice(at),
    before + right[at + 1]! + right[at]! + right.slice(at + 2),
  ]
  return one(drawn, kinds)
}

const kinds: Record<string, (drawn: Drawn) => string> = {
  'one word, in 15 thousand records': word,
  'two words': drawn => `${word(drawn)} ${word(drawn)}`,
  'one word with a typo': misspelt,
  'two words, one with a typo': drawn => `${misspelt(drawn)} ${word(drawn)}`,
  'the end of a word, in 140 thousand': drawn =>
    one(
      drawn,
      ends.filter(({ length }) => length > 2),
    ),
  'a word that is in all': drawn => one(drawn, ['example', 'bench']),
  'what one record holds': drawn => `c${1 + drawn(1_000_000)}.bench`,
  'what nothing holds': drawn => `zzyzx${drawn(1_000_000)}`,
  'digits of a phone': drawn => `15100${String(drawn(1_000_000)).padStart(6, '0').slice(0, 5)}`,
}

/** A table of the kinds: milliseconds by the clock of who asks, and of a processor in the database, which others on the machine do not change. */
export async function searchTable(tandem: Tandem, key: string, times: number): Promise<string> {
  const rows: string[][] = []
  for (const [kind, textOf] of Object.entries(kinds)) {
    const drawn = chance(7)
    const histogram = createHistogram()
    const before = databaseSeconds(tandem)
    for (let n = 0; n < times; n++) {
      const path = `/v1/api/companies?q=${encodeURIComponent(textOf(drawn))}`
      const startedMs = performance.now()
      await request(tandem, 'GET', path, key)
      record(histogram, (performance.now() - startedMs) * 1_000)
    }
    const used = ((databaseSeconds(tandem) - before) / times) * 1e6
    rows.push([kind, formatMs(percentile(histogram, 0.5)), formatMs(percentile(histogram, 0.95)), formatMs(used)])
  }
  return markdownTable(['a search for', 'p50 ms', 'p95 ms (wanted ≤ 60)', 'database ms of a processor'], rows)
}

const databaseSeconds = ({ groups }: Tandem): number => cpuSecondsOf({ database: groups['database']! }) ?? Number.NaN
