/**
 * The portal in a real browser, at full speed and with the processor slowed to a quarter: how soon a screen can be used,
 * how long a change of screens takes, what a key costs in the search, and what big answers do to the Playground.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { startChromium } from '../portal/test/chromium.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { formatCount, formatRatio, markdownTable, median, watchProcesses } from './measure.ts'
import { bigAnswers } from './portal_bodies.ts'
import {
  type Figure,
  longestTask,
  measureIn,
  type Side,
  type Throttle,
  throttles,
  visit,
  visits,
} from './portal_visit.ts'
import { seedConversations } from './seed_conversations.ts'
import { connectOwner, createApiKey, startTandem, type Tandem, tenantId } from './servers.ts'

const conversations = 100_000
const coldScreens = [
  { name: 'Dashboard', path: '/dashboard' },
  { name: 'Home', path: '/home' },
  { name: 'Inbox', path: '/inbox' },
  { name: 'Messages', path: '/messages' },
  { name: 'an endpoint in the Explorer', path: '/explorer/v2/messaging/post-messages-sms' },
  { name: 'Playground', path: '/playground' },
]
const coldWantedMs: Record<Throttle, number> = { 1: 600, 4: 1_500 }
const routeScreens: Record<Side, readonly string[]> = {
  workspace: ['Inbox', 'Leads', 'Contacts', 'Companies', 'Calls', 'Invoices', 'Settings'],
  developers: ['Explorer', 'Playground', 'API keys', 'Webhooks', 'Logs'],
}
const typedQueries = ['send sms', 'sned sms', 'invoices', 'list calls', 'rotate key']

export async function portalBench({ settings, log }: BenchContext): Promise<BenchReport> {
  const tandem = await startTandem({ settings })
  const chromium = await startChromium()
  const startedMs = performance.now()
  // Server, database and browser are all below this process.
  const measured = watchProcesses({ ours: { root: process.pid } })
  try {
    await fill(tandem)
    await untilBuilt(tandem)
    const figures: Figure[] = []
    for (const throttle of throttles) {
      for (const screen of coldScreens) figures.push(...(await coldVisits(chromium.browser, tandem, screen, throttle)))
      log(`cold visits measured at ${throttle}×`)
      for (const side of ['workspace', 'developers'] as const)
        figures.push(...(await routeChanges(chromium.browser, tandem, throttle, side)))
      log(`changes of screens measured at ${throttle}×`)
      figures.push(await searchKeys(chromium.browser, tandem, throttle))
      log(`search measured at ${throttle}×`)
      figures.push(...(await bigAnswers(chromium.browser, tandem, throttle)))
      log(`big answers measured at ${throttle}×`)
    }
    const { groups, machine } = measured()
    const ours = groups['ours']?.cpuSeconds ?? null
    const others = machine === null || ours === null ? null : machine.busySeconds - ours
    const seconds = (performance.now() - startedMs) / 1000
    const note = `- cores used by anything else meanwhile: ${formatRatio(others === null ? null : others / seconds)}`
    return { markdown: `${table(figures)}\n\n${note}`, postgres: null, figures: { portal: figures } }
  } finally {
    await chromium.close()
    await tandem.stop()
  }
}

/** The server builds the portal while it is at work already. */
async function untilBuilt({ host, port }: Tandem): Promise<void> {
  const deadlineMs = performance.now() + 120_000
  for (;;) {
    const { status, body } = await fetch(`http://${host}:${port}/`, { headers: { accept: 'text/html' } })
    await body?.cancel()
    if (status === 200) return
    if (performance.now() > deadlineMs) throw new Error(`the portal is not there after two minutes: ${status}`)
    await sleep(200)
  }
}

/** Enough that every list fills its page, and as many conversations as an inbox has to bear. */
async function fill(tandem: Tandem): Promise<void> {
  const key = await createApiKey(tandem, 'test')
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://${tandem.host}:${tandem.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  }
  for (let i = 0; i < 60; i++) {
    const n = String(i).padStart(3, '0')
    await post('/v2/messages/sms', { from: '+15005550006', to: '+15005550100', body: `Your code is ${n}482.` })
    await post('/v1/api/leads', { name: `Lead ${n}`, email: `lead${n}@bench.example`, company: `Company ${i % 7}` })
    await post('/v1/api/finance/invoices', { customer: { name: `Company ${i % 7}` }, amount: 100 + i })
    if (i < 20) await post('/v2/voice/calls', { from: '+15550100001', to: '+15005550201' })
  }
  const owner = await connectOwner(tandem)
  await seedConversations(owner, await tenantId(owner, 'test'), conversations)
  await owner.end()
}

