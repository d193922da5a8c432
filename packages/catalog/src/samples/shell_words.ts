// Splits a pasted command into its words, by the rules of the shell it was written for: a POSIX shell with bash's `$'…'`,
// cmd.exe with its carets (as browsers copy "cURL (cmd)"), or PowerShell with its backticks. Nothing is expanded or run:
// `$NAME` and `$(…)` stay the text they are.

/** The words up to the end of the command, and whether its output was piped on, or the text of what is wrong. */
export type Words = { words: string[]; rest: string } | { error: string }

type Shell = 'posix' | 'cmd' | 'powershell'

/** Recognized by carets and backticks outside of single quotes, which cmd.exe does not know. */
function shellOf(text: string): Shell {
  const open = text.replaceAll(/\$'(?:[^'\\]|\\[\s\S])*'|\\'|'[^']*'/g, '')
  if (/\^"|\^[ \t]*\r?\n/.test(open) && !/\\\r?\n/.test(open)) return 'cmd'
  return /`[ \t]*\r?\n/.test(open) || /^\s*curl\.exe\b/i.test(text) ? 'powershell' : 'posix'
}

/** The words of the first command in `text`; `rest` is what stands behind a `|`, `;`, `&` or line end after it. */
export function splitWords(text: string): Words {
  const shell = shellOf(text)
  if (shell === 'cmd') return { words: cmdWords(withoutCarets(text)), rest: '' }
  return walk(text, shell)
}

type Cursor = { text: string; at: number }

function walk(text: string, shell: 'posix' | 'powershell'): Words {
  const cursor: Cursor = { text, at: 0 }
  const words: string[] = []
  let word: string | undefined
  const close = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  while (cursor.at < text.length) {
    const char = text[cursor.at] as string
    const next = text[cursor.at + 1]
    const continuation = (shell === 'posix' ? /\\\r?\n/y : /`[ \t]*\r?\n/y) as RegExp
    continuation.lastIndex = cursor.at
    const continued = continuation.exec(text)
    if (continued !== null) cursor.at += continued[0].length
    else if (/[\r\n]/.test(char) && (words.length > 0 || word !== undefined) && !goesOn(text.slice(cursor.at))) break
    else if (/\s/.test(char)) {
      close()
      cursor.at++
    } else if (word === undefined && char === '#') cursor.at = lineEnd(text, cursor.at)
    else if (endsCommand(char, next, word)) break
    else {
      const piece = shell === 'posix' ? posixPiece(cursor) : powershellPiece(cursor)
      if (typeof piece !== 'string') return piece
      word = (word ?? '') + piece
    }
  }
  close()
  return { words, rest: text.slice(cursor.at) }
}

/** People break long commands without a backslash too: a line that begins with an option goes on. */
function goesOn(rest: string): boolean {
  return /^\s*-{1,2}[a-zA-Z]/.test(rest)
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** An `&` within an address that nobody quoted (`?a=1&b=2`) is taken for what was meant. */
function endsCommand(char: string, next: string | undefined, word: string | undefined): boolean {
  if (char === '&') return word === undefined || next === undefined || /[\s&]/.test(next)
  return char === '|' || char === ';' || ((char === '>' || char === '<') && word === undefined)
}

function posixPiece(cursor: Cursor): string | { error: string } {
  const { text, at } = cursor
  if (text.startsWith("$'", at)) return ansiQuoted(cursor)
  if (text[at] === "'") {
    const end = text.indexOf("'", at + 1)
    if (end === -1) return { error: 'A single quote is opened and not closed.' }
    cursor.at = end + 1
    return text.slice(at + 1, end)
  }
  if (text[at] === '"' || text.startsWith('$"', at)) {
    if (text[at] === '$') cursor.at++
    return doubleQuotedWord(cursor, '\\', char => (/["\\$`]/.test(char) ? char : `\\${char}`))
  }
  cursor.at += text[at] === '\\' ? 2 : 1
  return text[at] === '\\' ? (text[at + 1] ?? '') : (text[at] as string)
}

function powershellPiece(cursor: Cursor): string | { error: string } {
  const { text, at } = cursor
  if (text[at] === "'") {
    const match = /'((?:[^']|'')*)'/y
    match.lastIndex = at
    const found = match.exec(text)
    if (found === null) return { error: 'A single quote is opened and not closed.' }
    cursor.at += found[0].length
    return (found[1] as string).replaceAll("''", "'")
  }
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0' }
  if (text[at] === '"') return doubleQuotedWord(cursor, '`', char => named[char] ?? char)
  cursor.at += text[at] === '`' ? 2 : 1
  return text[at] === '`' ? (text[at + 1] ?? '') : (text[at] as string)
}

/** Up to the closing quote; `meaning` says what a character behind the escape sign stands for. */
function doubleQuotedWord(cursor: Cursor, sign: string, meaning: (char: string) => string): string | { error: string } {
  const { text } = cursor
  let value = ''
  for (let at = cursor.at + 1; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') {
      cursor.at = at + 1
      return value
    }
    const next = text[at + 1]
    if (char === '\\' && sign === '`' && next === '"') {
      // Older PowerShell needs \" for a quote that reaches the program.
      value += '"'
      at++
    } else if (char === sign && next !== undefined) {
      if (next === '\r' && text[at + 2] === '\n') at++
      value += next === '\n' || next === '\r' ? '' : meaning(next)
      at++
    } else value += char
  }
  return { error: 'A double quote is opened and not closed.' }
}

const ansiEscapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

/** bash's `$'…'`: bytes written as \xHH or octal make UTF-8 together, \uXXXX and \UXXXXXXXX are characters. */
function ansiQuoted(cursor: Cursor): string | { error: string } {
  const body = /\$'((?:[^'\\]|\\[\s\S])*)'/y
  body.lastIndex = cursor.at
  const found = body.exec(cursor.text)
  if (found === null) return { error: "A text that begins with $' is not closed." }
  cursor.at += found[0].length
  const token = /((?:\\x[\da-fA-F]{1,2}|\\[0-7]{1,3})+)|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([\s\S])/g
  return (found[1] as string).replaceAll(token, (all, bytes?: string, u?: string, long?: string, char?: string) => {
    if (bytes !== undefined) return new TextDecoder().decode(bytesOf(bytes))
    if (u !== undefined) return String.fromCharCode(Number.parseInt(u, 16))
    if (long !== undefined) return codePoint(Number.parseInt(long, 16))
    return ansiEscapes[char as string] ?? all
  })
}

function bytesOf(escapes: string): Uint8Array {
  const all = escapes.matchAll(/\\x([\da-fA-F]{1,2})|\\([0-7]{1,3})/g)
  return Uint8Array.from([...all].map(([, x, octal]) => (x === undefined ? parseOctal(octal) : Number.parseInt(x, 16))))
}

const parseOctal = (octal: string | undefined) => Number.parseInt(octal as string, 8) & 0xff
const codePoint = (code: number) => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

/** Takes off the layer of cmd.exe: a caret lets the next character through; before a line end it joins the lines. */
function withoutCarets(text: string): string {
  const lines = text.replaceAll('\r\n', '\n')
  // Older browsers quote with plain quotes, in which carets are text, and use them at the ends of lines only.
  if (!lines.includes('^"')) return lines.replaceAll(/\^[ \t]*\n/g, ' ')
  return lines.replaceAll(/\^(\n\n|\n|[^\n])/g, (_, char: string) =>
    char === '\n' ? ' ' : char === '\n\n' ? '\n' : char,
  )
}

/** How Windows programs split their command line: backslashes count only before a quote; "" within quotes is a quote. */
function cmdWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const slashes = /\\*/y
    slashes.lastIndex = at
    const count = slashes.exec(text)?.[0].length ?? 0
    if (count > 0) {
      const beforeQuote = text[at + count] === '"'
      word = (word ?? '') + '\\'.repeat(beforeQuote ? count >> 1 : count)
      at += count - 1
      if (beforeQuote && count % 2 === 1) {
        word += '"'
        at++
      }
      continue
    }
    const char = text[at] as string
    if (char === '"' && isQuoted && text[at + 1] === '"') {
      word = `${word ?? ''}"`
      at++
    } else if (char === '"') {
      isQuoted = !isQuoted
      word ??= ''
    } else if (/\s/.test(char) && !isQuoted) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  return word === undefined ? words : [...words, word]
}
