// JSON as text with places: a reader that goes on after a mistake and says in plain words what is wrong.
import { t } from './texts.ts'

type Span = { from: number; to: number }
export type JsonMember = { name: string; nameFrom: number; nameTo: number; value: JsonNode | undefined }
export type JsonNode = Span &
  (
    | { kind: 'object'; members: JsonMember[] }
    | { kind: 'array'; items: JsonNode[] }
    | { kind: 'string'; value: string }
    | { kind: 'number'; value: number }
    | { kind: 'literal'; value: boolean | null }
    /** `{{name}}` standing where a value stands. */
    | { kind: 'variable'; name: string }
    | { kind: 'error' }
  )

export type SyntaxFault = Span & { message: string }
export type JsonReading = { root: JsonNode | undefined; faults: SyntaxFault[] }

const MAX_DEPTH = 200
const MAX_FAULTS = 20
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[^\s,:[\]{}"]+/y
const VARIABLE = /\{\{([A-Za-z_][\w.-]*)\}\}/y
const SPACE = /[ \t\r\n]*/y

type Cursor = { text: string; at: number; faults: SyntaxFault[]; depth: number }

/** Reads JSON (RFC 8259) in which `{{name}}` may stand for a value. Never throws; places are UTF-16 offsets. */
export function readJson(text: string): JsonReading {
  const cursor: Cursor = { text, at: 0, faults: [], depth: 0 }
  skipSpace(cursor)
  if (cursor.at === text.length) return { root: undefined, faults: [] }
  const root = readValue(cursor)
  skipSpace(cursor)
  if (cursor.at < text.length) fault(cursor, cursor.at, text.length, t('json.trailing'))
  return { root, faults: cursor.faults }
}

function fault(cursor: Cursor, from: number, to: number, message: string): void {
  if (cursor.faults.length < MAX_FAULTS) cursor.faults.push({ from, to: Math.max(to, from), message })
}

function skipSpace(cursor: Cursor): void {
  SPACE.lastIndex = cursor.at
  SPACE.exec(cursor.text)
  cursor.at = SPACE.lastIndex
}

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const match = pattern.exec(cursor.text)
  if (match === null) return undefined
  cursor.at = pattern.lastIndex
  return match
}

function readValue(cursor: Cursor): JsonNode {
  const { text, at: from } = cursor
  const char = text[from]
  if (char === '{') {
    const variable = take(cursor, VARIABLE)
    if (variable !== undefined) return { kind: 'variable', name: variable[1]!, from, to: cursor.at }
    return nested(cursor, readObject)
  }
  if (char === '[') return nested(cursor, readArray)
  if (char === '"') {
    const value = readString(cursor)
    return { kind: 'string', value, from, to: cursor.at }
  }
  if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) return readNumber(cursor)
  return readWord(cursor)
}

function nested(cursor: Cursor, read: (cursor: Cursor) => JsonNode): JsonNode {
  if (cursor.depth >= MAX_DEPTH) {
    const from = cursor.at
    fault(cursor, from, from + 1, t('json.deep', { max: MAX_DEPTH }))
    cursor.at = cursor.text.length
    return { kind: 'error', from, to: cursor.at }
  }
  cursor.depth++
  const node = read(cursor)
  cursor.depth--
  return node
}

function readObject(cursor: Cursor): JsonNode {
  const from = cursor.at
  const members = readEntries(cursor, '{', readMember)
  return { kind: 'object', members, from, to: cursor.at }
}

function readArray(cursor: Cursor): JsonNode {
  const from = cursor.at
  const items = readEntries(cursor, '[', readValue)
  return { kind: 'array', items, from, to: cursor.at }
}

/** The entries behind a bracket, and the one that closes it. */
function readEntries<Entry>(cursor: Cursor, open: '{' | '[', readEntry: (cursor: Cursor) => Entry): Entry[] {
  const [close, wrong] = open === '{' ? (['}', ']'] as const) : ([']', '}'] as const)
  const from = cursor.at++
  const entries: Entry[] = []
  for (;;) {
    skipSpace(cursor)
    const char = cursor.text[cursor.at]
    if (char === undefined) {
      fault(cursor, from, from + 1, t('json.unclosed', { open, close }))
      return entries
    }
    if (char === close) {
      cursor.at++
      return entries
    }
    if (char === wrong) {
      fault(cursor, cursor.at, cursor.at + 1, t('json.wrongClose', { close, wrong }))
      return entries
    }
    if (char === ',') {
      fault(cursor, cursor.at, cursor.at + 1, t('json.extraComma'))
      cursor.at++
      continue
    }
    entries.push(readEntry(cursor))
    endOfEntry(cursor, close)
  }
}

