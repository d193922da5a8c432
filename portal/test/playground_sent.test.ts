// Previewed = sent = cURL. A thousand random requests go from a real browser to an echo server, byte for byte as the one
// request value says; the cURL command made of each says the same, and for some of them curl itself proves it.
// The build sets NODE_ENV.
// test: own process, programs
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parseCurl, toCurl } from '@tandem/catalog'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import {
  type Draft,
  type Effective,
  effectiveRequest,
  isSendable,
  requestValue,
} from '../src/playground/request/request.ts'
import { chromiumMissing } from './browser.ts'
import { startChromium } from './chromium.ts'
import { type Echo, type Front, startFront } from './front.ts'

const run = promisify(execFile)
const COUNT = 1_000
const token = 'random-token-0123456789'

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/)
const ascii = fc.stringMatching(/^[\t\x20-\x7e]{0,40}$/)
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', "it's", 'a"b\\c', '$HOME `x`', 'é€😀', '%41%zz', '?#&=+'),
)
const rows = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.array(fc.record({ name, value, enabled: fc.boolean() }), { maxLength: 5 })
// Headers of the connection itself would change how the exchange goes, which is not what is compared here.
const headerName = word.filter(name => !/^(?:range|content-encoding|content-type|authorization)$/i.test(name))
const drafts: fc.Arbitrary<Draft> = fc.record({
  method: fc.constantFrom('get', 'GET', 'POST', 'put', 'PATCH', 'DELETE', 'OPTIONS'),
  path: fc.oneof(
    fc.constant('/echo/{id}'),
    anyText.map(text => `/echo/${text}/x`),
  ),
  pathValues: anyText.map(value => [{ name: 'id', value }]),
  query: rows(
    anyText.filter(text => text !== ''),
    anyText,
  ),
  headers: fc.oneof(
    rows(headerName, ascii),
    fc.constant([{ name: 'Content-Type', value: 'text/plain', enabled: true }]),
  ),
  body: fc.oneof(anyText, fc.json({ maxDepth: 2 })),
  credential: fc.constant({ kind: 'none' as const }),
})

/** Headers that a browser or curl adds by itself. */
const added = new Set(
  'host connection content-length accept accept-encoding accept-language user-agent origin referer priority pragma cache-control dnt'.split(
    ' ',
  ),
)

/** What of an echo was ours to decide, in one form. */
function decided({ method, target, headers, body }: Echo, written: ReadonlySet<string>) {
  const own = headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim()])
    .filter(([name]) => written.has(name) || (!added.has(name) && !name.startsWith('sec-')))
  return { method, target, body, headers: own.sort(([a], [b]) => (a < b ? -1 : 1)) }
}

function expected({ method, url, headers, body }: Effective): ReturnType<typeof decided> {
  const { pathname, search } = new URL(url)
  return {
    method,
    target: pathname + search,
    body: Buffer.from(body ?? '').toString('base64'),
    headers: headers
      .map(({ name, value }): [string, string] => [name.toLowerCase(), value])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

const writtenNames = ({ headers }: Effective) => new Set(headers.map(({ name }) => name.toLowerCase()))

/** The sender as the portal ships it, as a script for a bare page. */
async function senderScript(): Promise<string> {
  const entry = new URL('../src/playground/sending/send.ts', import.meta.url).pathname
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    // The packages of the tree from their sources, as the portal is built.
    resolve: { conditions: ['source', 'module', 'browser'] },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'sender' }, minify: false },
  })
  const output = Array.isArray(made) ? made[0]! : made
  if (!('output' in output)) throw new Error('the sender could not be built')
  return output.output[0].code
}

