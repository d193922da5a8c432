// SSML as far as it is safe and of use: the elements of W3C SSML 1.1 that change how text sounds. Everything else is refused by
// name, above all <audio>: espeak-ng would open the file it names, and hand its name to a shell.
import type { MediaFault } from './audio.ts'
import { isMediaFault, mediaFault } from './audio.ts'

/** Each element with the attributes it may have. */
const elements: Readonly<Record<string, readonly string[]>> = {
  speak: ['version', 'xml:lang', 'xmlns'],
  p: ['xml:lang'],
  s: ['xml:lang'],
  break: ['time', 'strength'],
  prosody: ['rate', 'pitch', 'volume', 'range'],
  emphasis: ['level'],
  'say-as': ['interpret-as', 'format', 'detail'],
  sub: ['alias'],
  lang: ['xml:lang'],
  voice: ['xml:lang', 'gender', 'age', 'name'],
}

const maxDepth = 16
const longestBreakMs = 10_000

export function isSsml(text: string): boolean {
  return /^\s*(<\?xml[^>]*\?>\s*)?<speak[\s>]/.test(text)
}

/** What SSML says: rewritten, element by element, for an engine that knows it, and as plain text for one that does not. */
export type Ssml = { markup: string; plain: string }

export function readSsml(text: string): Ssml | MediaFault {
  const open: string[] = []
  let markup = ''
  let plain = ''
  /** Inside <sub> the alias is spoken, not the text. */
  let hiddenFrom = Number.POSITIVE_INFINITY
  const body = text
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    // Control characters mean nothing to a voice, and something to programs.
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .trim()
  for (const part of body.matchAll(/<(\/?)([^\s/>]*)([^>]*?)(\/?)>|([^<]+)|</g)) {
    const [whole, closes, name = '', rest = '', isEmpty, words] = part
    if (words !== undefined) {
      if (open.length === 0 && words.trim() !== '') return ssmlFault('has text outside of <speak>')
      const said = textOf(words)
      markup += escapeText(said)
      if (open.length < hiddenFrom) plain += said
      continue
    }
    if (whole === '<') return ssmlFault('has a < that begins no element: write &lt;')
    if (closes === '/') {
      if (open.pop() !== name) return ssmlFault(`closes <${short(name)}>, which is not the last one open`)
      markup += `</${name}>`
      if (open.length < hiddenFrom) hiddenFrom = Number.POSITIVE_INFINITY
      if (name === 'p' || name === 's') plain += ' '
      continue
    }
    const attributes = attributesOf(name, rest)
    if (isMediaFault(attributes)) return attributes
    if ((open.length === 0) !== (name === 'speak') || (open.length === 0 && markup !== ''))
      return ssmlFault('must be one <speak> element with all the rest inside of it')
    markup += `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeText(value)}"`).join('')}${isEmpty}>`
    if (name === 'break') plain += ' '
    if (name === 'sub' && open.length < hiddenFrom) {
      plain += attributes.find(([key]) => key === 'alias')?.[1] ?? ''
      hiddenFrom = open.length + 1
    }
    if (isEmpty === '/') {
      if (open.length < hiddenFrom) hiddenFrom = Number.POSITIVE_INFINITY
    } else open.push(name)
    if (open.length > maxDepth) return ssmlFault(`has more than ${maxDepth} elements in each other`)
  }
  if (open.length > 0) return ssmlFault(`does not close <${short(open.at(-1)!)}>`)
  return { markup, plain: plain.replaceAll(/\s+/g, ' ').trim() }
}

function ssmlFault(what: string): MediaFault {
  return mediaFault('text', `the SSML ${what}`)
}

const short = (name: string) => name.slice(0, 40)

function attributesOf(name: string, rest: string): [string, string][] | MediaFault {
  const allowed = Object.hasOwn(elements, name) ? elements[name]! : null
  if (allowed === null)
    return ssmlFault(
      `has <${short(name)}>; may have ${Object.keys(elements)
        .map(known => `<${known}>`)
        .join(', ')}`,
    )
  const attributes: [string, string][] = []
  const left = rest.replaceAll(/\s+([A-Za-z][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g, (_, key, double, single) => {
    attributes.push([key, textOf(double ?? single)])
    return ''
  })
  if (left.trim() !== '') return ssmlFault(`has an attribute of <${name}> that is not written as name="value"`)
  const foreign = attributes.find(([key]) => !allowed.includes(key))
  if (foreign !== undefined)
    return ssmlFault(`has ${short(foreign[0])} in <${name}>, which may have ${allowed.join(', ')}`)
  const time = attributes.find(([key]) => key === 'time')?.[1]
  if (time !== undefined && !isShortTime(time)) return ssmlFault(`has a break of ${short(time)}, must be 0ms to 10s`)
  // What looks like a path is no voice.
  if (attributes.some(([key, value]) => (key === 'name' || key === 'xml:lang') && !/^[\w +-]{0,60}$/.test(value)))
    return ssmlFault(`has a name or language in <${name}> with other characters than letters, digits, + and -`)
  return attributes
}

function isShortTime(time: string): boolean {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)(ms|s)$/.exec(time)
  return match !== null && Number(match[1]) * (match[2] === 's' ? 1_000 : 1) <= longestBreakMs
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function textOf(escaped: string): string {
  return escaped.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
  })
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
