// Reads a pasted cURL command into a request, as curl itself would send it. What a browser cannot do (files, proxies,
// certificates) is refused with a sentence that says so, or left out where it changes nothing about the request.
import type { RequestValue } from './request.ts'
import { splitWords } from './shell_words.ts'

type Fault = { error: string }

/** What the options have said so far. */
type Draft = {
  urls: string[]
  method: string | undefined
  headers: [name: string, value: string][]
  /** Lower-case names of headers that curl would add and the command takes out. */
  dropped: Set<string>
  data: string[]
  joint: '&' | ''
  isJson: boolean
  toQuery: boolean
  head: boolean
  piped: string | undefined
}

type Option = (draft: Draft, value: string) => Fault | undefined

const shortNames: Record<string, string> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  F: 'form',
  G: 'get',
  I: 'head',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  T: 'upload-file',
  K: 'config',
}

const refuse = (error: string) => (): Fault => ({ error })

const addHeader = (draft: Draft, name: string, value: string): undefined => {
  draft.headers.push([name, value])
}

/** Options that take a value. */
const valued: Record<string, Option> = {
  request: (draft, value) => {
    draft.method = value
    return undefined
  },
  url: (draft, value) => {
    draft.urls.push(value)
    return undefined
  },
  header: takeHeader,
  data: takeData,
  'data-ascii': takeData,
  'data-binary': takeData,
  'data-raw': (draft, value) => pushData(draft, value),
  'data-urlencode': takeEncoded,
  json: (draft, value) => {
    draft.isJson = true
    draft.joint = ''
    return takeData(draft, value)
  },
  user: (draft, value) => addHeader(draft, 'Authorization', `Basic ${base64(value)}`),
  'oauth2-bearer': (draft, value) => addHeader(draft, 'Authorization', `Bearer ${value}`),
  'user-agent': (draft, value) => addHeader(draft, 'User-Agent', value),
  referer: (draft, value) => addHeader(draft, 'Referer', value),
  cookie: (draft, value) =>
    value.includes('=')
      ? addHeader(draft, 'Cookie', value)
      : { error: 'The option -b names a file of cookies. Send them as a header instead: -H "Cookie: …".' },
  form: refuse('The option -F sends a multipart form. This API takes JSON: send it with --json.'),
  'form-string': refuse('The option --form-string sends a multipart form. This API takes JSON: send it with --json.'),
  'upload-file': refuse('The option -T sends a file. Paste what is in it as --data-raw.'),
  config: refuse('The option -K reads further options from a file. Write them into the command.'),
}

/** Options without a value that change the request. */
const flags: Record<string, (draft: Draft) => void> = {
  get: draft => {
    draft.toQuery = true
  },
  head: draft => {
    draft.head = true
  },
}

/** What says nothing about the request itself: how curl connects, what it prints. */
const ignoredFlags = new Set(
  (
    'a s S L l k v i f g N O J n q # 0 1 2 3 4 6 j p R Z silent show-error location location-trusted insecure verbose ' +
    'include show-headers fail fail-with-body fail-early globoff no-buffer remote-name remote-name-all compressed no-compressed ' +
    'http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ipv4 ipv6 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 ' +
    'progress-bar no-progress-meter path-as-is tcp-nodelay no-keepalive keepalive basic anyauth raw styled-output ' +
    'no-styled-output parallel disable netrc create-dirs ssl-reqd ssl-no-revoke proxy-insecure trace-time junk-session-cookies'
  ).split(' '),
)
const ignoredValued = new Set(
  (
    'o m w x c E r Y y z t P D C output max-time connect-timeout write-out proxy proxy-user cookie-jar cert key cacert capath ' +
    'retry retry-delay retry-max-time limit-rate resolve connect-to interface max-redirs dump-header ciphers range ' +
    'noproxy proxy-header cert-type key-type pass keepalive-time trace trace-ascii stderr unix-socket dns-servers max-filesize'
  ).split(' '),
)

/**
 * The request of a cURL command in the notation of bash, cmd.exe or PowerShell, or what is wrong with it in a sentence.
 * Headers that curl would add by itself are added where they say something about the body (Content-Type), not the others.
 */
