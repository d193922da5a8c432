// Collections as files of Postman (Collection Format v2.1.0), out and in. No credential goes either way: what looks like one is taken out.
// Tests go along as scripts that Postman runs; each line of ours carries the test it was made of, and is read back from there.
import type { Environment } from '@tandem/sdk'
import { isFields } from '../kept/records.ts'
import { holdsSecret, isSecretName, scrubNamed, scrubText } from '../kept/secrets.ts'
import { isForm, textOfRows } from '../request/form.ts'
import { tokensOf } from '../request/request.ts'
import { isVariableName } from '../request/variables.ts'
import type { AnswerTest, Capture } from '../tests/check.ts'
import { jsonOf, nameOfTest, operatorsOf, type Subject } from '../tests/check.ts'
import { t } from '../texts.ts'
import { type FolderInput, MAX_NAME, type RequestInput } from './content.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const MARK = '// tandem '

export type Content = { name: string; description: string; requests: RequestInput[]; folders: FolderInput[] }

export function toPostman({ name, description, requests, folders }: Content, origin: string): object {
  return {
    info: { name, description, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [{ key: 'baseUrl', value: origin, type: 'string' }],
    item: [
      ...requests.map(itemOf),
      ...folders.map(folder => ({ name: folder.name, item: (folder.requests ?? []).map(itemOf) })),
    ],
  }
}

function itemOf(request: RequestInput): object {
  const {
    name,
    method,
    path,
    pathValues = [],
    query = [],
    headers = [],
    body = '',
    tests = [],
    captures = [],
  } = request
  const clean = (pair: { name: string; value: string; enabled: boolean }) => ({
    key: pair.name,
    value: scrubNamed(pair.name, pair.value),
    ...(pair.enabled ? {} : { disabled: true }),
  })
  const postmanPath = scrubText(path).replaceAll(/(?<!\{)\{([A-Za-z_]\w*)\}(?!\})/g, ':$1')
  const sent = query.filter(({ enabled }) => enabled)
  const search = sent.map(pair => `${pair.name}=${scrubNamed(pair.name, pair.value)}`).join('&')
  const lines = [...captures.map(captureLine), ...tests.map(testLine)]
  return {
    name,
    ...(lines.length > 0 && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: lines } }] }),
    request: {
      method,
      header: headers.map(clean),
      ...(body !== '' && {
        body: { mode: 'raw', raw: scrubText(body), options: { raw: { language: isForm(headers) ? 'text' : 'json' } } },
      }),
      url: {
        raw: `{{baseUrl}}${postmanPath}${search === '' ? '' : `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: postmanPath.replace(/^\//, '').split('/'),
        query: query.map(clean),
        variable: pathValues.map(each => ({ key: each.name, value: scrubText(each.value) })),
      },
    },
    response: [],
  }
}

/** A value that may name variables, as an expression of a script. */
const valueText = (value: string) => `pm.variables.replaceIn(${JSON.stringify(value)})`
const pointed = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(token => `?.[${JSON.stringify(token.replaceAll('~1', '/').replaceAll('~0', '~'))}]`)
    .join('')
/** On one line, behind what Postman runs. */
const marked = (kind: string, value: object) => `${MARK}${kind} ${JSON.stringify(value)}`

function captureLine(capture: Capture): string {
  const set = `pm.collectionVariables.set(${JSON.stringify(capture.name)}, pm.response.json()${pointed(capture.pointer)})`
  return `${set}; ${marked('capture', capture)}`
}

function testLine(test: AnswerTest): string {
  return `pm.test(${JSON.stringify(nameOfTest(test))}, () => ${expectation(test)}); ${marked('test', test)}`
}

function expectation({ subject, target, operator, value }: AnswerTest): string {
  const text = valueText(value)
  if (subject === 'status') {
    const codes = `${text}.split(',').map(code => code.trim())`
    return `pm.expect(${codes}.some(code => new RegExp('^' + code.replaceAll('x', '.') + '$').test(String(pm.response.code)))).to.be.true`
  }
  if (subject === 'time') return `pm.expect(pm.response.responseTime).to.be.below(Number(${text}))`
  const found =
    subject === 'header' ? `pm.response.headers.get(${JSON.stringify(target)})` : `pm.response.json()${pointed(target)}`
  if (operator === 'exists') return `pm.expect(${found}).to.not.be.undefined`
  if (operator === 'count') return `pm.expect(Object.keys(${found})).to.have.lengthOf(Number(${text}))`
  const asText = `(typeof ${found} === 'string' ? ${found} : JSON.stringify(${found}))`
  return operator === 'contains' ? `pm.expect(${asText}).to.include(${text})` : `pm.expect(${asText}).to.equal(${text})`
}

export type Imported = Content & {
  /** Those of the file that its requests name: an environment. */
  variables: Environment['variables']
  /** What was left out, in words. */
  left: string[]
}

