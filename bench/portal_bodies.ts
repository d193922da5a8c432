/**
 * Big answers in the Playground. A small server stands before Tandem and answers one address of the API itself, with as
 * many megabytes as asked for; everything else it passes on, so that the page and its origin stay what they are.
 */
import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { type Figure, longestTask, measureIn, type Place, type Throttle, visit, visits } from './portal_visit.ts'

const megabyte = 1_000_000
const lastMark = 'last_mark_of_the_answer'

type Front = Place & { answer: Buffer; stop(): Promise<void> }

/** Answers what the Playground, not the portal itself, asks of GET /v2/messages. */
async function startFront(behind: Place): Promise<Front> {
  const front: Front = { host: '127.0.0.1', port: 0, answer: Buffer.alloc(0), stop }
  const server = createServer((incoming, response) => {
    const isOurs = incoming.url?.startsWith('/v2/messages?') || incoming.url === '/v2/messages'
    if (isOurs && incoming.method === 'GET' && incoming.headers['x-tandem-source'] !== 'portal') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': front.answer.length })
      response.end(front.answer)
    } else passOn(behind, incoming, response)
  })
  server.listen(0, front.host)
  await once(server, 'listening')
  front.port = (server.address() as AddressInfo).port
  return front

  async function stop(): Promise<void> {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

function passOn({ host, port }: Place, incoming: IncomingMessage, response: ServerResponse): void {
  const { url, method, headers } = incoming
  const onward = ask({ host, port, path: url, method, headers }, reply => {
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
    reply.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

/** A list of messages in JSON without line breaks, of about `bytes`; the last has a mark that is nowhere else. */
function messagesOf(bytes: number): Buffer {
  const row = (i: number, body: string) =>
    JSON.stringify({
      messageId: `msg_${String(i).padStart(26, '0')}`,
      status: 'delivered',
      to: `+1500555${String(i % 10_000).padStart(4, '0')}`,
      segments: 1,
      body,
      tags: ['bench', i],
    })
  const size = row(1, 'Your order leaves our warehouse today.').length + 1
  const rows = Array.from({ length: Math.floor(bytes / size) }, (_, i) =>
    row(i, 'Your order leaves our warehouse today.'),
  )
  return Buffer.from(`{"status":200,"data":[${rows.join(',')},${row(0, lastMark)}]}`)
}

/** Opens the request in the Playground; nothing is sent yet. */
async function openPlayground(browser: Browser, front: Front, throttle: Throttle) {
  const opened = await visit(browser, front, throttle)
  await opened.page.goto('/playground?endpoint=messages.list')
  await opened.page.evaluate('bench.ready()')
  await opened.page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  return opened
}

/** Sends and waits until `shown` (an expression) holds on the screen; ms from the last byte of the answer to that frame. */
async function send(page: Page, shown: string): Promise<{ afterLastByteMs: number; startMs: number }> {
  const startMs = await measureIn(page, 'performance.now()')
  await page.evaluate('performance.clearResourceTimings()')
  const painted = measureIn(page, `bench.painted(() => ${shown})`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const paintedMs = await painted
  const lastByteMs = await measureIn(page, 'bench.lastByteOf("/v2/messages")')
  return { afterLastByteMs: paintedMs - lastByteMs, startMs }
}

const responseText = `(document.querySelector('section[aria-label="Response"]')?.innerText ?? '')`

/** Figures of an answer of 5 MB, which is shown, and of one of 50 MB, which is offered. */
export async function bigAnswers(browser: Browser, tandem: Place, throttle: Throttle): Promise<Figure[]> {
  const front = await startFront(tandem)
  const figures = new Map<string, Figure>()
  const note = (what: string, value: number, wanted: number | null, unit: 'ms' | 'nodes' = 'ms') => {
    const limit = throttle === 1 || unit === 'nodes' ? wanted : null
    const figure = figures.get(what) ?? { what, throttle, values: [], wanted: limit, unit }
    figure.values.push(value)
    figures.set(what, figure)
  }
  try {
    for (let i = 0; i < visits; i++) {
      front.answer = messagesOf(5 * megabyte)
      await shown(browser, front, throttle, note)
      front.answer = messagesOf(50 * megabyte)
      await offered(browser, front, throttle, note)
    }
  } finally {
    await front.stop()
  }
  return [...figures.values()]
}

type Note = (what: string, value: number, wanted: number | null, unit?: 'ms' | 'nodes') => void

async function shown(browser: Browser, front: Front, throttle: Throttle, note: Note): Promise<void> {
  const { page, end } = await openPlayground(browser, front, throttle)
  const { afterLastByteMs, startMs } = await send(page, `${responseText}.includes('"messageId"')`)
  note('5 MB: last byte to first rows', afterLastByteMs, 250)
  await page.waitForTimeout(300 * throttle)
  note('5 MB: longest task', await longestTask(page, startMs), 150)
  note('5 MB: nodes of the page', await measureIn(page, `document.querySelectorAll('*').length`), 2_000, 'nodes')
  const field = page.getByRole('searchbox', { name: 'Find in body' })
  await field.focus()
  const found = measureIn(page, `bench.painted(() => /\\b1 of 1\\b/.test(${responseText}))`)
  await page.evaluate('bench.inputMs = undefined')
  await field.fill(lastMark)
  note('5 MB: find in body', (await found) - (await measureIn(page, 'bench.inputMs')), 300)
  await end()
}

async function offered(browser: Browser, front: Front, throttle: Throttle, note: Note): Promise<void> {
  const { page, end } = await openPlayground(browser, front, throttle)
  const { afterLastByteMs, startMs } = await send(page, `/\\bDownload\\b/.test(${responseText})`)
  note('50 MB: last byte to the card that offers it', afterLastByteMs, 200)
  note('50 MB: longest task', await longestTask(page, startMs), null)
  const downloading = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Response', exact: true }).getByRole('button', { name: 'Download' }).click()
  const stream = await (await downloading).createReadStream()
  let bytes = 0
  for await (const chunk of stream) bytes += (chunk as Buffer).length
  if (bytes !== front.answer.length) throw new Error(`the download has ${bytes} of ${front.answer.length} bytes`)
  await end()
}
