// JSON values as literals of scripting languages, on several lines where they are long: what people would write by hand.
import { quoteJs, quotePhp, quotePython, quoteRuby } from './quote.ts'

type Style = {
  quote: (text: string) => string
  /** `null`, `true` and `false`. */
  words: [string, string, string]
  key: (name: string) => string
  object: [open: string, close: string]
  indent: string
}

// Written as a plain key, `__proto__` would set the prototype instead.
const jsKey = (name: string) =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteJs(name)

const styles = {
  js: {
    quote: quoteJs,
    words: ['null', 'true', 'false'],
    key: name => `${jsKey(name)}: `,
    object: ['{', '}'],
    indent: '  ',
  },
  python: {
    quote: quotePython,
    words: ['None', 'True', 'False'],
    key: name => `${quotePython(name)}: `,
    object: ['{', '}'],
    indent: '    ',
  },
  ruby: {
    quote: quoteRuby,
    words: ['nil', 'true', 'false'],
    key: name => `${quoteRuby(name)} => `,
    object: ['{', '}'],
    indent: '  ',
  },
  php: {
    quote: quotePhp,
    words: ['null', 'true', 'false'],
    key: name => `${quotePhp(name)} => `,
    object: ['[', ']'],
    indent: '    ',
  },
} satisfies Record<string, Style>

/** `value` is anything JSON can say; `margin` the spaces before its closing bracket. */
export function literal(value: unknown, language: keyof typeof styles, margin = ''): string {
  const style: Style = styles[language]
  const inner = margin + style.indent
  if (value === null) return style.words[0]
  if (typeof value === 'boolean') return style.words[value ? 1 : 2]
  if (typeof value === 'string') return style.quote(value)
  if (typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const members = isList
    ? value.map(member => literal(member, language, inner))
    : Object.entries(value).map(([name, member]) => style.key(name) + literal(member, language, inner))
  const [open, close] = isList ? ['[', ']'] : style.object
  if (members.length === 0) return open + close
  const pad = open === '{' && language !== 'python' ? ' ' : ''
  const line = `${open}${pad}${members.join(', ')}${pad}${close}`
  if (line.length + margin.length <= 60 && !line.includes('\n')) return line
  return `${open}\n${members.map(member => `${inner}${member},\n`).join('')}${margin}${close}`
}