/** The collection of a file. Throws a text for people when it is none. */
export function fromPostman(text: string): Imported {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw new Error(t('postman.notJson'))
  }
  const info = isFields(file) ? file['info'] : undefined
  const items = isFields(file) ? file['item'] : undefined
  if (!isFields(info) || !Array.isArray(items)) throw new Error(t('postman.none'))
  if (!/\/v2\.[01]\.0\//.test(String(info['schema'] ?? ''))) throw new Error(t('postman.version'))
  const left = new Map<LeftBehind, number>()
  const note = (what: LeftBehind) => left.set(what, (left.get(what) ?? 0) + 1)
  const requests: RequestInput[] = []
  const folders: FolderInput[] = []
  readItems(items, [], { requests, folders, note })
  return {
    name: nameOf(info['name'], t('importedName'), 100),
    description: scrubText(descriptionOf(info['description'])).slice(0, 2_000),
    ...{ requests, folders },
    variables: readVariables((file as Record<string, unknown>)['variable'], JSON.stringify([requests, folders])),
    left: [...left].map(([what, count]) => t(`left.${what}`, { count })),
  }
}

/** Why something of a request is not taken over. */
type LeftBehind = 'address' | 'credential' | 'scripts' | 'file' | 'body'
type Reading = { requests: RequestInput[]; folders: FolderInput[]; note(what: LeftBehind): void }

const maxVariables = 100
const maxValue = 8_192

/** What the address of the server is called is not among them: requests name it no more. */
function readVariables(list: unknown, requests: string): Environment['variables'] {
  const named = new Set(Array.from(requests.matchAll(/\{\{([A-Za-z_][\w.-]*)\}\}/g), match => match[1]))
  const values = new Map<string, string>()
  for (const variable of Array.isArray(list) ? list.filter(isFields) : []) {
    const name = textOf(variable['key'])
    const value = textOf(variable['value'])
    if (named.has(name) && isVariableName(name) && value !== '' && variable['disabled'] !== true)
      values.set(name, value)
  }
  return Array.from(values, ([name, value]) =>
    isSecretName(name) || holdsSecret(value)
      ? { name, value: null, secret: true }
      : { name, value: value.slice(0, maxValue), secret: false },
  ).slice(0, maxVariables)
}

/** Folders in folders become one, named by the way to it: `Users / Admins`. */
function readItems(items: readonly unknown[], way: readonly string[], reading: Reading): void {
  const own: RequestInput[] = []
  const inner: [string, readonly unknown[]][] = []
  for (const item of items.filter(isFields)) {
    if (Array.isArray(item['item'])) inner.push([nameOf(item['name'], t('folder'), 100), item['item']])
    else {
      const request = readRequest(item, reading)
      if (request === undefined) reading.note('address')
      else own.push(request)
    }
  }
  if (way.length === 0) reading.requests.push(...own)
  else if (own.length > 0 || inner.length === 0)
    reading.folders.push({ name: way.join(' / ').slice(0, 100), requests: own })
  for (const [name, within] of inner) readItems(within, [...way, name], reading)
}

function nameOf(value: unknown, otherwise: string, max: number): string {
  const name = typeof value === 'string' ? scrubText(value.trim()) : ''
  return (name === '' ? otherwise : name).slice(0, max)
}

const descriptionOf = (value: unknown) =>
  typeof value === 'string' ? value : isFields(value) && typeof value['content'] === 'string' ? value['content'] : ''

function readRequest(item: Record<string, unknown>, { note }: Reading): RequestInput | undefined {
  const given = item['request']
  const request = typeof given === 'string' ? { method: 'GET', url: given } : given
  if (!isFields(request)) return undefined
  const address = readUrl(request['url'])
  if (address === undefined) return undefined
  const method =
    typeof request['method'] === 'string' && /^[A-Za-z]{1,20}$/.test(request['method']) ? request['method'] : 'GET'
  const headers = readPairs(request['header'])
  if (isFields(request['auth']) && request['auth']['type'] !== 'noauth') note('credential')
  const body = readBody(request['body'], headers, note)
  const { tests, captures, foreign } = readScripts(item['event'])
  if (foreign) note('scripts')
  return {
    name: nameOf(item['name'], `${method} ${address.path}`, MAX_NAME),
    method: method.toUpperCase(),
    ...address,
    ...{ headers, body, tests, captures },
  }
}

type Address = Required<Pick<RequestInput, 'path' | 'pathValues' | 'query'>>