function readMember(cursor: Cursor): JsonMember {
  const nameFrom = cursor.at
  let name: string
  if (cursor.text[nameFrom] === '"') name = readString(cursor)
  else {
    const word = take(cursor, WORD)
    name = word?.[0] ?? ''
    if (word === undefined) cursor.at++
    const text = word === undefined ? t('json.nameExpected') : t('json.quoteName', { name })
    fault(cursor, nameFrom, cursor.at, text)
  }
  const nameTo = cursor.at
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== ':') {
    fault(cursor, nameFrom, nameTo, t('json.colonMissing', { name }))
    return { name, nameFrom, nameTo, value: undefined }
  }
  cursor.at++
  skipSpace(cursor)
  const next = cursor.text[cursor.at]
  if (next === undefined || next === ',' || next === '}' || next === ']') {
    fault(cursor, nameFrom, nameTo, t('json.valueMissing', { name }))
    return { name, nameFrom, nameTo, value: undefined }
  }
  return { name, nameFrom, nameTo, value: readValue(cursor) }
}

/** After an entry: a comma that has something behind it, or the end. */
function endOfEntry(cursor: Cursor, close: '}' | ']'): void {
  const end = cursor.at
  skipSpace(cursor)
  const char = cursor.text[cursor.at]
  if (char === ',') {
    const comma = cursor.at++
    skipSpace(cursor)
    if (cursor.text[cursor.at] === close) fault(cursor, comma, comma + 1, t('json.trailingComma'))
    return
  }
  if (char === undefined || char === '}' || char === ']') return
  if (char === ':') {
    fault(cursor, cursor.at, cursor.at + 1, t('json.colonHere'))
    cursor.at++
    endOfEntry(cursor, close)
    return
  }
  fault(cursor, Math.max(end - 1, 0), end, t('json.commaMissing'))
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' }

function readString(cursor: Cursor): string {
  const { text } = cursor
  const from = cursor.at++
  let value = ''
  for (;;) {
    const char = text[cursor.at]
    if (char === undefined || char === '\n') {
      fault(cursor, from, cursor.at, t('json.quoteMissing'))
      return value
    }
    cursor.at++
    if (char === '"') return value
    if (char < ' ') fault(cursor, cursor.at - 1, cursor.at, t('json.control', { tab: '\\t' }))
    value += char === '\\' ? readEscape(cursor) : char
  }
}

function readEscape(cursor: Cursor): string {
  const char = cursor.text[cursor.at++]
  if (char === 'u') {
    const digits = cursor.text.slice(cursor.at, cursor.at + 4)
    if (/^[\da-fA-F]{4}$/.test(digits)) {
      cursor.at += 4
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    fault(cursor, cursor.at - 2, cursor.at, t('json.hex', { escape: '\\u' }))
    return ''
  }
  const plain = char === undefined ? undefined : ESCAPES[char]
  if (plain !== undefined) return plain
  fault(cursor, cursor.at - 2, cursor.at, t('json.escape', { escape: `\\${char ?? ''}`, backslash: '\\\\' }))
  return char ?? ''
}

function readNumber(cursor: Cursor): JsonNode {
  const from = cursor.at
  const match = take(cursor, NUMBER)
  const rest = take(cursor, WORD)
  if (match === undefined || rest !== undefined) {
    const text = cursor.text.slice(from, cursor.at)
    fault(cursor, from, cursor.at, t('json.number', { text }))
    return { kind: 'error', from, to: cursor.at }
  }
  return { kind: 'number', value: Number(match[0]), from, to: cursor.at }
}

function readWord(cursor: Cursor): JsonNode {
  const from = cursor.at
  const word = take(cursor, WORD)?.[0]
  const to = cursor.at
  if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true', from, to }
  if (word === 'null') return { kind: 'literal', value: null, from, to }
  if (word === undefined) {
    fault(cursor, from, from + 1, t('json.valueExpected'))
    cursor.at++
  } else if (word.startsWith("'")) fault(cursor, from, to, t('json.singleQuotes'))
  else fault(cursor, from, to, t('json.word', { word }))
  return { kind: 'error', from, to: cursor.at }
}

/** The plain value of a node; variables and mistakes become undefined inside arrays and are left out of objects. */
export function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object': {
      const value: Record<string, unknown> = Object.create(null)
      for (const member of node.members) if (member.value !== undefined) value[member.name] = plainValue(member.value)
      return value
    }
    case 'array':
      return node.items.map(plainValue)
    case 'string':
    case 'number':
    case 'literal':
      return node.value
    default:
      return undefined
  }
}

/** The node a server's field path names (`lines[0].quantity`), or the nearest one that exists above it. */
export function nodeAtField(root: JsonNode, field: string): JsonNode {
  let node = root
  for (const step of field.match(/[^.[\]]+/g) ?? []) {
    const next = childOf(node, step)
    if (next === undefined) return node
    node = next
  }
  return node
}

function childOf(node: JsonNode, step: string): JsonNode | undefined {
  if (node.kind === 'array') return node.items[Number(step)]
  if (node.kind === 'object') return node.members.findLast(member => member.name === step)?.value
  return undefined
}
