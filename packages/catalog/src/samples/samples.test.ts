// Samples do what they say: each language reads its own literals, the commands reach an echo server byte for byte, and a
// command pasted back is the request it came from. Programs that are not installed are left out.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { type Endpoint, readCatalog, sampleRequest, samplesFor } from '../index.ts'
import { toCurl } from './curl.ts'
import { parseCurl } from './parse_curl.ts'
import { quoteJava, quoteRust, quoteShell } from './quote.ts'
import type { RequestValue } from './request.ts'

const run = promisify(execFile)
const has = (program: string, argument = '--version') => spawnSync(program, [argument]).status === 0
const catalog = readCatalog(JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')))

const nasty = [
  ...'\'"\\`$!#%^&|;<>(){}[]*?~ \n\r\t=@:,./+-_aZ09',
  ...['\u0001', '\u0007', '\u001b', '\u007f', '\u0085', '\u00a0', '\u2018', '\u2019', '\u201b', '\u2028', '\u2029'],
  ...['\u202e', '\u200b', '\ufeff', 'é', 'ß', '漢', '🦆', '\u{10ffff}'],
  ...[
    "$'",
    '\\n',
    '\\u0041',
    '\\x41',
    "'\\''",
    '$HOME',
    '$(id)',
    '`id`',
    '$' + '{x}',
    '#{x}',
    '%s',
    '%PATH%',
    '^"',
    '^\n',
  ],
  ...['\\\n', '`\n', '{{x}}', '</script>', '__proto__', '"""', "'''", '-H', '--', '@file', '<?php', '?>'],
]
const text = fc.array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'grapheme' })), { maxLength: 12 })
const hostile = text.map(parts => parts.join('').toWellFormed())
const headerValue = hostile.map(value => value.replaceAll(/[\r\n\0]/g, ' ').replaceAll(/^[ \t]+|[ \t]+$/g, ''))
const headerName = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/)
const jsonBody = fc.jsonValue({ noUnicodeString: false }).map(value => JSON.stringify(value).toWellFormed())
const body = fc.oneof(
  hostile,
  jsonBody,
  fc.string({ unit: 'binary' }).map(value => value.toWellFormed()),
)

const requests: fc.Arbitrary<RequestValue> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    url: fc.tuple(hostile, hostile, hostile).map(([path, name, value]) => {
      const url = new URL('http://localhost:3000/v2/')
      url.pathname += path
      url.searchParams.append(`due_date[${name}]`, value)
      return url.href.replaceAll('%5B', '[').replaceAll('%27', "'")
    }),
    headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 5 }),
    body,
  },
  { requiredKeys: ['method', 'url', 'headers'], noNullPrototype: true },
)

/** Some plain requests and many hostile ones, the same in every run. */
const hostileTexts = fc.sample(hostile, { numRuns: 400, seed: 7 })

test('parseCurl(toCurl(request)) is the request, for 1,000 random ones', () => {
  fc.assert(
    fc.property(requests, request => {
      assert.deepEqual(parseCurl(toCurl(request)), request)
    }),
    { numRuns: 1000 },
  )
})

test('bash reads every quoted word as the text it stands for', { skip: !has('bash') }, () => {
  const words = [...new Set(hostileTexts)].filter(word => !word.includes('\0'))
  const script = `printf '%s\\0' ${words.map(quoteShell).join(' ')}`
  const { stdout } = spawnSync('bash', ['-c', script], { env: { LC_ALL: 'C.UTF-8' }, maxBuffer: 1 << 26 })
  assert.deepEqual(stdout.toString('utf8').split('\0').slice(0, -1), words)
})

type Echo = { method: string; url: string; headers: string[]; body: Buffer }

/** A server that keeps what it was sent. */
async function withEcho(work: (origin: string, seen: () => Echo) => Promise<void>): Promise<void> {
  let last: Echo | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', rawHeaders } = request
    last = { method, url, headers: rawHeaders, body: Buffer.concat(chunks) }
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => last as Echo)
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