/** Path and query; the server is that of the portal, whatever stood in the file. */
function readUrl(url: unknown): Address | undefined {
  const raw = typeof url === 'string' ? url : isFields(url) && typeof url['raw'] === 'string' ? url['raw'] : undefined
  const parts = isFields(url) && Array.isArray(url['path']) ? url['path'].map(segmentOf) : undefined
  const [rawPath = '', ...rest] = (raw ?? '').split('?')
  const written =
    parts === undefined
      ? rawPath.replace(/^(?:\{\{[^}]*\}\}|[a-z][\w+.-]*:\/\/[^/]*|[\w.-]+\.[\w.-]+(?=\/))/i, '')
      : `/${parts.join('/')}`
  if (raw === undefined && parts === undefined) return undefined
  const path = scrubText(
    (written.startsWith('/') ? written : `/${written}`).replaceAll(/(?<=\/):([A-Za-z_]\w*)/g, '{$1}'),
  )
  const listed = isFields(url) ? url['query'] : undefined
  const variables = isFields(url) && Array.isArray(url['variable']) ? url['variable'].filter(isFields) : []
  return {
    path: path.slice(0, 8_192),
    pathValues: tokensOf(path).map(name => ({
      name,
      value: scrubText(textOf(variables.find(variable => variable['key'] === name)?.['value'])),
    })),
    query: Array.isArray(listed) ? readPairs(listed) : readPairs(pairsOfQuery(rest.join('?'))),
  }
}

const segmentOf = (segment: unknown) => (isFields(segment) ? textOf(segment['value']) : textOf(segment))
const textOf = (value: unknown) =>
  typeof value === 'string' ? value.slice(0, 8_192) : value == null ? '' : String(value).slice(0, 8_192)

function pairsOfQuery(query: string): { key: string; value: string }[] {
  return query === '' ? [] : Array.from(new URLSearchParams(query), ([key, value]) => ({ key, value }))
}

function readPairs(list: unknown): { name: string; value: string; enabled: boolean }[] {
  if (!Array.isArray(list)) return []
  return list
    .filter(isFields)
    .slice(0, 100)
    .map(pair => {
      const name = textOf(pair['key'])
      return { name, value: scrubNamed(name, textOf(pair['value'])), enabled: pair['disabled'] !== true }
    })
}

const maxBody = 65_536

function readBody(
  body: unknown,
  headers: { name: string; value: string; enabled: boolean }[],
  note: Reading['note'],
): string {
  if (!isFields(body)) return ''
  const within = (text: string) => {
    if (text.length > maxBody) note('body')
    return text.slice(0, maxBody)
  }
  if (body['mode'] === 'raw') return within(scrubText(typeof body['raw'] === 'string' ? body['raw'] : ''))
  if (body['mode'] === 'urlencoded') {
    const type = 'application/x-www-form-urlencoded'
    if (!headers.some(({ name }) => /^content-type$/i.test(name)))
      headers.push({ name: 'Content-Type', value: type, enabled: true })
    return within(textOfRows(readPairs(body['urlencoded'])))
  }
  if (body['mode'] !== undefined) note('file')
  return ''
}

/** Tests and captures of ours; `foreign` where there are other lines that do something. */
function readScripts(events: unknown): { tests: AnswerTest[]; captures: Capture[]; foreign: boolean } {
  const lines = (Array.isArray(events) ? events : []).filter(isFields).flatMap(event => {
    const script = event['script']
    const exec = isFields(script) ? script['exec'] : undefined
    return Array.isArray(exec) ? exec.map(textOf) : typeof exec === 'string' ? exec.split('\n') : []
  })
  const tests: AnswerTest[] = []
  const captures: Capture[] = []
  let foreign = false
  for (const line of lines) {
    const [kind, value] = markOf(line)
    if (kind === 'test' && isTest(value)) tests.push(value)
    else if (kind === 'capture' && isCapture(value)) captures.push(value)
    else if (line.trim() !== '' && !line.trim().startsWith('//')) foreign = true
  }
  return { tests: tests.slice(0, 30), captures: captures.slice(0, 20), foreign }
}

/** What one of our lines was made of. What it says may itself look like a mark. */
function markOf(line: string): [kind: string, value: unknown] {
  for (let at = line.indexOf(MARK); at !== -1; at = line.indexOf(MARK, at + 1)) {
    const [, kind = '', json = ''] = /^(test|capture) (.*)$/.exec(line.slice(at + MARK.length).trim()) ?? []
    const value = jsonOf(json)
    if (value !== undefined && Object.keys(value as object).length > 0) return [kind, value]
  }
  return ['', undefined]
}

function isTest(value: unknown): value is AnswerTest {
  if (!isFields(value)) return false
  const { subject, target, operator, value: wanted } = value
  const fitting = Object.hasOwn(operatorsOf, String(subject)) ? operatorsOf[subject as Subject] : []
  return (fitting as readonly unknown[]).includes(operator) && typeof target === 'string' && typeof wanted === 'string'
}

function isCapture(value: unknown): value is Capture {
  return isFields(value) && typeof value['name'] === 'string' && typeof value['pointer'] === 'string'
}