describe('previewed = sent = cURL', { skip: chromiumMissing }, () => {
  let front: Front
  let page: Page
  let closeBrowser: () => Promise<void>
  before(async () => {
    front = await startFront('http://127.0.0.1:9')
    const { browser, close } = await startChromium()
    closeBrowser = close
    page = await browser.newPage()
    await page.goto(`${front.address}/echo`)
    await page.addScriptTag({ content: await senderScript() })
  })
  after(async () => {
    await closeBrowser?.()
    await front?.close()
  })

  function sample(): Effective[] {
    const made: Effective[] = []
    for (let seed = 1; made.length < COUNT; seed++) {
      for (const draft of fc.sample(drafts, { seed, numRuns: 500 })) {
        const effective = effectiveRequest(draft, { origin: front.address, lookup: () => undefined, token })
        if (isSendable(effective) && made.length < COUNT) made.push(effective)
      }
    }
    return made
  }

  test(`${COUNT} random requests arrive from the browser exactly as previewed`, async () => {
    const requests = sample()
    const echoes = await page.evaluate(async all => {
      const { sendRequest } = (globalThis as unknown as { sender: typeof import('../src/playground/sending/send.ts') })
        .sender
      const reported: string[] = []
      // None of them sends a file, which would not come into the page.
      for (const { file: _, ...effective } of all) {
        const outcome = await sendRequest(effective, { signal: new AbortController().signal })
        reported.push(outcome.kind === 'answer' ? await outcome.body.text() : JSON.stringify(outcome))
      }
      return reported
    }, requests)
    for (const [index, effective] of requests.entries()) {
      const echo = JSON.parse(echoes[index]!) as Echo
      assert.ok(echo.method !== undefined, `${echoes[index]} for ${JSON.stringify(effective)}`)
      assert.deepEqual(decided(echo, writtenNames(effective)), expected(effective), JSON.stringify(effective))
    }
  })

  test('what a stream brought is its answer when it is stopped or breaks; who does not look on waits no longer than for others', async () => {
    const url = (path: string) => ({
      method: 'GET',
      url: front.address + path,
      headers: [],
      dropped: [],
      body: undefined,
      notes: [],
    })
    const seen = await page.evaluate(
      async ({ open, breaking }) => {
        const { sendRequest } = (
          globalThis as unknown as { sender: typeof import('../src/playground/sending/send.ts') }
        ).sender
        const shown: string[] = []
        const follow = async (timeoutMs: number, end: (stop: AbortController) => void) => {
          const stop = new AbortController()
          const outcome = await sendRequest(open, {
            signal: stop.signal,
            follows: true,
            timeoutMs,
            onProgress({ newest }) {
              const text =
                newest?.()
                  .parts.map(part => part.text)
                  .join('') ?? '-'
              shown.push(text)
              if (text !== '') end(stop)
            },
          })
          return outcome.kind === 'answer' ? [outcome.ended, await outcome.body.text()] : [outcome.reason]
        }
        const unwatched = await sendRequest(open, { signal: new AbortController().signal, timeoutMs: 200 })
        return {
          // Beyond its limit of time, so that it is seen to have none.
          stopped: await follow(200, stop => setTimeout(() => stop.abort(), 400)),
          broken: await follow(60_000, () => void fetch(breaking)),
          unwatched: unwatched.kind === 'failure' ? unwatched.reason : unwatched.kind,
          shown,
        }
      },
      { open: url('/events'), breaking: `${front.address}/events/break` },
    )
    const text = 'event: greeting\ndata: {"text":"Grüße 👋"}\n\n'
    assert.deepEqual(seen, {
      stopped: ['stopped', text],
      broken: ['broken', text],
      unwatched: 'timeout',
      // Open, and with its event; twice.
      shown: ['', text, '', text],
    })
  })

  test('the cURL command of each says the same request', () => {
    for (const effective of sample()) {
      assert.deepEqual(parseCurl(toCurl(requestValue(effective))), requestValue(effective))
    }
  })

  test('curl itself sends the same bytes', async t => {
    const found = await run('curl', ['--version']).then(
      () => true,
      () => false,
    )
    if (!found) return t.skip('curl is missing')
    const requests = sample().slice(0, 100)
    for (const effective of requests) {
      const { stdout } = await run('bash', ['-c', `${toCurl(requestValue(effective)).replace(/\bcurl /, 'curl -s ')}`])
      assert.deepEqual(
        decided(JSON.parse(stdout) as Echo, writtenNames(effective)),
        expected(effective),
        toCurl(requestValue(effective)),
      )
    }
  })
})
