// Lists, pages and forms that are drawn from a description, tried on companies and contacts: columns, orders, filters, keys, selection,
// inline editing with the server's faults in place, related lists, history.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  tabTo,
  untilFocused,
} from './browser.ts'

describe('records in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const ids: string[] = []
  const industries = ['Retail', 'Manufacturing', 'Services']
  before(async () => {
    for (let i = 0; i < 24; i++) {
      const name = `Company ${String(i).padStart(2, '0')}`
      const body = { name, domain: `c${i}.example`, industry: industries[i % 3], annual_revenue: { amount: 1_000 * i } }
      ids.push((await post('/v1/api/companies', body)).company.id)
    }
  })

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function post(path: string, body: object): Promise<any> {
    const answer = await portal.t.call('POST', path, { as: portal.t.main.testKey, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.json
  }

  const open = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })
  const head = (page: Page, name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
  const titles = (page: Page) => page.getByRole('link', { name: /^Open Company/ }).allInnerTexts()
  const manager = 'Sales Manager'
  const details = (page: Page) => page.getByRole('region', { name: 'Details' })

  test('columns are chosen, moved and resized, and stay so', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies' })
    await open(page, 'Company 23').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await dialog.getByLabel('Phone', { exact: true }).uncheck()
    await dialog.getByLabel('Notes', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Move Industry up' }).click()
    await checkBothThemes(page, 'columns of a list', 'columns')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const edge = page.getByRole('separator', { name: 'Width of Name' })
    const before = Number(await edge.getAttribute('aria-valuenow'))
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(Number(await edge.getAttribute('aria-valuenow')), before + 16)
    await page.reload()
    await open(page, 'Company 23').waitFor()
    const shown = await page.getByRole('columnheader').allInnerTexts()
    const names = shown.map(text => text.trim()).slice(1)
    assert.deepEqual([...names.slice(0, 3), names.at(-1)], ['Name', 'Industry', 'Domain', 'Notes'])
    assert.equal(Number(await edge.getAttribute('aria-valuenow')), before + 16)
  })

  test('several orders, filters of every kind, and the address holds them all', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies' })
    await open(page, 'Company 23').waitFor()
    await head(page, 'Industry').getByRole('button').click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'industry')
    await head(page, 'Name')
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
    await page.waitForURL(url => url.searchParams.get('sort') === 'industry,name')
    await head(page, 'Name')
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
    await page.waitForURL(url => url.searchParams.get('sort') === 'industry,-name')
    await open(page, 'Company 21').waitFor()
    await page.waitForFunction(() => document.querySelector('tbody tr a')?.textContent === 'Company 21')
    assert.deepEqual((await titles(page)).slice(0, 3), ['Company 21', 'Company 18', 'Company 15'])
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Annual revenue at least').fill('10000')
    await page.getByLabel('Annual revenue at most').fill('15000')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByText('6 of 6', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Filters (2)' }).waitFor()
    await page.getByLabel('Industry', { exact: true }).selectOption('Retail')
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    assert.deepEqual(await titles(page), ['Company 15', 'Company 12'])
  })

  test('with keys alone one walks, selects, edits and creates', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies?sort=name' })
    await open(page, 'Company 00').waitFor()
    for (const key of ['j', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await untilFocused(open(page, 'Company 02'))
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Edit Company 01' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // In another order no row is walked to: e would be the edit of another record.
    const walked = page.locator('tr[data-active]')
    assert.match(await walked.innerText(), /Company 01/)
    await head(page, 'Name').getByRole('button').click()
    await page.waitForFunction(() => document.querySelector('tbody tr a')?.textContent === 'Company 23')
    await walked.waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    assert.match(await walked.innerText(), /Company 23/)
    await page.keyboard.press('c')
    const create = page.getByRole('dialog', { name: 'Create a company' })
    await untilFocused(create.getByLabel('Name'))
    await page.keyboard.press('j')
    assert.equal(await create.getByLabel('Name').inputValue(), 'j', 'keys are text where one types')
  })

  test('those selected are changed together, and what could not be is named', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies?sort=name' })
    for (const name of ['Company 03', 'Company 04'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('button', { name: 'Change a field' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change 2 companies' })
    await dialog.getByLabel('Field').selectOption('Industry')
    await dialog.getByLabel('Industry').selectOption('Public')
    await checkBothThemes(page, 'changing many', 'bulk')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('2 companies changed.').waitFor()
    for (const at of [3, 4]) {
      const { json } = await portal.t.call('GET', `/v1/api/companies/${ids[at]}`, { as: portal.t.main.testKey })
      assert.equal(json.company.industry, 'Public')
    }
    // A company that belongs to itself is refused.
    await page.getByRole('checkbox', { name: 'Select Company 05' }).check()
    await page.getByRole('button', { name: 'Change a field' }).click()
    const one = page.getByRole('dialog', { name: 'Change 1 company' })
    await one.getByLabel('Field').selectOption('Parent')
    await one.getByRole('combobox', { name: 'Parent' }).fill('Company 05')
    await page.getByRole('option', { name: 'Company 05' }).click()
    await one.getByRole('button', { name: 'Change', exact: true }).click()
    await one.getByText(/Company 05: /).waitFor()
  })

  test('a cell is edited where it stands; what is wrong stands below it and nothing is lost', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/companies?sort=name' })
    await open(page, 'Company 06').waitFor()
    await page.getByRole('row').filter({ hasText: 'c6.example' }).hover()
    await page.getByRole('button', { name: 'Edit domain of Company 06' }).click()
    const field = page.getByRole('group', { name: 'Edit domain' }).getByRole('textbox')
    await untilFocused(field)
    await field.fill('no domain')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/internet domain/)
      .waitFor()
    assert.equal(await field.inputValue(), 'no domain')
    await checkBothThemes(page, 'a cell that is refused', 'cell-refused')
    await field.fill('https://six.example/about')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'six.example' }).waitFor()
    await page.getByRole('button', { name: 'Edit domain of Company 06' }).click()
    await field.fill('seven.example')
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'six.example' }).waitFor()
  })

  test('what others do is seen where it stands; new records wait until they are asked for', async t => {
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: '/companies?sort=name' })
    await stream
    await open(page, 'Company 07').waitFor()
    const body = { phone: '+4930555007' }
    await portal.t.call('PATCH', `/v1/api/companies/${ids[7]}`, { as: portal.t.main.testKey, body })
    await page.getByRole('cell', { name: '+49 30 555007' }).waitFor()
    await post('/v1/api/companies', { name: 'A new one' })
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    await open(page, 'A new one').waitFor()
    await page.getByRole('button', { name: /^Show 1 new/ }).waitFor({ state: 'detached' })
  })

  test('a contact with several addresses is made by the form, and stands with its company', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/companies/${ids[8]}` })
    await page.getByRole('link', { name: 'Create in contacts' }).click()
    const form = page.getByRole('dialog', { name: 'Create a contact' })
    await form.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(input => input.value === 'Company 08'),
    )
    await form.getByRole('button', { name: 'Add an email' }).click()
    await form.getByLabel('Email 1', { exact: true }).fill('no address')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await form
      .getByRole('alert')
      .getByText(/address/)
      .waitFor()
    await form.getByLabel('Email 1', { exact: true }).fill('ada@example.com')
    await form.getByRole('button', { name: 'Add an email' }).click()
    await form.getByLabel('Email 2', { exact: true }).fill('ada@home.example')
    await form.getByRole('radio', { name: 'Primary' }).nth(1).check()
    await form.getByLabel('Birthday').fill('1815-12-10')
    await checkAccessibility(page, { name: 'the form of a contact' })
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    assert.match(
      await details(page).getByRole('list').nth(1).innerText(),
      /^ada@home\.example \(primary\)\s+ada@example\.com/,
    )
    await details(page).getByRole('link', { name: 'Company 08' }).click()
    await page.getByRole('region', { name: 'Contacts (1)' }).getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  })

  test('the page edits in place, keeps history with names, and shows what the API gives', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${ids[9]}` })
    await screenReady(page)
    await tabTo(page, page.getByRole('button', { name: 'Edit owner' }))
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Owner' }).fill(manager)
    await page.getByRole('option').first().click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await details(page).getByText(manager).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    const history = page.getByRole('list', { name: /^Changes to this company/ })
    await history.getByText(/changed it/).waitFor()
    await history.getByText(manager).waitFor()
    await checkBothThemes(page, 'the history of a record', 'history')
    await page.getByRole('tab', { name: 'Developer' }).click()
    await page.getByText('"owner_id"').waitFor()
  })

  test('two who edit at once: the second is shown what came first, and loses nothing', async t => {
    const page = await portal.newPage(t, { allow: [/status of 412|Failed to load/] })
    // The stream would bring the other's change first.
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/companies/${ids[10]}` })
    await page.getByRole('button', { name: 'Edit name' }).click()
    const field = page.getByRole('group', { name: 'Edit name' }).getByRole('textbox')
    await field.fill('Second')
    const answer = await portal.t.call('PATCH', `/v1/api/companies/${ids[10]}`, {
      as: portal.t.main.testKey,
      body: { phone: '+4930555010' },
    })
    assert.equal(answer.status, 200)
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/Someone changed this in the meantime/)
      .waitFor()
    await details(page).getByText('+49 30 555010').waitFor()
    assert.equal(await field.inputValue(), 'Second')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
    const { json } = await portal.t.call('GET', `/v1/api/companies/${ids[10]}`, { as: portal.t.main.testKey })
    assert.deepEqual([json.company.name, json.company.phone], ['Second', '+4930555010'])
  })

  test('a value that another changed while it was edited is not overwritten unseen, though the page follows', async t => {
    const page = await portal.newPage(t, { allow: [/status of 412/] })
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: `/companies/${ids[16]}` })
    await stream
    await page.getByRole('button', { name: 'Edit name' }).click()
    const field = page.getByRole('group', { name: 'Edit name' }).getByRole('textbox')
    await field.fill('Mine')
    const change = (body: object) =>
      portal.t.call('PATCH', `/v1/api/companies/${ids[16]}`, { as: portal.t.main.testKey, body })
    await change({ name: 'Theirs' })
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/Someone changed this in the meantime/)
      .waitFor()
    assert.equal(await field.inputValue(), 'Mine')
    // What others change of other fields is no reason to ask.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit name' }).click()
    await field.fill('Mine')
    await change({ phone: '+4930555012' })
    await details(page).getByText('+49 30 555012').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
  })

  test('a form that meets the change of another shows it, keeps what was typed, and saves on top of it', async t => {
    const page = await portal.newPage(t, { allow: [/status of 412|ERR_FAILED|Failed to load/] })
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/companies/${ids[11]}` })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit Company 11' })
    await form.getByLabel('Name', { exact: true }).fill('Mine')
    await form.getByLabel('Domain').fill('mine.example')
    const body = { name: 'Theirs', domain: 'theirs.example', phone: '+4930555011' }
    await portal.t.call('PATCH', `/v1/api/companies/${ids[11]}`, { as: portal.t.main.testKey, body })
    await form.getByRole('button', { name: 'Save' }).click()
    const theirs = page.getByRole('dialog', { name: 'Edit Theirs' })
    const note = theirs.getByRole('alert')
    await note.getByText('Name: Theirs (before: Company 11). You typed something else.').waitFor()
    await note.getByText('Phone: +49 30 555011 (before: empty)', { exact: true }).waitFor()
    await note.getByText('Admin changed this in the meantime:').waitFor()
    await checkBothThemes(page, 'a form that met the change of another', 'form-conflict')
    assert.equal(await theirs.getByLabel('Name', { exact: true }).inputValue(), 'Mine')
    assert.equal(await theirs.getByLabel('Phone').inputValue(), '+4930555011')
    await note.getByRole('button', { name: 'Keep theirs for domain' }).click()
    assert.equal(await theirs.getByLabel('Domain').inputValue(), 'theirs.example')
    await theirs.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    const { json } = await portal.t.call('GET', `/v1/api/companies/${ids[11]}`, { as: portal.t.main.testKey })
    const { name, domain, phone } = json.company
    assert.deepEqual([name, domain, phone], ['Mine', 'theirs.example', '+4930555011'])
  })

  test('a form that is opened in a list has what the list leaves out, and follows what others do', async t => {
    const path = `/v1/api/companies/${ids[12]}`
    await portal.t.call('PATCH', path, { as: portal.t.main.testKey, body: { notes: 'A long story' } })
    const page = await portal.newPage(t)
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: '/companies?sort=name&q=Company 12' })
    await stream
    await open(page, 'Company 12').waitFor()
    for (const key of ['j', 'e']) await page.keyboard.press(key)
    const form = page.getByRole('dialog', { name: 'Edit Company 12' })
    assert.equal(await form.getByLabel('Notes').inputValue(), 'A long story')
    await form.getByLabel('Notes').fill('A longer story')
    await portal.t.call('PATCH', path, { as: portal.t.main.testKey, body: { phone: '+4930555012' } })
    await form.getByRole('alert').getByText('Phone: +49 30 555012 (before: empty)', { exact: true }).waitFor()
    assert.equal(await form.getByLabel('Phone').inputValue(), '+4930555012')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Company 12 was saved.').waitFor()
    const { json } = await portal.t.call('GET', path, { as: portal.t.main.testKey })
    assert.deepEqual([json.company.notes, json.company.phone], ['A longer story', '+4930555012'])
  })

  test('who may only read is offered nothing that changes', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager', path: '/companies' })
    await open(page, 'Company 23').waitFor()
    for (const name of ['Create a company', 'Trash']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /^Edit / }).count(), 0)
    await open(page, 'Company 23').click()
    await details(page).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Edit|Delete)/ }).count(), 0)
    assert.equal(await page.getByRole('link', { name: /^Create in/ }).count(), 0)
  })

  test('on a telephone nothing scrolls sideways but the table', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: '/companies' })
    await open(page, 'Company 23').waitFor()
    await noHorizontalScroll(page)
    await page.goto(`/companies/${ids[1]}`)
    await details(page).waitFor()
    await noHorizontalScroll(page)
    await page.goto('/contacts?create=1')
    await page.getByRole('button', { name: 'Add an address' }).click()
    await noHorizontalScroll(page)
    await checkAccessibility(page, { name: 'the form of a contact on a telephone' })
  })
})
