// Files that are imported in the portal: from the file by its columns and a check of all rows to the records, and back by an undo; what
// is wrong with files and rows, in words; changes of many, which are undone too.
// test: programs
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  holdBack,
  noHorizontalScroll,
  portalForTests,
} from './browser.ts'

describe('imports in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  const file = (text: string | Buffer, name = 'customers.csv') => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.isBuffer(text) ? text : Buffer.from(text),
  })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const becomes = (page: Page, column: string) => page.getByLabel(`Field for the column ${column}`, { exact: true })
  const outcome = (page: Page) => page.getByRole('list', { name: /^Result of the/ })
  const open = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })

  /** Resolves when the server has kept what was chosen. */
  const kept = (page: Page) => page.waitForResponse(answer => answer.request().method() === 'PATCH' && answer.ok())

  async function send(
    page: Page,
    text: string | Buffer,
    noun = 'companies',
    role: 'Admin' | 'Sales Executive' = 'Admin',
  ) {
    await portal.logIn(page, { path: `/${noun}?import=1`, dialog: true, role })
    await page.getByLabel('File to import').setInputFiles(file(text))
    await heading(page, `Import ${noun}`).waitFor()
  }

  async function check(page: Page): Promise<string[]> {
    await page.getByRole('button', { name: 'Check the file' }).click()
    await outcome(page).waitFor()
    return outcome(page).getByRole('listitem').allInnerTexts()
  }

  async function run(page: Page): Promise<string[]> {
    await page.getByRole('button', { name: /^Import [\d,]+ rows?$/ }).click()
    await page.getByRole('heading', { name: 'Import complete' }).waitFor()
    return outcome(page).getByRole('listitem').allInnerTexts()
  }

  async function total(query: string): Promise<number> {
    const { json, text } = await portal.t.call('GET', `/v1/api/companies?limit=1&${query}`, {
      as: portal.t.main.testKey,
    })
    return json.pagination?.totalCount ?? assert.fail(text)
  }

  test('a file becomes companies by its columns, after a check, and an undo takes them away', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies' })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('dialog', { name: 'Import companies' }).waitFor()
    await checkBothThemes(page, 'choosing a file', 'import-start')
    const csv =
      'Firma;Website;Branche;Telefon\nÄpfel;apples.example;Retail;+4930555001\nBirnen;;Robots;\nKirschen;;Services;\n'
    const chooser = page.waitForEvent('filechooser')
    const zone = page.getByRole('button', { name: /^Choose a CSV file, or drop it here/ })
    await zone.focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(file(csv, 'fruit.csv'))
    await heading(page, 'Import companies').waitFor()
    assert.equal(await page.getByLabel('Separator').inputValue(), 'semicolon')
    await page.getByRole('definition').filter({ hasText: /^3$/ }).waitFor()
    await page.getByRole('region', { name: 'The first rows of the file' }).getByText('Kirschen').waitFor()
    // What every company needs is named, and the check is not offered before.
    assert.deepEqual(
      [await becomes(page, 'Website').inputValue(), await becomes(page, 'Telefon').inputValue()],
      ['domain', 'phone'],
    )
    await page.getByText(/^Company needs Name/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Check the file' }).count(), 0)
    const first = kept(page)
    await becomes(page, 'Firma').selectOption('Name')
    await first
    const second = kept(page)
    await becomes(page, 'Branche').selectOption('Industry')
    await second
    await page.reload()
    await heading(page, 'Import companies').waitFor()
    assert.equal(await becomes(page, 'Branche').inputValue(), 'industry', 'what was chosen is there after a reload')
    assert.deepEqual(await check(page), ['2 companies would be created.', '1 row has errors and would be left out.'])
    const refused = page.getByRole('region', { name: 'Rows with errors' })
    await refused.getByRole('row', { name: /^3 Branche must be one of: Retail/ }).waitFor()
    await checkBothThemes(page, 'a checked import', 'import-checked')
    assert.equal(await total('q=apples'), 0, 'a check writes nothing')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rows with errors' }).click()
    const lines = await readFile((await (await download).path()) as string, 'utf8')
    assert.match(lines, /^\ufeffFirma,Website,/)
    assert.match(lines, /^Birnen,,Robots,,3,"Branche: must/m)
    assert.deepEqual(await run(page), ['2 companies were created.', '1 row had errors and was left out.'])
    await checkBothThemes(page, 'an import that is done', 'import-done')
    await page.getByRole('link', { name: 'Show imported companies' }).click()
    await open(page, 'Äpfel').waitFor()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Undo this import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
    await dialog.getByText(/^2 companies created by this import go to the trash/).waitFor()
    await dialog.getByText(/^Records that somebody changed since/).waitFor()
    await checkBothThemes(page, 'the undo of an import', 'import-undo')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 of 2 companies restored.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo this import' }).count(), 0, 'it is undone once')
    await page.goto('/companies')
    await page.getByText('No companies yet').waitFor()
  })

  test('a file becomes leads, whose ids are numbers, and an undo names the one that it keeps', async t => {
    const as = portal.t.main.testKey
    const page = await portal.newPage(t)
    await send(page, 'Name,E-mail,Status,Given up because\nKane,kane@example.com,Qualified,\nDallas,,,\n', 'leads')
    assert.deepEqual(await check(page), ['1 lead would be created.', '1 row has errors and would be left out.'])
    assert.deepEqual(await run(page), ['1 lead was created.', '1 row had errors and was left out.'])
    const imported = page.url()
    await page.getByRole('link', { name: 'Show imported leads' }).click()
    await page.waitForURL(url => url.pathname === '/leads' && url.searchParams.has('batch_id'))
    await open(page, 'Kane').click()
    await heading(page, 'Kane').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText(/created it · through an import$/).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const { json } = await portal.t.call('GET', `/v1/api/leads/${id}`, { as })
    assert.equal(json.lead.status, 'Qualified', 'a file says how far one has come')
    const changed = await portal.t.call('PATCH', `/v1/api/leads/${id}`, { as, body: { source: 'fair' } })
    assert.equal(changed.status, 200, changed.text)
    await page.goto(imported)
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    const stayed = page.getByRole('table', { name: 'Records that stayed as they were' })
    const link = stayed.getByRole('link', { name: 'Kane' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), `/leads/${id}`)
  })

  test('files that cannot be read are refused in words, and another one is taken', async t => {
    const page = await portal.newPage(t, { allow: [/status of 422/] })
    await portal.logIn(page, { path: '/companies?import=1', dialog: true })
    const input = page.getByLabel('File to import')
    const alert = page.getByRole('alert')
    await input.setInputFiles(file(''))
    await alert.getByText(/customers\.csv is empty/).waitFor()
    await input.setInputFiles(file(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 1]), 'book.xlsx'))
    await alert.getByText(/no columns that could be read/).waitFor()
    await checkBothThemes(page, 'a file that is refused', 'import-refused')
    // A dialog that is closed takes nobody away when its file has arrived.
    const release = await holdBack(page, '**/v1/api/imports?**', route => route.continue().catch(() => undefined))
    await input.setInputFiles(file('Name\nReadable\n'))
    await page
      .getByText(/^Uploading customers\.csv/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    release()
    await page.unroute('**/v1/api/imports?**')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['Name\nDropped\n'], 'dropped.csv', { type: 'text/csv' }))
      return data
    })
    await page.getByRole('button', { name: /^Choose a CSV file/ }).dispatchEvent('drop', { dataTransfer: dropped })
    await heading(page, 'Import companies').waitFor()
    await page.getByText(/^dropped\.csv, uploaded by/).waitFor()
  })

  test('a file is read again by another encoding; a field is given once; what a server refuses is kept here', async t => {
    const page = await portal.newPage(t, { allow: [/status of 503|Failed to load/] })
    await send(page, Buffer.from('Name;Other;Web\nM\xfcller;Z;mueller.example\n', 'latin1'))
    const rows = page.getByRole('region', { name: 'The first rows of the file' })
    await rows.getByText('Müller').waitFor()
    const wrong = kept(page)
    await page.getByLabel('Encoding').selectOption('UTF-8')
    await wrong
    await rows.getByText('M\ufffdller').waitFor()
    const right = kept(page)
    await page.getByLabel('Encoding').selectOption('Windows-1252 (Western Europe)')
    await right
    await rows.getByText('Müller').waitFor()
    await page.route('**/v1/api/imports/*', route =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 503, json: { success: false, code: 'unavailable', message: 'Out of order.' } })
        : route.continue(),
    )
    await becomes(page, 'Other').selectOption('Notes')
    await page
      .getByRole('alert')
      .getByText(/server is busy/)
      .waitFor()
    assert.equal(await becomes(page, 'Other').inputValue(), 'notes', 'the choice is not lost')
    await page.unroute('**/v1/api/imports/*')
    const again = kept(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await again
    await becomes(page, 'Other').selectOption('Domain')
    await page.getByRole('alert').getByText('Domain is already filled by the column “Other”').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Check the file' }).count(), 0)
    await checkBothThemes(page, 'two columns of one field', 'import-twice')
    await becomes(page, 'Other').selectOption('Don’t import')
    assert.deepEqual(await check(page), ['1 company would be created.'])
  })

  test('duplicates are updated as one says, and the undo gives them their values back', async t => {
    const made = await portal.t.call('POST', '/v1/api/companies', {
      as: portal.t.main.testKey,
      body: { name: 'There', domain: 'there.example', industry: 'Public' },
    })
    const page = await portal.newPage(t)
    await send(page, 'Name,Domain,Industry\nThere,there.example,Retail\nNew,new.example,\n')
    assert.deepEqual(await check(page), ['1 company would be created.', '1 row would be skipped as a duplicate.'])
    await page.getByLabel('When a row matches an existing record').selectOption('Update the record')
    assert.deepEqual(await check(page), ['1 company would be created.', '1 company would be updated.'])
    await run(page)
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByText('1 company updated by this import gets its previous values back').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 of 2 companies restored.').waitFor()
    const { json } = await portal.t.call('GET', `/v1/api/companies/${made.json.company.id}`, {
      as: portal.t.main.testKey,
    })
    assert.equal(json.company.industry, 'Public')
  })

  test('an import goes on without its page, and is found again', async t => {
    const page = await portal.newPage(t)
    const rows = Array.from({ length: 2_500 }, (_, n) => `Many ${n},many${n}.example`)
    await send(page, ['Name,Domain', ...rows].join('\n'))
    assert.deepEqual(await check(page), ['2,500 companies would be created.'])
    const begun = page.waitForResponse(answer => answer.url().endsWith('/run') && answer.ok())
    await page.getByRole('button', { name: 'Import 2,500 rows' }).click()
    await begun
    await page.goto('/imports?noun=companies')
    const newest = page.getByRole('row').filter({ hasText: 'Import of customers.csv' }).first()
    await newest.getByText('completed').waitFor()
    await checkBothThemes(page, 'imports and changes', 'imports')
    await newest.getByRole('link').click()
    await heading(page, 'Import of companies').waitFor()
    assert.deepEqual(await outcome(page).getByRole('listitem').allInnerTexts(), ['2,500 companies were created.'])
    assert.equal(await total('q=Many&name[begins]=Many'), 1_000, 'as many as a search counts')
  })

  test('a draft is discarded; a file that breaks later fails with the place', async t => {
    const page = await portal.newPage(t)
    await send(page, 'Name\nDiscarded\n')
    await page.getByRole('button', { name: 'Discard' }).click()
    await heading(page, 'This import was discarded').waitFor()
    await send(page, `Name\n${'Long name\n'.repeat(10_000)}"never closed\n`)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page
      .getByRole('alert')
      .getByText(/cannot be read to its end/)
      .waitFor()
    await page.getByRole('link', { name: 'Import another file' }).click()
    await page.getByRole('dialog', { name: 'Import companies' }).waitFor()
  })

  test('a change of many is undone by its notice, and by the page of changes', async t => {
    for (const name of ['Bulk one', 'Bulk two'])
      await portal.t.call('POST', '/v1/api/companies', {
        as: portal.t.main.testKey,
        body: { name, industry: 'Public' },
      })
    const page = await portal.newPage(t)
    const industries = async (industry: string) => total(`name[begins]=Bulk&industry=${industry}`)
    const change = async () => {
      await portal.logIn(page, { path: '/companies?name[begins]=Bulk' })
      for (const name of ['Bulk one', 'Bulk two']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await page.getByRole('button', { name: 'Change a field' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change 2 companies' })
      await dialog.getByLabel('Field').selectOption('Industry')
      await dialog.getByLabel('Industry').selectOption('Retail')
      await dialog.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByText('2 companies changed.').waitFor()
    }
    await change()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: 2 companies restored.').waitFor()
    assert.equal(await industries('Public'), 2)
    await change()
    assert.equal(await industries('Retail'), 2)
    await page.goto('/imports')
    await page.getByRole('button', { name: 'Undo: Changed: Industry' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^2 companies get their previous values back/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page
      .getByRole('row', { name: /Changed: Industry.* undone/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Undo', exact: true }).first().click()
    await heading(page, 'Undo in companies').waitFor()
    await page.getByText('2 of 2 companies restored.').waitFor()
    await checkBothThemes(page, 'an undo', 'undo')
    assert.equal(await industries('Public'), 2)
  })

  test('nobody is offered what they may not do', async t => {
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { role: 'Finance Manager', path: '/companies?import=1' })
    await reader.getByRole('button', { name: 'Export' }).waitFor()
    assert.equal(await reader.getByRole('button', { name: 'Import', exact: true }).count(), 0)
    assert.equal(await reader.getByRole('dialog').count(), 0)
    // A Sales Executive creates companies, and deletes none.
    const page = await portal.newPage(t)
    await send(page, 'Name\nOf an executive\n', 'companies', 'Sales Executive')
    await check(page)
    await run(page)
    assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0)
  })

  test('on a telephone a file of contacts is mapped and checked', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await send(page, 'First name,Last name,E-mail,Birthday\nAda,Lovelace,ada@example.com,10.12.1815\n', 'contacts')
    assert.equal(await page.getByLabel('Dates such as 03/04/2026').count(), 1)
    await noHorizontalScroll(page)
    await checkAccessibility(page, { name: 'a draft on a telephone' })
    assert.deepEqual(await check(page), ['1 contact would be created.'])
    await noHorizontalScroll(page)
    await checkAccessibility(page, { name: 'a checked import on a telephone' })
  })
})
