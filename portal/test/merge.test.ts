// Duplicates in the portal: found on a record's page, compared side by side, merged with chosen values, and followed to the one that stays.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests } from './browser.ts'

describe('merging records in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function post(path: string, body: object): Promise<any> {
    const answer = await portal.t.call('POST', `/v1/api${path}`, { as: portal.t.main.testKey, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.json
  }
  const company = async (body: object): Promise<string> => (await post('/companies', body)).company.id
  const contact = async (body: object): Promise<string> => (await post('/contacts', body)).contact.id
  const read = async (path: string) =>
    (await portal.t.call('GET', `/v1/api${path}`, { as: portal.t.main.testKey })).json

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const row = (page: Page, name: string) => page.getByRole('dialog').getByRole('row').filter({ hasText: name })
  const idInAddress = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)

  test('those selected are compared, and one is made of them with the values that were chosen', async t => {
    const stays = await company({ name: 'Globex', domain: 'globex.example', industry: 'Retail', notes: 'The first.' })
    const goes = await company({
      name: 'Globex Corp',
      domain: 'globex.example',
      industry: 'Services',
      phone: '+4930555200',
    })
    await post('/notes', { record_id: goes, body: 'Wants a call in May.' })
    const person = await contact({ name: 'Hank Scorpio', companies: [{ value: goes }] })
    // A browser's console reports that what has gone is not there.
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: '/companies?q=globex&sort=name' })
    for (const name of ['Globex', 'Globex Corp'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge 2 companies' })
    await dialog.getByRole('radio', { name: 'Globex: keep this one', exact: true }).waitFor()
    assert.ok(
      await dialog.getByRole('radio', { name: 'Globex: keep this one', exact: true }).isChecked(),
      'the older one',
    )
    // What is empty is filled, what differs is that of the one that stays, and what is the same is folded.
    assert.ok(await dialog.getByRole('radio', { name: /^Phone of Globex Corp: \+49[ 0-9]+/ }).isChecked())
    assert.ok(await dialog.getByRole('radio', { name: 'Industry of Globex: Retail' }).isChecked())
    assert.equal(await row(page, 'Domain').count(), 0)
    await dialog.getByRole('button', { name: /fields are the same$/ }).click()
    await row(page, 'Domain').getByText('globex.example').waitFor()
    await checkBothThemes(page, 'records side by side', 'merge')
    await dialog.getByRole('radio', { name: 'Industry of Globex Corp: Services' }).check()
    await dialog.getByText(/Notes, tasks, files and tags of the other come along/).waitFor()
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await heading(page, 'Globex').waitFor()
    assert.equal(idInAddress(page), stays)
    const merged = (await read(`/companies/${stays}`)).company
    assert.deepEqual([merged.industry, merged.phone, merged.notes], ['Services', '+4930555200', 'The first.'])
    assert.equal((await read(`/contacts/${person}`)).contact.companies[0].value, stays)
    assert.equal((await read(`/notes?record_id=${stays}`)).notes.length, 1)
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText(/merged Globex Corp into it/).waitFor()
    // The address of the one that went leads to the one that stays.
    await page.goto(`/companies/${goes}`)
    await heading(page, 'Globex').waitFor()
    await page.waitForURL(url => url.pathname === `/companies/${stays}`)
    await page.getByText('That company was merged into this one.').waitFor()
  })

  test('a page says which records look the same; one is left out, and lists have the entries of all', async t => {
    const entry = (value: string) => ({ value, label: 'work' })
    const stays = await contact({ name: 'Ada L.', emails: [entry('ada@example.com')] })
    const goes = await contact({
      name: 'Ada Lovelace',
      emails: [entry('ADA@example.com'), entry('lovelace@example.com')],
      job_title: 'Engineer',
    })
    const other = await contact({ name: 'Countess', emails: [entry('ada@example.com')] })
    // What has gone may be asked for once more, by what the stream reports of it.
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: `/contacts/${goes}` })
    const note = page.getByRole('region', { name: '3 contacts look the same' })
    await note.getByText('Ada L. has one of the same emails.').waitFor()
    await checkBothThemes(page, 'a record with duplicates', 'duplicates')
    await note.getByRole('button', { name: 'Compare and merge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge 3 contacts' })
    await dialog.getByRole('button', { name: 'Leave Countess out' }).click()
    await page.getByRole('dialog', { name: 'Merge 2 contacts' }).waitFor()
    assert.ok(
      await page.getByRole('radio', { name: 'Ada Lovelace: keep this one', exact: true }).isChecked(),
      'that of the page',
    )
    await row(page, 'Emails').getByText('all 2 are kept').waitFor()
    await page.getByRole('radio', { name: 'Ada L.: keep this one', exact: true }).check()
    await page.getByRole('dialog').getByRole('radio', { name: 'Name of Ada Lovelace: Ada Lovelace' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
    await page.waitForURL(url => url.pathname === `/contacts/${stays}`)
    await heading(page, 'Ada Lovelace').waitFor()
    const merged = (await read(`/contacts/${stays}`)).contact
    assert.equal(merged.job_title, 'Engineer')
    assert.deepEqual(
      merged.emails.map(({ value }: { value: string }) => value),
      ['ada@example.com', 'lovelace@example.com'],
    )
    assert.equal((await read(`/contacts/${other}`)).contact.name, 'Countess')
    await page.getByRole('region', { name: '2 contacts look the same' }).waitFor()
  })

  test('who may not delete sees duplicates, and is offered no merge', async t => {
    const [one] = [await company({ name: 'Initrode' }), await company({ name: 'Initrode' })]
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Executive', path: `/companies/${one}` })
    await page.getByRole('region', { name: '2 companies look the same' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Compare and merge' }).count(), 0)
    await page.goto('/companies?q=initrode')
    const boxes = page.getByRole('checkbox', { name: 'Select Initrode' })
    await boxes.first().check()
    await boxes.nth(1).check()
    await page.getByText('2 selected').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Merge', exact: true }).count(), 0)
  })

  test('leads, whose ids are numbers, become one with the status that is chosen, and its reason', async t => {
    const lead = async (body: object): Promise<number> => (await post('/leads', body)).lead.id
    const phone = '+4930555400'
    const stays = await lead({ name: 'Ripley', phone, priority: 'Hot' })
    const goes = await lead({ name: 'Ellen Ripley', phone, email: 'ripley@example.com' })
    const lost = { status: 'Unqualified', lost_reason: 'No budget.' }
    await portal.t.call('PATCH', `/v1/api/leads/${goes}`, { as: portal.t.main.testKey, body: lost })
    await post('/notes', { record_id: `lead:${goes}`, body: 'Call in May.' })
    // A browser's console reports that what has gone is not there.
    const page = await portal.newPage(t, { allow: [/status of 404/] })
    await portal.logIn(page, { path: `/leads/${stays}` })
    const note = page.getByRole('region', { name: '2 leads look the same' })
    await note.getByText('Ellen Ripley has the same phone.').waitFor()
    await note.getByRole('button', { name: 'Compare and merge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge 2 leads' })
    await dialog.getByRole('radio', { name: 'Name of Ellen Ripley: Ellen Ripley' }).check()
    assert.ok(await dialog.getByRole('radio', { name: 'Status of Ripley: New' }).isChecked())
    assert.equal(await row(page, 'Given up because').count(), 0, 'the reason goes with the status')
    await checkBothThemes(page, 'leads side by side', 'merge-leads')
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await heading(page, 'Ellen Ripley').waitFor()
    assert.equal(idInAddress(page), String(stays))
    const merged = (await read(`/leads/${stays}`)).lead
    assert.deepEqual(
      [merged.status, merged.lost_reason, merged.email, merged.priority],
      ['New', null, 'ripley@example.com', 'Hot'],
    )
    assert.equal((await read(`/notes?record_id=lead:${stays}`)).notes.length, 1)
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText(/merged Ellen Ripley into it/).waitFor()
    await page.goto(`/leads/${goes}`)
    await heading(page, 'Ellen Ripley').waitFor()
    await page.waitForURL(url => url.pathname === `/leads/${stays}`)
    await page.getByText('That lead was merged into this one.').waitFor()
  })

  test('more than can be merged at once are offered no merge', async t => {
    for (let n = 0; n < 22; n++) await company({ name: `Many ${n}` })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies?name[begins]=Many' })
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
    await page.getByText('22 selected').waitFor()
    const merge = page.getByRole('button', { name: 'Merge', exact: true })
    assert.equal(await merge.count(), 0)
    await page.getByRole('checkbox', { name: 'Select Many 7' }).uncheck()
    await page.getByText('21 selected').waitFor()
    await merge.waitFor()
  })

  test('on a telephone only the records side by side scroll sideways', async t => {
    const one = await company({ name: 'Small', phone: '+4930555300', industry: 'Public' })
    await company({ name: 'small', phone: '+4930555300' })
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: `/companies/${one}` })
    await page.getByRole('button', { name: 'Compare and merge' }).click()
    await page.getByRole('radio', { name: 'Small: keep this one', exact: true }).waitFor()
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'records side by side on a telephone', 'merge-narrow')
  })
})
