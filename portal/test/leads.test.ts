// Leads in the portal: a searchable list with exact totals, one lead with what happened to it, and the dialog that creates
// one, in which nothing that was typed is lost.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  goByNavigation,
  holdBack,
  noHorizontalScroll,
  offeredIn,
  portalForTests,
  screenReady,
  screenshot,
  sendText,
  tabTo,
  untilFocused,
} from './browser.ts'

describe('leads in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  before(async () => {
    for (let i = 1; i <= 43; i++) await create(`Person ${i}`, `person${i}@example.com`)
    await create('Grace Hopper', 'grace@navy.example', { company: 'United States Navy', priority: 'Hot' })
  })

  async function create(name: string, email: string, more: object = {}, as = portal.t.main.testKey): Promise<number> {
    const answer = await portal.t.call('POST', '/v1/api/leads', { as, body: { name, email, ...more } })
    assert.equal(answer.status, 201, answer.text)
    return answer.json.lead.id
  }

  const rows = (page: Page) => page.getByRole('table', { name: 'Leads' }).getByRole('row')
  const open = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create a lead' })
  const inDialog = (page: Page, label: string) => dialog(page).getByLabel(label)
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  const story = (page: Page) => page.getByRole('list', { name: /^Timeline of this lead/ })
  const steps = (page: Page) => page.getByRole('navigation', { name: 'Status of the lead' })
  const params = (page: Page) => new URL(page.url()).searchParams

  test('the total is exact, more is fetched as one scrolls, and filters and order stand in the address', async t => {
    for (let i = 44; i <= 70; i++) await create(`Person ${i}`, `person${i}@example.com`)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads' })
    const { json } = await portal.t.call('GET', '/v1/api/leads?limit=1', { as: portal.t.main.testKey })
    const total = json.pagination.totalCount as number
    await page.getByText(`50 of ${total}`).waitFor()
    assert.ok(countCalls(page).total <= 5)
    const drawn = await rows(page).count()
    assert.ok(drawn < 50, `only rows in sight are drawn, not ${drawn}`)
    const region = page.getByRole('region', { name: 'Leads' })
    const scrollDown = () => region.evaluate(element => element.scrollTo(0, element.scrollHeight))
    await scrollDown()
    await page.getByText(`${total} of ${total}`).waitFor()
    await scrollDown()
    await open(page, 'Person 1').waitFor()
    await page.getByLabel('Priority', { exact: true }).selectOption('Hot')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    assert.equal(params(page).get('priority'), 'Hot')
    await page.getByLabel('Priority', { exact: true }).selectOption('')
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'name')
    await open(page, 'Grace Hopper').waitFor()
    await page.reload()
    await open(page, 'Grace Hopper').waitFor()
    assert.equal(await page.getByRole('columnheader', { name: /^Name/ }).getAttribute('aria-sort'), 'ascending')
  })

  test('another order is read from its top, and a list that one returns to where one was', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads?sort=-name' })
    const region = page.getByRole('region', { name: 'Leads' })
    const scrolled = () => region.evaluate(element => element.scrollTop)
    await open(page, 'Person 9').waitFor()
    await region.evaluate(element => element.scrollTo(0, 1_000))
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.waitForURL(url => url.searchParams.get('sort') === null)
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'name')
    await open(page, 'Grace Hopper').waitFor()
    assert.equal(await scrolled(), 0)

    await region.evaluate(element => element.scrollTo(0, 1_000))
    await open(page, 'Person 33').hover()
    // The mouse may have scrolled the list to reach it.
    const left = await scrolled()
    assert.ok(left > 500, `the list was left at ${left}`)
    await open(page, 'Person 33').click()
    await heading(page, 'Person 33').waitFor()
    await page.goBack()
    // Drawn only where it was scrolled to.
    await open(page, 'Person 45').waitFor()
    assert.equal(await scrolled(), left)
  })

  test('the search forgives a misspelling, and says when nothing is like it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads' })
    await page.keyboard.press('/')
    await untilFocused(page.getByLabel('Search', { exact: true }))
    await page.keyboard.type('grcae hoper')
    await page.waitForURL(url => url.searchParams.get('q') === 'grcae hoper')
    await open(page, 'Grace Hopper').waitFor()
    await page.getByLabel('Search', { exact: true }).fill('zzzzqqqqxxxx')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await open(page, 'Grace Hopper').waitFor()
    assert.equal(await page.getByLabel('Search', { exact: true }).inputValue(), '')
  })

  test('all faults stand beside their fields at once, nothing typed is lost, and success opens the lead', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/leads' })
    await page.getByRole('button', { name: 'Create a lead' }).click()
    await untilFocused(inDialog(page, 'Name'))
    await inDialog(page, 'Email').fill('not an address')
    await inDialog(page, 'Phone').fill('12')
    await inDialog(page, 'Notes').fill('Met at the fair.')
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await dialog(page).getByRole('alert').nth(2).waitFor()
    for (const label of ['Name', 'Email', 'Phone']) {
      assert.equal(await inDialog(page, label).getAttribute('aria-invalid'), 'true', label)
      const reported = (await inDialog(page, label).getAttribute('aria-describedby')) ?? ''
      assert.ok((await page.locator(`[id="${reported}"]`).innerText()).length > 5, label)
    }
    await untilFocused(inDialog(page, 'Name'), 'the first field to mend has the focus')
    await checkBothThemes(page, 'a lead refused', 'lead-refused')
    await page.keyboard.type('Ada Lovelace')
    assert.equal(await inDialog(page, 'Name').getAttribute('aria-invalid'), null)
    assert.equal(await inDialog(page, 'Notes').inputValue(), 'Met at the fair.')
    await inDialog(page, 'Email').fill('ada@example.com')
    await inDialog(page, 'Phone').fill('+44 20 7946 0018')
    await page.keyboard.press('Enter')
    await page.getByText('Ada Lovelace was created.').waitFor()
    await heading(page, 'Ada Lovelace').waitFor()
    await page.getByText('+44 20 7946 0018').first().waitFor()
    await story(page).getByText('Lead created').waitFor()
    assert.equal(await dialog(page).count(), 0)
    await page.goBack()
    await open(page, 'Ada Lovelace').waitFor()
    assert.equal(await dialog(page).count(), 0, 'going back opens the empty form again')
    await page.getByRole('button', { name: 'Create a lead' }).click()
    assert.equal(await inDialog(page, 'Name').inputValue(), '')
  })

  test('what was typed outlives closing the dialog, until it is emptied; the focus returns', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads' })
    const opener = page.getByRole('button', { name: 'Create a lead' })
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    assert.equal(params(page).get('create'), '1')
    await page.keyboard.type('Half a na')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal(params(page).get('create'), null)
    await untilFocused(opener, 'the focus did not come back')
    await page.keyboard.press('Enter')
    assert.equal(await inDialog(page, 'Name').inputValue(), 'Half a na')
    await dialog(page).getByRole('button', { name: 'Clear the form' }).click()
    assert.equal(await inDialog(page, 'Name').inputValue(), '')
    await untilFocused(inDialog(page, 'Name'))
  })

  test('a server that is not reached loses nothing, and the same press works later', async t => {
    const page = await portal.newPage(t, { allow: [/ERR_CONNECTION_FAILED|Failed to load/] })
    await portal.logIn(page)
    await page.goto('/leads?create=1')
    await inDialog(page, 'Name').fill('Patient Person')
    await inDialog(page, 'Email').fill('patient@example.com')
    const creating = (url: URL) => url.pathname === '/v1/api/leads'
    await page.route(creating, route =>
      route.request().method() === 'POST' ? route.abort('connectionfailed') : route.fallback(),
    )
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await dialog(page).getByRole('alert').waitFor({ timeout: 20_000 })
    assert.equal(await inDialog(page, 'Name').inputValue(), 'Patient Person')
    await page.unroute(creating)
    await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
    await heading(page, 'Patient Person').waitFor()
  })

  test('leads with the same e-mail or phone are named and linked', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page)
    await page.goto('/leads?create=1')
    await inDialog(page, 'Name').fill('G. Hopper')
    await inDialog(page, 'Email').fill('GRACE@navy.example')
    await page.keyboard.press('Enter')
    await heading(page, 'G. Hopper').waitFor()
    const note = page.getByRole('region', { name: '2 leads look the same' })
    await note.getByText('has the same email').waitFor()
    await checkBothThemes(page, 'a duplicate', 'lead-duplicate')
    await note.getByRole('link', { name: 'Grace Hopper' }).click()
    await heading(page, 'Grace Hopper').waitFor()
    assert.equal(await page.getByRole('region', { name: /duplicate/ }).count(), 0)
  })

  test('where the organization blocks duplicates the other lead is named, and one can insist', async t => {
    const page = await portal.newPage(t, { allow: [/status of 409/] })
    const { liveKey } = portal.t.main
    const block = (duplicateMode: string) =>
      portal.t.call('PATCH', '/v2/organization', { as: liveKey, body: { duplicateMode } })
    const changed = await block('block')
    assert.equal(changed.status, 200, changed.text)
    try {
      await portal.logIn(page)
      await page.goto('/leads?create=1')
      await inDialog(page, 'Name').fill('Person again')
      await inDialog(page, 'Email').fill('person1@example.com')
      await page.keyboard.press('Enter')
      await dialog(page)
        .getByRole('alert')
        .getByText(/Person 1/)
        .waitFor()
      assert.equal(await inDialog(page, 'Email').getAttribute('aria-invalid'), 'true')
      await dialog(page).getByRole('button', { name: 'Create anyway' }).click()
      await heading(page, 'Person again').waitFor()
    } finally {
      await block('warn')
    }
  })

  test('the page of a lead follows what happens to it', async t => {
    const id = await create('Changing Person', 'changing@example.com')
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: `/leads/${id}` })
    await stream
    await story(page).getByText('Lead created').waitFor()
    await screenReady(page)
    // One of them looks for duplicates.
    const { total, byRoute } = countCalls(page)
    assert.ok(total <= 6, JSON.stringify(byRoute))
    const body = { status: 'Contacted' }
    await portal.t.call('PATCH', `/v1/api/leads/${id}`, { as: portal.t.main.testKey, body })
    await story(page).getByText('Status changed from New to Contacted').waitFor()
    await steps(page).getByRole('listitem').filter({ hasText: 'Contacted' }).locator('[aria-current="step"]').waitFor()
    await page.getByRole('tab', { name: 'Developer' }).click()
    await page
      .getByRole('list', { name: /^Activity/ })
      .getByText(/Contacted/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Requests about it' }).click()
    await page.waitForURL(url => url.pathname === '/logs' && url.searchParams.get('resourceId') === `lead:${id}`)
    // What was done by the portal is about it, too.
    await page
      .getByRole('row')
      .filter({ hasText: `/v1/api/leads/${id}` })
      .first()
      .waitFor()
  })

  const entries = (page: Page) => story(page).getByRole('listitem')

  const text = (to: string, body: string) => sendText(portal.t, { to, body })

  test('the timeline of a lead holds what was exchanged with its number, and follows it', async t => {
    const phone = '+12025550142'
    const id = await create('Mary Jackson', 'mary@nasa.example', { phone })
    await text(phone, 'Shall we meet at eight?')
    const call = await portal.t.call('POST', '/v2/voice/calls', {
      as: portal.t.main.testKey,
      body: { from: '+15005550006', to: phone },
    })
    assert.ok(call.status < 300, call.text)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/leads/${id}` })
    await entries(page).nth(2).waitFor()
    assert.match(await entries(page).nth(0).innerText(), /^Call to Mary Jackson/)
    assert.match(await entries(page).nth(1).innerText(), /^Text to Mary Jackson[\s\S]*Shall we meet at eight\?/)
    assert.match(await entries(page).nth(2).innerText(), /^Lead created/)
    await checkBothThemes(page, 'the timeline of a lead', 'lead-timeline')
    await text(phone, 'Or at nine?')
    await story(page).getByText('Or at nine?').waitFor()
    assert.match(await entries(page).nth(0).innerText(), /Or at nine\?/)
    await text('+12025550143', 'For somebody else')
    const changed = await portal.t.call('PATCH', `/v1/api/leads/${id}`, {
      as: portal.t.main.testKey,
      body: { company: 'NASA' },
    })
    assert.equal(changed.status, 200)
    await story(page).getByText('Company: empty → NASA').waitFor()
    assert.equal(await story(page).getByText('For somebody else').count(), 0)
    await story(page)
      .getByRole('link', { name: /^Call to/ })
      .click()
    await page.waitForURL(/\/calls\/call_/)
  })

  test('a long timeline shows its newest first and older ones when asked, on a telephone, too', async t => {
    const phone = '+12025550144'
    const id = await create('Annie Easley', 'annie@nasa.example', { phone })
    for (let n = 1; n <= 24; n++) await text(phone, `Text ${n} ${'of many words '.repeat(5)}`)
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: `/leads/${id}` })
    await entries(page).nth(19).waitFor()
    assert.equal(await entries(page).count(), 20)
    await noHorizontalScroll(page)
    const more = page.getByRole('button', { name: 'Show older' })
    // What happens while older ones are on their way neither stops them nor is it missed.
    const go = await holdBack(page, /\/timeline\?.*cursor=/, route => route.continue().catch(() => undefined))
    await more.focus()
    await page.keyboard.press('Enter')
    await text(phone, 'Meanwhile')
    await page.waitForTimeout(1_000)
    go()
    await entries(page).nth(25).waitFor()
    assert.match(await entries(page).nth(0).innerText(), /Meanwhile/)
    assert.match(await entries(page).nth(25).innerText(), /^Lead created/)
    assert.equal(await entries(page).count(), 26)
    await more.waitFor({ state: 'detached' })
    await page.getByText('Showing all 26').waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'lead-timeline-telephone')
    await checkAccessibility(page, { name: 'a long timeline on a telephone' })
  })

  test('anyone who may not read leads is not offered them, and by address is shown why; nothing is requested', async t => {
    const id = await create('Not for finance', 'nff@example.com')
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager' })
    const links = page.getByRole('navigation', { name: 'Main' })
    await links.getByRole('link', { name: 'Invoices' }).waitFor()
    assert.equal(await links.getByRole('link', { name: 'Leads' }).count(), 0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('lead')
    const options = await offeredIn(page.getByRole('option'))
    assert.deepEqual(
      options.filter(text => /^(Page|Do)\b/.test(text)),
      [],
    )
    await page.keyboard.press('Escape')
    for (const path of ['/leads', '/leads?create=1', `/leads/${id}`]) {
      await page.goto(path)
      await page.getByRole('heading', { name: /^You don’t have access to leads/i }).waitFor()
      assert.equal(countCalls(page).byRoute['GET /v1/api/leads'], undefined)
      assert.equal(await page.getByRole('dialog').count(), 0)
    }
    await checkBothThemes(page, 'refused')
    await page.getByRole('link', { name: 'Go to home' }).click()
    await page.waitForURL(url => !url.pathname.startsWith('/leads'))
  })

  test('loading, failing and trying again', async t => {
    const page = await portal.newPage(t, { allow: [/status of 500|Failed to load/] })
    await portal.logIn(page)
    const list = (url: URL) => url.pathname === '/v1/api/leads'
    const json = { success: false, error: 'Internal Server Error', message: 'It broke.', code: 'internal_error' }
    const go = await holdBack(page, list, route => route.fulfill({ status: 500, json }))
    await goByNavigation(page, 'Leads')
    await page.getByRole('status', { name: 'Loading leads' }).waitFor()
    go()
    await page.getByRole('alert').getByText('Something went wrong on the server.').waitFor({ timeout: 20_000 })
    await page.getByRole('alert').getByRole('link', { name: 'internal_error' }).waitFor()
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).nth(1).waitFor()
  })

  test('an empty list offers the first step', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { organization: 'other', path: '/leads' })
    await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
    await page.getByRole('button', { name: 'Create a lead' }).last().click()
    await dialog(page).waitFor()
  })

  test('live and test leads are never mixed, and the page of one says in which it is', async t => {
    const id = await create('Only Live', 'live@example.com', {}, portal.t.main.liveKey)
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: `/leads/${id}` })
    await page.getByRole('heading', { name: 'This is in your live data' }).waitFor()
    await page.getByRole('button', { name: 'Switch to live mode' }).click()
    await heading(page, 'Only Live').waitFor()
    await page.getByRole('link', { name: 'All leads' }).click()
    await open(page, 'Only Live').waitFor()
    assert.equal(await rows(page).count(), 2)
  })

  test('a telephone shows list, lead and dialog without scrolling sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: '/leads?q=Grace' })
    await open(page, 'Grace Hopper').waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'leads-telephone')
    await page.goto('/leads?create=1')
    await dialog(page).waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'lead-form-telephone')
    await checkAccessibility(page, { name: 'the form of a lead on a telephone' })
  })
})
