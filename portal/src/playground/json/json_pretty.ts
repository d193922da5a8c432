// A printer of JSON that moves white space only, so that numbers, names and their order stay as they were written. Quick
// enough for bodies of many megabytes.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SPACE_CODE = 0x20
const NEWLINE = 0x0a

/** Code units to be a string: many small pieces of text would cost ten times as much. */
type Sheet = { units: Uint16Array; length: number }

function ensure(sheet: Sheet, more: number): void {
  if (sheet.length + more <= sheet.units.length) return
  const wider = new Uint16Array(Math.max(sheet.units.length * 2, sheet.length + more))
  wider.set(sheet.units)
  sheet.units = wider
}

/** Leaves room for what stands first in the line. */
function breakLine(sheet: Sheet, depth: number): void {
  ensure(sheet, 2 + depth * 2)
  sheet.units[sheet.length++] = NEWLINE
  sheet.units.fill(SPACE_CODE, sheet.length, sheet.length + depth * 2)
  sheet.length += depth * 2
}

function textOf({ units, length }: Sheet): string {
  const pieces: string[] = []
  for (let at = 0; at < length; at += 8192) {
    // Spread would walk the array by its iterator, which takes twenty times as long.
    const part = units.subarray(at, Math.min(length, at + 8192)) as unknown as number[]
    pieces.push(String.fromCharCode.apply(null, part))
  }
  return pieces.join('')
}

/**
 * The same JSON text with an entry a line and two spaces a level. Only white space moves: 1.50 stays 1.50, a 20-digit
 * number keeps its digits, names keep their order. The text must be valid JSON.
 */
export function prettyJson(text: string): string {
  const sheet: Sheet = { units: new Uint16Array(Math.ceil(text.length * 1.6) + 64), length: 0 }
  let depth = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      at++
      continue
    }
    ensure(sheet, 2)
    if (code === QUOTE) {
      at = copyString(text, at, sheet)
    } else if (code === 0x7b || code === 0x5b) {
      sheet.units[sheet.length++] = code
      at = afterSpace(text, at + 1)
      const next = text.charCodeAt(at)
      if (next === code + 2) {
        sheet.units[sheet.length++] = next
        at++
      } else breakLine(sheet, ++depth)
    } else if (code === 0x7d || code === 0x5d) {
      breakLine(sheet, --depth)
      sheet.units[sheet.length++] = code
      at++
    } else {
      sheet.units[sheet.length++] = code
      at++
      if (code === COMMA) breakLine(sheet, depth)
      else if (code === COLON) sheet.units[sheet.length++] = SPACE_CODE
    }
  }
  return textOf(sheet)
}

/** Copies the string that opens at `from`; gives the place behind it. */
function copyString(text: string, from: number, sheet: Sheet): number {
  const { units } = sheet
  let { length } = sheet
  const room = units.length
  let at = from
  let isEscaped = false
  for (;;) {
    if (length >= room || at >= text.length) break
    const code = text.charCodeAt(at)
    units[length++] = code
    at++
    if (isEscaped) isEscaped = false
    else if (code === BACKSLASH) isEscaped = true
    else if (code === QUOTE && at > from + 1) {
      sheet.length = length
      return at
    }
  }
  if (at >= text.length) {
    sheet.length = length
    return at
  }
  // No room: more is made, and the string copied from its beginning.
  ensure(sheet, units.length)
  return copyString(text, from, sheet)
}

function isSpace(code: number): boolean {
  return code === SPACE_CODE || code === NEWLINE || code === 0x0d || code === 0x09
}

function afterSpace(text: string, at: number): number {
  let next = at
  while (isSpace(text.charCodeAt(next))) next++
  return next
}
