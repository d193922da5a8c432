// The live stream of a page: one connection, which asks for what the screens look at, grows and narrows with them, and in doing so neither
// misses nor doubles anything.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/test/eventually.ts'
import { chromiumMissing, goByNavigation, goTo, portalForTests, screenReady, watchOf } from './browser.ts'

type Opened = {
  topics: string | null
  events: string[] | undefined
  numbers: string | null
  behind: string | undefined
}

/** The streams that a page opens, the newest last. */
function streamsOf(page: Page): Opened[] {
  const opened: Opened[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname !== '/v2/stream') return
    opened.push({
      topics: searchParams.get('topics'),
      events: searchParams.get('eventTypes')?.split(','),
      numbers: searchParams.get('numbers'),
      behind: request.headers()['last-event-id'],
    })
  })
  return opened
}

describe('the live stream of a page', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let lead: string
  const call = (method: string, path: string, body?: unknown) =>
    portal.t.call(method, path, { as: portal.t.main.testKey, ...(body === undefined ? {} : { body }) })
  before(async () => {
    const made = await call('POST', '/v1/api/leads', { name: 'Ada Lovelace', phone: '+15550100001' })
    assert.equal(made.status, 201, made.text)
    lead = String(made.json.lead.id)
  })

  test('asks for what the screens look at, more with the first that needs it, less a moment after it has gone', async t => {
    const page = await portal.newPage(t)
    const opened = streamsOf(page)
    await portal.logIn(page, { path: '/leads' })
    await watchOf(page).quiet()
    const ofList = opened.at(-1)?.events ?? []
    assert.ok(ofList.includes('lead.*'), JSON.stringify(opened))
    assert.ok(!ofList.some(pattern => pattern.startsWith('message.')), JSON.stringify(opened))
    await page.getByRole('link', { name: 'Open Ada Lovelace' }).click()
    await page.getByRole('list', { name: /^Timeline/ }).waitFor()
    const hasTexts = () => opened.at(-1)?.events?.includes('message.*') === true
    await eventually('the page of a lead hears of texts', hasTexts)
    assert.equal(opened.at(-1)?.numbers, '+15550100001', 'of texts those of its number alone')
    assert.ok(opened.at(-1)?.behind?.startsWith('e-'), 'it goes on behind the connection before')
    await goByNavigation(page, 'Leads')
    await screenReady(page)
    const atReturn = opened.length
    await page.waitForTimeout(2_500)
    assert.equal(opened.length, atReturn, 'who walks through the screens is not connected again at every step')
    await eventually('the list hears of leads alone', () => !hasTexts(), { withinMs: 6_000 })
    assert.deepEqual(opened.at(-1)?.events, ofList)
    assert.ok(opened.at(-1)?.behind?.startsWith('e-'))
    // What comes then is heard.
    await call('POST', '/v1/api/leads', { name: 'Grace Hopper', email: 'grace@example.com' })
    await page.getByRole('button', { name: 'Show 1 new' }).waitFor()
  })

  test('counts each request once while it grows and narrows', async t => {
    const page = await portal.newPage(t)
    const opened = streamsOf(page)
    await portal.logIn(page, { path: '/dashboard' })
    const figure = page.getByRole('main').getByRole('link', { name: /^Requests \d/ })
    await figure.waitFor()
    await watchOf(page).quiet()
    const shown = async () => Number(/\d+/.exec(await figure.innerText())?.[0])
    const first = await shown()
    let sent = 0
    for (let n = 0; n < 90; n++) {
      if (n === 10) await goTo(page, `/dashboard?inspect=lead:${lead}`)
      if (n === 25) await goTo(page, '/dashboard')
      await Promise.all([call('GET', `/v1/api/leads/${lead}`), call('GET', '/v1/api/tasks')])
      sent += 2
      await page.waitForTimeout(100)
    }
    assert.ok(opened.length >= 3, `it has grown and narrowed: ${JSON.stringify(opened)}`)
    await portal.t.app.flush()
    await eventually('all are counted', async () => (await shown()) >= first + sent)
    await page.waitForTimeout(1_500)
    assert.equal(await shown(), first + sent)
  })
})