test('the command makes curl send the bytes of the request', { skip: !has('bash') || !has('curl') }, async () => {
  await withEcho(async (origin, seen) => {
    // HEAD with a body is nothing a browser or curl would send.
    const some = fc
      .sample(requests, { numRuns: 40, seed: 11 })
      .filter(({ method, body }) => method !== 'HEAD' || body === undefined)
    for (const drawn of some) {
      const url = drawn.url.replace('http://localhost:3000', origin)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: Node's parser refuses these in headers
      const headers = drawn.headers.filter(([, value]) => !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
      const own = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|te|trailer)$/i
      const request: RequestValue = { ...drawn, url, headers: headers.filter(([name]) => !own.test(name)) }
      const command = toCurl(request).replace('curl ', 'curl -s --noproxy "*" -o /dev/null --max-time 10 ')
      await run('bash', ['-c', command], { env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' } })
      const echo = seen()
      assert.equal(echo.method, request.method)
      assert.equal(echo.url, request.url.slice(origin.length).replace(/#.*$/s, ''))
      assert.equal(echo.body.toString('utf8'), request.body ?? '')
      for (const [name, value] of request.headers) {
        const sent = echo.headers.filter((_, index) => index % 2 === 1 && echo.headers[index - 1] === name)
        // Node gives header bytes as Latin-1.
        assert.ok(sent.map(latin => Buffer.from(latin, 'latin1').toString('utf8')).includes(value), command)
      }
    }
  })
})

/** What one language's sample asks its client to send. */
type Sent = { method: string; url: string; headers: Record<string, string>; body?: string; json?: unknown }

function codeOf(request: RequestValue, language: string): string {
  return samplesFor(request).find(sample => sample.language === language)?.code ?? ''
}

function joinedHeaders({ headers }: RequestValue): Map<string, string> {
  const map = new Map<string, string>()
  for (const [name, value] of headers) {
    const before = map.get(name.toLowerCase())
    map.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`)
  }
  return map
}

function assertSame(sent: Sent, request: RequestValue, code: string): void {
  assert.equal(sent.method, request.method, code)
  assert.equal(sent.url, request.url, code)
  const headers = new Map(Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]))
  assert.deepEqual(headers, joinedHeaders(request), code)
  if (sent.json !== undefined) assert.deepEqual(sent.json, JSON.parse(request.body ?? ''), code)
  else if (sent.body === request.body) return
  else assert.deepEqual(JSON.parse(sent.body ?? ''), JSON.parse(request.body ?? ''), code)
}

test('the JavaScript sample calls fetch with the request', async () => {
  const AsyncFunction = (async () => {}).constructor as new (
    ...names: string[]
  ) => (...values: unknown[]) => Promise<void>
  await fc.assert(
    fc.asyncProperty(requests, async request => {
      const code = codeOf(request, 'javascript')
      let sent: Sent | undefined
      const fetch = (url: string, { method = 'GET', headers = {}, body }: Partial<Sent> = {}) => {
        sent = { method, url, headers: { ...headers }, body }
        return { status: 200, json: () => ({}) }
      }
      await new AsyncFunction('fetch', 'console', code)(fetch, { log() {} })
      assertSame(sent as Sent, request, code)
    }),
    { numRuns: 300, examples: [[{ method: 'GET', url: 'http://localhost:3000/v2/', headers: [['__proto__', '']] }]] },
  )
})

const pythonProgram = `
import json, sys, types
sent = []
requests = types.ModuleType('requests')
def request(method, url, headers={}, data=None, **more):
    entry = {'method': method, 'url': url, 'headers': headers}
    if data is not None: entry['body'] = data.decode()
    if 'json' in more: entry['json'] = more['json']; entry['has'] = True
    sent.append(entry)
    return types.SimpleNamespace(status_code=200, text='')
requests.request = request
sys.modules['requests'] = requests
for code in json.load(sys.stdin): exec(code.replace('print(', '('), {})
print(json.dumps(sent))
`

test('the Python sample calls requests with the request', { skip: !has('python3') }, () => {
  const some = fc.sample(requests, { numRuns: 300, seed: 13 })
  const input = JSON.stringify(some.map(request => codeOf(request, 'python')))
  const { stdout, stderr } = spawnSync('python3', ['-c', pythonProgram], { input, maxBuffer: 1 << 26 })
  assert.equal(stderr.toString(), '')
  const sent: (Sent & { has?: boolean })[] = JSON.parse(stdout.toString())
  assert.equal(sent.length, some.length)
  for (const [index, request] of some.entries()) {
    const { has: isJson, ...entry } = sent[index] as Sent & { has?: boolean }
    if (isJson === true && entry.json === null) assert.equal(request.body, 'null')
    else assertSame(entry, request, codeOf(request, 'python'))
  }
})

/** Has a compiler or interpreter print texts in hexadecimal UTF-8, one a line. */
function readBack(command: string[], file: string, source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-samples-'))
  try {
    writeFileSync(join(folder, file), source)
    let printed = ''
    for (const [program = '', ...args] of command.map(line => line.split(' '))) {
      const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, timeout: 120_000 })
      assert.equal(status, 0, stderr?.toString())
      printed = stdout.toString()
    }
    return printed
      .split('\n')
      .slice(0, -1)
      .map(line => Buffer.from(line, 'hex').toString('utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('Java reads its literals as the texts they stand for', { skip: !has('java') || !has('javac') }, () => {
  const source = `public class Read {
  public static void main(String[] a) {
    for (var text : new String[] {\n${hostileTexts.map(quoteJava).join(',\n')}})
      System.out.println(java.util.HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }
}`
  assert.deepEqual(readBack(['javac -encoding UTF-8 Read.java', 'java Read'], 'Read.java', source), hostileTexts)
})

test('Rust reads its literals as the texts they stand for', { skip: !has('rustc') }, () => {
  // The compiler refuses texts that change the direction of writing, in any notation but escapes.
  const texts = hostileTexts.filter(value => !/[\u202a-\u202e\u2066-\u2069]/.test(value))
  const source = `fn main() {
  for text in [\n${texts.map(quoteRust).join(',\n')}] {
    println!("{}", text.bytes().map(|byte| format!("{:02x}", byte)).collect::<String>());
  }
}`
  assert.deepEqual(readBack(['rustc -A warnings read.rs', './read'], 'read.rs', source), texts)
})

test('every endpoint has a sample request in twelve languages, and its command parses back', () => {
  for (const endpoint of catalog.endpoints) {
    const request = sampleRequest(endpoint, 'http://localhost:3000', 'tdm_test_0')
    const samples = samplesFor(request, { endpoint })
    // PowerShell reads no stream, and the SDK is no client of OAuth.
    const isWhole = endpoint.envelope !== 'stream' && endpoint.version !== 'oauth'
    assert.equal(samples.length, isWhole ? 12 : 11, endpoint.id)
    assert.ok(!request.url.includes('{'), `${endpoint.id} lacks an example for its path`)
    assert.deepEqual(parseCurl(toCurl(request)), request)
  }
})

test('PHP makes no list of an object that is empty, or has the keys 0, 1, 2', () => {
  const url = 'http://localhost:3000/v2/voice/calls'
  const codeFor = (body: object) =>
    codeOf({ method: 'POST', url, headers: [['Content-Type', 'application/json']], body: JSON.stringify(body) }, 'php')
  for (const value of [{}, { 0: 'operator', 1: 'sales' }]) {
    const body = { menu: [{ branches: value }] }
    assert.ok(codeFor(body).includes(`'${JSON.stringify(body)}'`), codeFor(body))
  }
  for (const value of [[], ['operator'], { 1: 'sales' }, { a: 1 }])
    assert.ok(codeFor({ branches: value }).includes('json_encode('), JSON.stringify(value))
})

test('bytes are put into a file, in every language', () => {
  const url = 'http://localhost:3000/v2/voice/recordings/rec_1/media'
  const request = { method: 'GET', url, headers: [['Accept', 'audio/wav'] as [string, string]] }
  const samples = samplesFor(request)
  assert.equal(samples.length, 11)
  for (const { code, label } of samples) assert.match(code, /answer\.wav/, label)
  assert.deepEqual(parseCurl(toCurl(request)), request)
})

test('a file of the machine is sent by cURL, byte for byte, and there is no other sample', {
  skip: !has('bash'),
}, () => {
  const headers: RequestValue['headers'] = [['Content-Type', 'application/pdf']]
  const request = { method: 'POST', url: 'http://localhost/v1/x', headers, file: "it's a file.pdf" }
  const samples = samplesFor(request)
  assert.deepEqual(
    samples.map(({ language }) => language),
    ['curl'],
  )
  const printed = spawnSync('bash', ['-c', samples[0]!.code.replace(/^curl/, "printf '%s\\n'")]).stdout.toString()
  assert.deepEqual(printed.trimEnd().split('\n'), [
    ...['-X', 'POST', 'http://localhost/v1/x', '-H', 'Content-Type: application/pdf'],
    ...['--data-binary', "@it's a file.pdf"],
  ])
})

test('with a variable for the token no sample holds the token', () => {
  const endpoint = catalog.byId.get('leads.create') as Endpoint
  const request = sampleRequest(endpoint, 'http://localhost:3000', 'tdm_test_secret')
  for (const { code, label } of samplesFor(request, { endpoint, tokenVariable: 'TANDEM_TOKEN' })) {
    assert.ok(!code.includes('tdm_test_secret'), label)
    assert.ok(code.includes('TANDEM_TOKEN'), label)
  }
})

test('the SDK sample, run with the SDK, sends the sample request', async () => {
  const sdk = await import(new URL('../../../../sdk/src/index.ts', import.meta.url).href)
  const AsyncFunction = (async () => {}).constructor as new (
    ...names: string[]
  ) => (...values: unknown[]) => Promise<void>
  const all = catalog.endpoints.filter(({ version }) => version !== 'oauth')
  for (const endpoint of all.filter(({ replies }) => replies[0]?.contentType === 'application/json')) {
    const request = sampleRequest(endpoint, 'http://localhost:3000', 'tdm_test_0')
    const code = samplesFor(request, { endpoint }).find(({ language }) => language === 'typescript')?.code ?? ''
    let sent: Request | undefined
    const reply = JSON.stringify(endpoint.replies[0]?.examples[0]?.value)
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      sent = new Request(input, init)
      return new Response(reply, { headers: { 'content-type': 'application/json' } })
    }
    const createTandem = (options: object) => sdk.createTandem({ ...options, fetch })
    await new AsyncFunction('createTandem', 'console', code.replace(/^import .*$/m, ''))(createTandem, { log() {} })
    assert.ok(sent !== undefined, endpoint.id)
    assert.equal(
      `${sent.method} ${decodeURIComponent(sent.url)}`,
      `${request.method} ${decodeURIComponent(request.url)}`,
    )
    const text = await sent.text()
    if (endpoint.fileBody !== null) assert.equal(text, request.body)
    else assert.deepEqual(JSON.parse(text || 'null'), JSON.parse(request.body ?? 'null'), endpoint.id)
    if (endpoint.permission.level !== 'public') assert.equal(sent.headers.get('authorization'), 'Bearer tdm_test_0')
  }
})
