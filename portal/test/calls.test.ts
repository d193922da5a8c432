// Calls in the portal: a list that follows what happens, a page for one call with its timeline, and hanging up a call
// that is under way, for those who may.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  portalForTests,
  resetCalls,
  screenReady,
  screenshot,
  tabTo,
  untilData,
  untilFocused,
} from './browser.ts'

describe('calls in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  /** Ended: number not in service. */
  let failed: string
  before(async () => {
    failed = await start('+15005550204')
    for (let i = 0; i < 52; i++) await start('+15005550201')
    await untilState(failed, 'failed')
  })

  async function start(to: string, more: object = {}): Promise<string> {
    const body = { from: '+15550100001', to, ...more }
    const answer = await portal.t.call('POST', '/v2/voice/calls', { as: portal.t.main.testKey, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.json.data.callId
  }

  const untilState = (id: string, wanted: string) => untilData(portal.t, `/v2/voice/calls/${id}`, 'state', wanted)
  const rows = (page: Page) => page.getByRole('table', { name: 'Calls' }).getByRole('row')
  const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
  const timeLine = (page: Page) => page.getByRole('list', { name: /^What happened in the call/ })
  const hangUp = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Hang up' })

  test('a call started elsewhere is counted, shown when asked for, and goes its way before the eyes', async t => {
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: '/calls' })
    await stream
    await rowOf(page, '+1 500 555 0201').first().waitFor()
    await page.evaluate(() => Object.assign(window, { notReloaded: true }))
    await start('+15005550200')
    const people = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v1/api/people')
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    const row = rowOf(page, '+1 500 555 0200').first()
    await row.waitFor()
    // Whose number it is, which is asked of a number that was not shown before.
    await people
    resetCalls(page)
    await row.getByText('answered').waitFor()
    await row.getByText('completed').waitFor()
    await row.getByText(/^[5-9] s$/).waitFor()
    assert.deepEqual(countCalls(page).byRoute, {}, 'nothing was asked for again')
    assert.ok(await page.evaluate(() => 'notReloaded' in window))
  })

  test('filters stand in the address, outlive a reload, and are cleared together', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/calls' })
    await page.getByLabel('State', { exact: true }).selectOption('failed')
    await rowOf(page, '+1 500 555 0204').waitFor()
    assert.equal(await rows(page).count(), 2)
    assert.equal(new URL(page.url()).search, '?state=failed')
    await page.reload()
    await rowOf(page, '+1 500 555 0204').waitFor()
    await page.getByLabel('Direction', { exact: true }).selectOption('inbound')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rowOf(page, '+1 500 555 0201').first().waitFor()
    assert.equal(new URL(page.url()).search, '')
  })

  test('older calls come by cursor', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/calls?to=%2B15005550201' })
    await page.getByText('Showing 50').waitFor()
    await page.getByRole('button', { name: 'Show older' }).click()
    await page.getByText('Showing all 52').waitFor()
  })

  test('a call has its timeline, and its error leads to the reference', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/calls/${failed}` })
    await timeLine(page).getByText('failed').waitFor()
    await screenReady(page)
    assert.ok(countCalls(page).total <= 4)
    await checkBothThemes(page, 'a call', 'call-failed')
    const { json } = await portal.t.call('GET', `/v2/voice/calls/${failed}`, { as: portal.t.main.testKey })
    await page.getByRole('link', { name: json.data.errorCode }).first().click()
    await page.waitForURL(`**/errors/${json.data.errorCode}`)
  })

  test('the page of a call shows whom it dialled, also those who did not take it', async t => {
    const targets = ['+15005550201', '+15005550204'].map(number => ({ type: 'number', number }))
    const instructions = [{ verb: 'dial', targets, strategy: 'sequential' }, { verb: 'hangup' }]
    const id = await start('+15005550200', { instructions })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/calls/${id}` })
    const legs = page.getByRole('table', { name: 'Legs, first to last' })
    const leg = (text: string) => legs.getByRole('row').filter({ hasText: text })
    await leg('+1 500 555 0201').getByText('callee_busy').waitFor()
    await leg('+1 500 555 0204').getByText('failed').waitFor()
    assert.match(String(await legs.getByRole('row').nth(1).textContent()), /0201/)
    await checkBothThemes(page, 'a call with legs', 'call-legs')
    await page.getByRole('link', { name: 'Open the leg to +15005550201' }).click()
    await timeLine(page).getByText('busy').waitFor()
    await page.getByText('Caused by').waitFor()
    assert.equal(await legs.count(), 0)
    await page.goto('/calls?to=%2B15005550204&legs=true')
    await rowOf(page, '+1 500 555 0204').filter({ hasText: 'outbound, leg' }).first().waitFor()
  })

  test('a call under way is hung up with the keyboard alone, after asking; the page follows it to its end', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    const id = await start('+15005550202')
    await page.goto(`/calls/${id}`)
    await timeLine(page).getByText('ringing').waitFor()
    await tabTo(page, hangUp(page))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Hang up this call' })
    await dialog.getByText('+1 500 555 0202').waitFor()
    await checkBothThemes(page, 'hanging up', 'hang-up')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(hangUp(page), 'the focus did not come back')
    assert.equal(countCalls(page).byRoute[`POST /v2/voice/calls/${id}/hangup`], undefined)
    await page.keyboard.press('Enter')
    await tabTo(page, dialog.getByRole('button', { name: 'Hang up' }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await timeLine(page).getByText('canceled').waitFor()
    await hangUp(page).waitFor({ state: 'detached' })
  })

  test('a call that ended meanwhile is reported when it cannot be hung up', async t => {
    const page = await portal.newPage(t, { allow: [/status of 409/] })
    await portal.logIn(page)
    const id = await start('+15005550202')
    await page.goto(`/calls/${id}`)
    await timeLine(page).getByText('ringing').waitFor()
    await page.route('**/hangup', route =>
      route.fulfill({
        status: 409,
        json: { status: 409, error: { code: 'call_already_ended', message: 'The call has ended.', retriable: false } },
      }),
    )
    await hangUp(page).click()
    const dialog = page.getByRole('dialog', { name: 'Hang up this call' })
    await dialog.getByRole('button', { name: 'Hang up' }).click()
    await dialog.getByRole('alert').getByText('The call has ended.').waitFor()
    await page.keyboard.press('Escape')
  })

  test('who may not steer calls is not offered to', async t => {
    const id = await start('+15005550202')
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager', path: `/calls/${id}` })
    await timeLine(page).getByText('initiated').waitFor()
    await page.getByRole('link', { name: 'Requests about it' }).waitFor()
    assert.equal(await hangUp(page).count(), 0)
  })

  test('without events nothing is followed, and nothing breaks', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Executive', path: '/calls' })
    await rowOf(page, '+1 500 555 0201').first().waitFor()
  })

  test('a call of the other mode is reported, and one that is not there too', async t => {
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { mode: 'live', path: '/calls' })
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor()
    await page.goto(`/calls/${failed}`)
    await page.getByRole('heading', { name: 'This is in your test data' }).waitFor()
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await timeLine(page).getByText('failed').waitFor()
    await page.goto('/calls/call_00000000000000000000000000')
    await page.getByRole('heading', { name: 'This doesn’t exist' }).waitFor()
  })

  test('a failure is reported, and trying again works; a telephone shows all of it', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await portal.logIn(page)
    await page.route(/\/v2\/voice\/calls(\?|$)/, route => route.abort('connectionfailed'))
    await page.goto('/calls')
    await page.getByRole('alert').waitFor()
    await noHorizontalScroll(page)
    await page.unroute(/\/v2\/voice\/calls(\?|$)/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rowOf(page, '+1 500 555 0201').first().waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'calls-telephone')
    await checkAccessibility(page, { name: 'calls on a telephone' })
  })
})
