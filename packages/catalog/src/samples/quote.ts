// String literals of the languages that samples are written in. A wrong escape is a sample that does something else than
// it says, so each of them is held by a test that has the language itself read random texts, where it is installed.

type Rules = {
  /** Characters with an escape of their own, besides the backslash. */
  escapes: Record<string, string>
  /** How a control character without an escape of its own is written. */
  control: (code: number) => string
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
const four = (code: number) => `\\u${hex(code, 4)}`
const braced = (code: number) => `\\u{${code.toString(16)}}`
const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Between double quotes; letters and signs beyond ASCII stand as they are, except line separators. */
function doubleQuoted(text: string, { escapes, control }: Rules): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  const inner = text.replaceAll(/[\\"$#\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, char => {
    if (char === '\\' || char === '"') return `\\${char}`
    const own = escapes[char]
    if (own !== undefined) return own
    return char === '$' || char === '#' ? char : control(char.charCodeAt(0))
  })
  return `"${inner}"`
}

export const quoteGo = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a raw literal shows them as they are, and drops \r
  text.includes('"') && !/[`\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/.test(text)
    ? `\`${text}\``
    : doubleQuoted(text, { escapes: short, control: four })
export const quoteJava = (text: string) => doubleQuoted(text, { escapes: short, control: four })
export const quoteCsharp = quoteJava
export const quotePython = quoteJava
export const quoteKotlin = (text: string) => doubleQuoted(text, { escapes: { ...short, $: '\\$' }, control: four })
export const quoteRuby = (text: string) => doubleQuoted(text, { escapes: { ...short, '#': '\\#' }, control: braced })
export const quoteRust = (text: string) => doubleQuoted(text, { escapes: short, control: braced })

/** JavaScript and TypeScript, between single quotes as their formatters have it. */
export function quoteJs(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

/** PHP: single quotes where nothing but the quote and the backslash must be escaped. */
export function quotePhp(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not stand as they are
  if (!/[\u0000-\u001f\u007f-\u009f]/.test(text)) return `'${text.replaceAll(/[\\']/g, char => `\\${char}`)}'`
  return doubleQuoted(text, { escapes: { ...short, $: '\\$' }, control: braced })
}

/** PowerShell takes the typographic quotes for quotes too (about_Quoting_Rules); doubled, they stand for themselves. */
export function quotePowerShell(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201b]/g, quote => quote + quote)}'`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would act on when it is pasted
const unsafeInTerminal = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/**
 * One word of a POSIX shell. Between single quotes everything stands for itself; texts with control characters, which a
 * terminal would act on when they are pasted, take the form `$'…'` of bash and zsh. NUL cannot be in a word at all.
 */
export function quoteShell(text: string): string {
  if (!unsafeInTerminal.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const utf8 = (char: string) => [...new TextEncoder().encode(char)].map(byte => `\\x${hex(byte, 2)}`).join('')
  const escapes: Record<string, string> = { ...short, '\\': '\\\\', "'": "\\'" }
  // `!` would call the history of an interactive shell.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  return `$'${text.replaceAll(/[\\'!\u0000-\u001f\u007f-\u009f]/g, char => escapes[char] ?? utf8(char))}'`
}