async function coldVisits(
  browser: Browser,
  tandem: Tandem,
  screen: (typeof coldScreens)[number],
  throttle: Throttle,
): Promise<Figure[]> {
  const ready: number[] = []
  for (let i = 0; i < visits; i++) {
    const { page, end } = await visit(browser, tandem, throttle)
    await page.goto(screen.path, { waitUntil: 'commit' })
    ready.push(await measureIn(page, 'bench.ready()'))
    await end()
  }
  const wanted = coldWantedMs[throttle]
  return [{ what: `${screen.name}, cold until it can be used`, throttle, values: ready, wanted, unit: 'ms' }]
}

/** Each screen for the first time in a visit (its script and data are fetched) and again. */
async function routeChanges(browser: Browser, tandem: Tandem, throttle: Throttle, side: Side): Promise<Figure[]> {
  const names = routeScreens[side]
  const first = new Map<string, number[]>(names.map(name => [name, []]))
  const again = new Map<string, number[]>(names.map(name => [name, []]))
  const longest: number[] = []
  for (let i = 0; i < visits; i++) {
    const { page, end } = await visit(browser, tandem, throttle, side)
    await page.goto(side === 'workspace' ? '/home' : '/dashboard')
    const startMs = await measureIn(page, 'bench.ready()')
    for (const round of [first, again]) {
      for (const name of names) {
        // A pointer rests on a link for some time before it is pressed, and the portal fetches the script meanwhile.
        const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${name}`) })
        await link.hover()
        await page.waitForTimeout(120)
        round.get(name)!.push(await measureIn(page, `bench.follow(${JSON.stringify(name)})`))
        // What the screen does after it can be used is not counted to the next one.
        await page.waitForTimeout(100 * throttle)
      }
    }
    longest.push(await longestTask(page, startMs))
    await end()
  }
  const rows = (round: Map<string, number[]>, how: string) =>
    [...round].map(([name, values]): Figure => {
      return { what: `to ${name}, ${how}`, throttle, values, wanted: throttle === 1 ? 100 : null, unit: 'ms' }
    })
  const wanted = throttle === 1 ? 100 : null
  const task: Figure = {
    what: `longest task while changing screens of ${side}`,
    throttle,
    values: longest,
    wanted,
    unit: 'ms',
  }
  return [...rows(first, 'first time'), ...rows(again, 'again'), task]
}

/** From the press of a key in the palette until the frame with its effect; the 95th percentile of each visit's keys. */
async function searchKeys(browser: Browser, tandem: Tandem, throttle: Throttle): Promise<Figure> {
  const values: number[] = []
  for (let i = 0; i < visits; i++) {
    const { page, end } = await visit(browser, tandem, throttle)
    await page.goto('/')
    await page.evaluate('bench.ready()')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.waitFor()
    await page.evaluate('bench.keyTimes.length = 0')
    for (const text of typedQueries) {
      await page.keyboard.type(text, { delay: 60 })
      await field.fill('')
    }
    const times = await page.evaluate<number[]>('bench.keyTimes')
    values.push(times.sort((a, b) => a - b)[Math.floor((times.length - 1) * 0.95)]!)
    await end()
  }
  return { what: 'search: key to paint, p95', throttle, values, wanted: throttle === 1 ? 32 : null, unit: 'ms' }
}

function table(figures: Figure[]): string {
  const rows = figures.map(({ what, throttle, values, wanted, unit }) => {
    const middle = median(values)
    const reported = (value: number) => (unit === 'ms' ? `${formatCount(value)} ms` : formatCount(value))
    const limit = wanted === null ? '' : reported(wanted)
    const verdict = wanted === null ? '' : middle <= wanted ? 'reached' : 'MISSED'
    return [what, `${throttle}×`, reported(middle), limit, verdict, values.map(value => formatCount(value)).join(' ')]
  })
  return markdownTable(['what', 'processor', 'median', 'wanted at most', '', 'visits'], rows)
}
