// Makes the body of an answer readable: decodes it, distinguishes JSON from other text and from bytes, indents, and cuts into rows.
// Runs in the page for small bodies and in a worker for large ones; knows nothing of either.
import { prettyJson } from '../json/json_pretty.ts'

export type BodyKind = 'json' | 'text' | 'binary' | 'empty'

export type Rows = {
  text: string
  /** Where each row begins; a line longer than `MAX_ROW` is several rows. */
  starts: Uint32Array<ArrayBuffer>
  longestLine: number
}

export type PreparedBody = {
  kind: BodyKind
  raw: Rows
  /** Indented; the same as `raw` for what is not JSON. */
  pretty: Rows
  /** The content type said JSON, and it is none: why. */
  fault: string | null
}

export const MAX_ROW = 400
// Made again each time: a worker gives its buffers away.
const noRows = (): Rows => ({ text: '', starts: new Uint32Array(1), longestLine: 0 })

/** `contentType` as the answer had it, or ''. */
export function prepareBody(bytes: Uint8Array, contentType: string): PreparedBody {
  if (bytes.length === 0) return { kind: 'empty', raw: noRows(), pretty: noRows(), fault: null }
  const text = decode(bytes)
  if (text === undefined) return { kind: 'binary', raw: noRows(), pretty: noRows(), fault: null }
  const raw = rowsOf(text)
  const saysJson = /[/+]json\b/i.test(contentType)
  if (!saysJson && !/^\s*[[{]/.test(text)) return { kind: 'text', raw, pretty: raw, fault: null }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const fault = saysJson ? (error as Error).message : null
    return { kind: 'text', raw, pretty: raw, fault }
  }
  return { kind: 'json', raw, pretty: rowsOf(indented(text, value)), fault: null }
}

/**
 * The text of a JSON value with an entry a line. The browser's own printer is twice as quick as ours, and may be used
 * where it writes the value as it came: numbers, doubled names and their order as they were.
 */
function indented(text: string, value: unknown): string {
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : prettyJson(text)
}

/** UTF-8 text, or undefined for bytes that are none. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.slice(0, 4096).includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Cuts at line ends, and long lines every 400 characters. */
export function rowsOf(text: string): Rows {
  let starts = new Uint32Array(Math.max(16, Math.ceil(text.length / 24)))
  let count = 0
  let longestLine = 0
  const push = (at: number) => {
    if (count === starts.length) {
      const wider = new Uint32Array(starts.length * 2)
      wider.set(starts)
      starts = wider
    }
    starts[count++] = at
  }
  let from = 0
  while (from <= text.length) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    longestLine = Math.max(longestLine, to - from)
    push(from)
    for (let at = from + MAX_ROW; at < to; at += MAX_ROW) push(at)
    if (end === -1) break
    from = end + 1
  }
  return { text, starts: starts.slice(0, count), longestLine }
}

/** The row that holds an offset. */
export function rowAt({ starts }: Pick<Rows, 'starts'>, offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The text of a row without its line end. */
export function rowText({ text, starts }: Rows, row: number): string {
  const to = row + 1 < starts.length ? starts[row + 1]! : text.length
  return text.slice(starts[row]!, to).replace(/\r?\n$/, '')
}

export type Match = { from: number; to: number }
const MAX_MATCHES = 10_000

/** Every occurrence of `query`, at most 10,000; letter case counts only when the query has capitals. */
export function findIn(text: string, query: string): Match[] {
  if (query === '') return []
  const escaped = query.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(escaped, /\p{Lu}/u.test(query) ? 'gu' : 'giu')
  const matches: Match[] = []
  for (const match of text.matchAll(pattern)) {
    matches.push({ from: match.index, to: match.index + match[0].length })
    if (matches.length === MAX_MATCHES) break
  }
  return matches
}

/** Characters that would hide or turn text around, made visible: control characters and bidirectional marks. */
export function visible(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
    /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    char => `\u27e8U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`,
  )
}
