// One row of a body cut into pieces that look alike: JSON tokens, ids that can be opened, what was found.
import { type Match, visible } from './body_work.ts'

export type Segment = {
  /** Offset in the whole text. */
  at: number
  text: string
  kind: 'plain' | 'key' | 'string' | 'number' | 'atom'
  id: string | undefined
  found: boolean
  current: boolean
}

const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g
const ID = /\b(?:msg|call|req|key|evt)_[0-9a-z]{26}\b/g

export type RowLook = {
  isJson: boolean
  /** False for the later parts of a long line, which may begin within a string. */
  isLineStart: boolean
  matches: readonly Match[]
  current: Match | undefined
}

/** `start` is the offset of `row` in the whole text; matches are offsets there too. */
export function rowSegments(row: string, start: number, { isJson, isLineStart, matches, current }: RowLook): Segment[] {
  const cuts = new Set<number>([0, row.length])
  const cut = (from: number, to: number) => {
    cuts.add(Math.max(0, from)).add(Math.min(row.length, to))
  }
  const tokens = isJson && isLineStart ? tokensOf(row) : []
  const ids = Array.from(row.matchAll(ID), match => ({
    from: match.index,
    to: match.index + match[0].length,
    id: match[0],
  }))
  const found = matchesWithin(matches, start, start + row.length)
  for (const { from, to } of [...tokens, ...ids]) cut(from, to)
  for (const { from, to } of found) cut(from - start, to - start)
  const places = [...cuts].filter(place => place >= 0 && place <= row.length).sort((a, b) => a - b)
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1]!
    const within = <T extends Match>(list: readonly T[]) => list.find(each => each.from <= from && each.to >= to)
    const match = found.find(each => each.from - start <= from && each.to - start >= to)
    return {
      at: start + from,
      text: visible(row.slice(from, to)),
      kind: within(tokens)?.kind ?? 'plain',
      id: within(ids)?.id,
      found: match !== undefined,
      current: match !== undefined && match === current,
    }
  })
}

export type Token = Match & { kind: Segment['kind'] }

/** The tokens of one line of JSON. */
export function tokensOf(row: string): Token[] {
  return Array.from(row.matchAll(TOKEN), match => {
    const [whole, string, colon, number] = match
    const length = (string ?? whole).length
    const kind =
      string !== undefined ? (colon === undefined ? 'string' : 'key') : number !== undefined ? 'number' : 'atom'
    return { from: match.index, to: match.index + length, kind }
  })
}

// Matches are in order: the first is found by halves, for there may be ten thousand.
function matchesWithin(matches: readonly Match[], from: number, to: number): Match[] {
  let low = 0
  let high = matches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (matches[middle]!.to <= from) low = middle + 1
    else high = middle
  }
  const found: Match[] = []
  for (let index = low; index < matches.length && matches[index]!.from < to; index++) found.push(matches[index]!)
  return found
}
