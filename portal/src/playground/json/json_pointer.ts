// Which value of a JSON text is at a place, and which value an address names (JSON Pointer, RFC 6901). Works on the
// text itself, so that it serves bodies of many megabytes without a second copy as objects.

export type PlacedValue = {
  /** RFC 6901: `/data/0/id`; empty for the whole document. */
  pointer: string
  from: number
  /** Behind its last character. Looked for when asked for: an object may be as long as the document. */
  readonly to: number
  kind: 'object' | 'array' | 'string' | 'number' | 'literal'
}

type Level = { kind: 'object' | 'array'; from: number; index: number; name: string; expects: 'name' | 'value' }

/** One reference token, escaped (RFC 6901 §3). */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/**
 * The value at offset `at` of valid JSON `text`: the scalar there, the value whose name is there, or the object or array
 * around it. Undefined outside the document.
 */
export function valueAt(text: string, at: number): PlacedValue | undefined {
  const found = walkTo(text, at, { levels: [], pos: 0 }, text.length)
  return found === 'further' ? undefined : found
}

/** How far a text has been walked, and in which objects and arrays that is. */
type Walk = { levels: Level[]; pos: number }

const copyOf = ({ levels, pos }: Walk): Walk => ({ levels: levels.map(level => ({ ...level })), pos })

export type Places = {
  /**
   * As `valueAt`. `later` where it takes longer than `withinMs`: asked again it goes on from there.
   * @param withinMs by the clock of the page
   */
  find(at: number, withinMs: number): PlacedValue | undefined | 'later'
}

/**
 * Finds values in a long text that is asked about again and again: what was walked once is not walked again.
 * @param stride characters between two looks at the clock
 */
export function createPlaces(text: string, stride = 250_000): Places {
  const marks: Walk[] = [{ levels: [], pos: 0 }]
  return {
    find(at, withinMs) {
      // A value's end is still its own.
      const walk = copyOf(marks.findLast(({ pos }) => pos < at) ?? marks[0]!)
      const deadline = performance.now() + withinMs
      for (;;) {
        const found = walkTo(text, at, walk, walk.pos + stride)
        if (found !== 'further') return found
        if (walk.pos > marks.at(-1)!.pos) marks.push(copyOf(walk))
        if (performance.now() > deadline) return 'later'
      }
    },
  }
}

/** Walks on to the value at `at`; `further` when it is not reached before `end`. */
function walkTo(text: string, at: number, walk: Walk, end: number): PlacedValue | undefined | 'further' {
  const { levels } = walk
  let { pos } = walk
  while (pos < text.length) {
    if (pos >= end && pos < at) {
      walk.pos = pos
      return 'further'
    }
    const char = text[pos]!
    const level = levels.at(-1)
    if (char === '{' || char === '[') {
      levels.push({
        kind: char === '{' ? 'object' : 'array',
        from: pos,
        index: 0,
        name: '',
        expects: char === '{' ? 'name' : 'value',
      })
      if (at === pos) return enclosing(text, levels)
      pos++
    } else if (char === '}' || char === ']') {
      if (at <= pos) return enclosing(text, levels)
      levels.pop()
      pos++
      if (levels.length === 0) return undefined
    } else if (char === ',') {
      if (at === pos) return enclosing(text, levels)
      if (level !== undefined) {
        level.index++
        level.expects = level.kind === 'object' ? 'name' : 'value'
      }
      pos++
    } else if (char === '"' && level?.expects === 'name') {
      const end = endOfString(text, pos)
      level.name = unquote(text.slice(pos, end))
      level.expects = 'value'
      const value = startOfValue(text, end)
      if (at < value) return at < pos ? enclosing(text, levels) : valueFrom(text, value, levels)
      pos = value
    } else if (char === '"' || !/\s/.test(char)) {
      const end = char === '"' ? endOfString(text, pos) : endOfScalar(text, pos)
      if (at < pos) return enclosing(text, levels)
      if (at <= end) return valueFrom(text, pos, levels)
      pos = end
    } else pos++
  }
  return undefined
}

function unquote(source: string): string {
  try {
    return String(JSON.parse(source))
  } catch {
    return source.slice(1, -1)
  }
}

function startOfValue(text: string, afterName: number): number {
  let at = text.indexOf(':', afterName) + 1
  while (at < text.length && /\s/.test(text[at]!)) at++
  return at
}

function pointerOf(levels: readonly Level[]): string {
  return levels.map(level => `/${level.kind === 'array' ? level.index : escapeToken(level.name)}`).join('')
}

function enclosing(text: string, levels: readonly Level[]): PlacedValue | undefined {
  const level = levels.at(-1)
  if (level === undefined) return undefined
  const pointer = pointerOf(levels.slice(0, -1))
  return placed(pointer, level.from, level.kind, from => endOfContainer(text, from))
}

function valueFrom(text: string, from: number, levels: readonly Level[]): PlacedValue {
  const char = text[from]!
  const pointer = pointerOf(levels)
  if (char === '{' || char === '[') {
    return placed(pointer, from, char === '{' ? 'object' : 'array', place => endOfContainer(text, place))
  }
  if (char === '"') return placed(pointer, from, 'string', place => endOfString(text, place))
  const kind = char === '-' || (char >= '0' && char <= '9') ? 'number' : 'literal'
  return placed(pointer, from, kind, place => endOfScalar(text, place))
}

function placed(
  pointer: string,
  from: number,
  kind: PlacedValue['kind'],
  endOf: (from: number) => number,
): PlacedValue {
  return {
    pointer,
    from,
    kind,
    get to() {
      return endOf(from)
    },
  }
}

function endOfContainer(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const char = text[at]!
    if (char === '"') {
      at = endOfString(text, at)
      continue
    }
    if (char === '{' || char === '[') depth++
    if ((char === '}' || char === ']') && --depth === 0) return at + 1
    at++
  }
  return text.length
}

/** The value a pointer names in parsed JSON; undefined when there is none. Own properties only. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value
  if (!pointer.startsWith('/')) return undefined
  let current = value
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current
}

/** The place behind the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at === -1) return text.length
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
}

/** The place behind the number or word that begins at `from`. */
function endOfScalar(text: string, from: number): number {
  let at = from + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code === 0x2c || code === 0x7d || code === 0x5d || code === 0x3a) break
    at++
  }
  return at
}