export function parseCurl(text: string): RequestValue | Fault {
  if (/^\s*(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\b/i.test(text)) {
    return { error: 'This is a PowerShell command. Copy the request as cURL instead.' }
  }
  const found = curlWords(text)
  if ('error' in found) return found
  const draft: Draft = {
    urls: [],
    method: undefined,
    headers: [],
    dropped: new Set(),
    data: [],
    joint: '&',
    isJson: false,
    toQuery: false,
    head: false,
    piped: found.piped,
  }
  return readOptions(draft, found.words) ?? requestOf(draft)
}

/** The words behind `curl`; `piped` is what a printf before it sends to its input. */
function curlWords(text: string): { words: string[]; piped?: string } | Fault {
  const split = splitWords(text.replace(/^\s*[$>%]\s+/, ''))
  if ('error' in split) return split
  const { words, rest } = split
  if (words[0] === 'printf' && words.length === 2 && /^\|(?!\|)/.test(rest)) {
    const behind = curlWords(rest.slice(1))
    const piped = (words[1] as string).replaceAll(/\\\\|%%|\\0{1,3}/g, mark =>
      mark === '\\\\' ? '\\' : mark === '%%' ? '%' : '\0',
    )
    return 'error' in behind ? behind : { ...behind, piped }
  }
  const start = words.findIndex(word => /^(?:.*[/\\])?curl(?:\.exe)?$/i.test(word))
  // Settings of the environment may stand before the command, nothing else.
  if (start === -1 || words.slice(0, start).some(word => !/^\w+=/.test(word))) {
    return { error: 'This is not a cURL command: it should begin with "curl".' }
  }
  return { words: words.slice(start + 1) }
}

function readOptions(draft: Draft, words: string[]): Fault | undefined {
  const waiting = [...words]
  let onlyUrls = false
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (onlyUrls || word === '-' || !word.startsWith('-')) draft.urls.push(word)
    else if (word === '--') onlyUrls = true
    else {
      const fault = word.startsWith('--') ? readLong(draft, word, waiting) : readShort(draft, word, waiting)
      if (fault !== undefined) return fault
    }
  }
  return undefined
}

function readLong(draft: Draft, word: string, waiting: string[]): Fault | undefined {
  const [, name = '', attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? []
  return apply(draft, name, word, () => attached ?? waiting.shift())
}

/** `-sSL`, `-XPOST`, `-d '…'`: letters together; the first that takes a value takes the rest of the word, or the next one. */
function readShort(draft: Draft, word: string, waiting: string[]): Fault | undefined {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string
    const name = shortNames[letter] ?? letter
    let isTaken = false
    const fault = apply(draft, name, `-${letter}`, () => {
      isTaken = true
      return at + 1 < word.length ? word.slice(at + 1) : waiting.shift()
    })
    if (fault !== undefined || isTaken) return fault
  }
  return undefined
}

function apply(draft: Draft, name: string, shown: string, value: () => string | undefined): Fault | undefined {
  const flag = own(flags, name)
  if (flag !== undefined) return flag(draft) as undefined
  if (ignoredFlags.has(name)) return undefined
  const option = own(valued, name)
  if (option === undefined && !ignoredValued.has(name)) return { error: `The curl option ${shown} is not known here.` }
  const given = value()
  if (given === undefined) return { error: `The option ${shown} lacks its value.` }
  return option?.(draft, given)
}

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** `Name: value`, `Name;` for an empty one, `Name:` for one that curl is not to send. */
function takeHeader(draft: Draft, line: string): Fault | undefined {
  if (line.startsWith('@')) return { error: 'The option -H reads headers from a file. Write them into the command.' }
  const [, name = '', mark, value = ''] = /^([^:;]+)([:;])([\s\S]*)$/.exec(line) ?? []
  const trimmed = value.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  if (name === '' || (mark === ';' && trimmed !== '')) {
    return { error: `The header "${line}" is not of the form "Name: value".` }
  }
  if (mark === ':' && trimmed === '') {
    draft.dropped.add(name.toLowerCase())
    return undefined
  }
  return addHeader(draft, name, trimmed)
}

function takeData(draft: Draft, value: string): Fault | undefined {
  if (value === '@-' && draft.piped !== undefined) return pushData(draft, draft.piped)
  if (!value.startsWith('@')) return pushData(draft, value)
  return { error: `The body is read from the file ${value.slice(1)}. Paste what is in it as --data-raw.` }
}

function pushData(draft: Draft, value: string): undefined {
  draft.data.push(value)
}

/** `content`, `=content`, `name=content`; names stand as they are. */
function takeEncoded(draft: Draft, value: string): Fault | undefined {
  const [, name, mark = '=', content = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [value, '', '=', value]
  if (mark === '@') return { error: `The body is read from the file ${content}. Paste what is in it as --data-raw.` }
  const encoded = encodeURIComponent(content).replaceAll(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return pushData(draft, name === '' ? encoded : `${name}=${encoded}`)
}

function requestOf(draft: Draft): RequestValue | Fault {
  const { urls, headers, data, dropped } = draft
  const [address, second] = urls
  if (address === undefined) return { error: 'The command names no address. Add the URL.' }
  if (second !== undefined)
    return { error: `The command names two addresses, ${address} and ${second}. Send them one by one.` }
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`
  const text = data.length === 0 ? undefined : data.join(draft.joint)
  const body = draft.toQuery ? undefined : text
  const method = draft.method ?? (draft.head ? 'HEAD' : body === undefined ? 'GET' : 'POST')
  const added: [string, string][] = draft.isJson
    ? [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ]
    : [['Content-Type', 'application/x-www-form-urlencoded']]
  const has = (name: string) => headers.some(([other]) => other.toLowerCase() === name) || dropped.has(name)
  const all = body === undefined ? headers : [...headers, ...added.filter(([name]) => !has(name.toLowerCase()))]
  const whole = draft.toQuery && text !== undefined ? withQuery(url, text) : url
  return body === undefined ? { method, url: whole, headers: all } : { method, url: whole, headers: all, body }
}

function withQuery(url: string, query: string): string {
  const [address = '', fragment] = url.split(/(?=#)/, 2)
  return `${address}${address.includes('?') ? '&' : '?'}${query}${fragment ?? ''}`
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
