// What is put on records in the portal: notes, tasks, files and tags; saved views of a list, and its export.
// test: programs
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, untilFocused } from './browser.ts'

describe('what is put on records in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let company: string
  before(async () => {
    for (const [name, industry] of [
      ['Northwind', 'Retail'],
      ['Tyrell', 'Manufacturing'],
      ['Initech', 'Services'],
    ]) {
      const made = await portal.t.call('POST', '/v1/api/companies', {
        as: portal.t.main.testKey,
        body: { name, industry },
      })
      assert.equal(made.status, 201, made.text)
      company = made.json.company.id
    }
  })

  const open = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })
  const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })

  test('a note is written, pinned, changed, deleted and brought back', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: `/companies/${company}?tab=notes` })
    await page.getByText('No notes yet.').waitFor()
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('New note').fill('Asked for a second quote.')
    await page.getByRole('button', { name: 'Add the note' }).click()
    const notes = list(page, 'Notes')
    await notes.getByText('Asked for a second quote.').waitFor()
    assert.equal(await page.getByLabel('New note').inputValue(), '')
    await notes.getByRole('button', { name: 'Pin the note' }).click()
    await notes.getByText(/^Pinned, /).waitFor()
    await notes.getByRole('button', { name: 'Edit the note' }).click()
    await notes.getByLabel('Text of the note').fill('Asked for a third quote.')
    await notes.getByRole('button', { name: 'Save' }).click()
    await notes.getByText('Asked for a third quote.').waitFor()
    await checkBothThemes(page, 'notes of a record', 'notes')
    await notes.getByRole('button', { name: 'Delete the note' }).click()
    await page.getByText('No notes yet.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await notes.getByText('Asked for a third quote.').waitFor()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await list(page, 'Timeline of this company, newest first').getByText('Asked for a third quote.').waitFor()
  })

  test('what is to be done and what is pinned stand above what is over, however much of that there is', async t => {
    const as = portal.t.main.testKey
    const make = async (path: string, body: object) => {
      const { status, json, text } = await portal.t.call('POST', `/v1/api/${path}`, { as, body })
      assert.equal(status, 201, text)
      return json
    }
    const { company: made } = await make('companies', { name: 'Long Known' })
    const of = { record_id: made.id }
    for (let n = 1; n <= 8; n++) {
      const { task } = await make('tasks', { ...of, title: `Over ${n}`, due_on: `2020-01-0${n}` })
      await portal.t.call('PATCH', `/v1/api/tasks/${task.id}`, { as, body: { status: 'done' } })
    }
    await make('tasks', { ...of, title: 'Still to do' })
    await make('notes', { ...of, body: 'Pinned long ago.', is_pinned: true })
    for (let n = 1; n <= 22; n++) await make('notes', { ...of, body: `Note ${n}.` })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${made.id}?tab=notes` })
    const tasks = list(page, 'Tasks').getByRole('listitem')
    await page.getByRole('button', { name: 'Show 3 more' }).waitFor()
    assert.equal(await tasks.count(), 6)
    assert.match(await tasks.first().innerText(), /Still to do/)
    await page.getByRole('button', { name: 'Show 3 more' }).click()
    await tasks.nth(8).waitFor()
    const notes = list(page, 'Notes').getByRole('listitem')
    await page.getByRole('button', { name: 'Show 2 more' }).waitFor()
    assert.equal(await notes.count(), 21)
    assert.match(await notes.first().innerText(), /Pinned long ago/)
    assert.match(await notes.nth(1).innerText(), /Note 22\./)
    await page.getByRole('button', { name: 'Show 2 more' }).click()
    await notes.nth(22).waitFor()
  })

  test('a note that somebody else changed while it is edited is not overwritten unread', async t => {
    const as = portal.t.main.testKey
    const { json } = await portal.t.call('POST', '/v1/api/companies', { as, body: { name: 'Two Writers' } })
    const record = json.company.id
    const made = await portal.t.call('POST', '/v1/api/notes', { as, body: { record_id: record, body: 'First.' } })
    const path = `/v1/api/notes/${made.json.note.id}`
    const textNow = async () => (await portal.t.call('GET', path, { as })).json.note.body
    const page = await portal.newPage(t, { allow: [/status of 412/] })
    await portal.logIn(page, { path: `/companies/${record}?tab=notes` })
    const notes = list(page, 'Notes')
    await notes.getByRole('button', { name: 'Edit the note' }).click()
    await notes.getByLabel('Text of the note').fill('Mine.')
    const read = page.waitForResponse(
      response => response.request().method() === 'GET' && new URL(response.url()).pathname === '/v1/api/notes',
    )
    assert.equal((await portal.t.call('PATCH', path, { as, body: { body: 'Theirs.' } })).status, 200)
    await read
    await notes.getByRole('button', { name: 'Save' }).click()
    await notes.getByText('It says: Theirs.').waitFor()
    assert.equal(await textNow(), 'Theirs.')
    assert.equal(await notes.getByLabel('Text of the note').inputValue(), 'Mine.')
    await notes.getByRole('button', { name: 'Save' }).click()
    // The field is gone once the answer has come.
    await notes.getByLabel('Text of the note').waitFor({ state: 'detached' })
    await notes.getByText('Mine.', { exact: true }).waitFor()
    assert.equal(await textNow(), 'Mine.')
  })

  test('a note whose answer is lost is written once, and what is typed meanwhile stays', async t => {
    const as = portal.t.main.testKey
    const { json } = await portal.t.call('POST', '/v1/api/companies', { as, body: { name: 'Lost Answers' } })
    const record = json.company.id
    const page = await portal.newPage(t, { allow: [/ERR_FAILED|Failed to load/] })
    let lost = 0
    let hold = Promise.resolve()
    await page.route('**/v1/api/notes', async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      const response = await route.fetch()
      // The SDK tries three times by itself.
      if (lost++ < 3) return route.abort()
      await hold
      return route.fulfill({ response })
    })
    await portal.logIn(page, { path: `/companies/${record}?tab=notes` })
    const field = page.getByLabel('New note')
    await field.fill('Called twice.')
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.reload()
    assert.equal(await field.inputValue(), 'Called twice.', 'it outlives a reload')
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    const answered = page.waitForRequest(request => request.method() === 'POST' && /api\/notes$/.test(request.url()))
    await page.getByRole('button', { name: 'Add the note' }).click()
    await answered
    await field.fill('And a third time')
    resolve()
    await list(page, 'Notes').getByText('Called twice.').waitFor()
    assert.equal(await list(page, 'Notes').getByRole('listitem').count(), 1)
    assert.equal(await field.inputValue(), 'And a third time')
  })

  test('what is refused is said, and what is there is read again', async t => {
    const as = portal.t.main.testKey
    const body = { record_id: company, body: 'Soon gone' }
    const { json } = await portal.t.call('POST', '/v1/api/notes', { as, body })
    const page = await portal.newPage(t, { allow: [/status of 404|ERR_FAILED|Failed to load/] })
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/companies/${company}?tab=notes` })
    const note = list(page, 'Notes').getByRole('listitem').filter({ hasText: 'Soon gone' })
    await note.waitFor()
    await portal.t.call('DELETE', `/v1/api/notes/${json.note.id}`, { as })
    await note.getByRole('button', { name: 'Pin the note' }).click()
    await note.waitFor({ state: 'detached' })
  })

  test('the timeline names people and records, not their numbers', async t => {
    const as = portal.t.main.testKey
    const parent = await portal.t.call('POST', '/v1/api/companies', { as, body: { name: 'Umbrella' } })
    const set = { owner_id: portal.t.main.users['Sales Manager'].id, parent_id: parent.json.company.id }
    await portal.t.call('PATCH', `/v1/api/companies/${company}`, { as, body: set })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${company}` })
    const timeline = list(page, 'Timeline of this company, newest first')
    await timeline.getByText('Owner: empty → Sales Manager', { exact: true }).waitFor()
    await timeline.getByText('Parent: empty → Umbrella', { exact: true }).waitFor()
  })

  test('a task is added, completed and opened again', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${company}?tab=notes` })
    await page.getByLabel('New task').fill('Send the quote')
    await page.getByLabel('Due').fill('2020-01-31')
    await page.getByRole('button', { name: 'Add the task' }).click()
    const tasks = list(page, 'Tasks')
    await tasks.getByText('Overdue').waitFor()
    await tasks.getByRole('checkbox', { name: 'Send the quote' }).click()
    await tasks.getByText('Overdue').waitFor({ state: 'detached' })
    assert.ok(await tasks.getByRole('checkbox', { name: 'Send the quote' }).isChecked())
    await tasks.getByRole('checkbox', { name: 'Send the quote' }).click()
    await tasks.getByText('Overdue').waitFor()
  })

  test('a file is put there, downloaded as it was, and deleted; of many, older ones come on a press', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${company}?tab=notes` })
    await page.getByText('No files yet.').waitFor()
    // A browser in a locale without UTF-8 takes no other names than ASCII.
    const bytes = Buffer.from('%PDF-1.7 an offer')
    const add = page.getByLabel('Files to add')
    await add.setInputFiles({ name: 'second offer.pdf', mimeType: 'application/pdf', buffer: bytes })
    await list(page, 'Files').getByText('second offer.pdf').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download second offer.pdf' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'second offer.pdf')
    assert.deepEqual(await readFile((await file.path()) as string), bytes)
    await page.getByRole('button', { name: 'Delete second offer.pdf' }).click()
    await page.getByText('No files yet.').waitFor()
    const text = { mimeType: 'text/plain', buffer: Buffer.from('text') }
    await add.setInputFiles(Array.from({ length: 22 }, (_, n) => ({ name: `${n}.txt`, ...text })))
    await page.getByRole('button', { name: 'Show 2 more files' }).click()
    await list(page, 'Files').getByRole('listitem').nth(21).waitFor()
  })

  test('tags are created by typing, put on and taken off', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/companies/${company}` })
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByRole('combobox', { name: 'Add a tag' }).fill('Key account')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the tag Key account' }).waitFor()
    await checkBothThemes(page, 'tags of a record', 'tags')
    await page.getByRole('button', { name: 'Remove the tag Key account' }).click()
    await page.getByRole('button', { name: 'Remove the tag Key account' }).waitFor({ state: 'detached' })
  })

  test('a tag that is typed before the list of tags has come is the one of that name', async t => {
    const made = await portal.t.call('POST', '/v1/api/tags', {
      as: portal.t.main.testKey,
      body: { name: 'Typed early' },
    })
    assert.equal(made.status, 201, made.text)
    const page = await portal.newPage(t)
    const held = Promise.withResolvers<void>()
    await page.route(/\/v1\/api\/tags\?/, async route => {
      await held.promise
      await route.continue()
    })
    await portal.logIn(page, { path: `/companies/${company}` })
    const field = page.getByRole('combobox', { name: 'Add a tag' })
    const taken = page.getByRole('button', { name: 'Remove the tag Typed early' })
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await field.fill('typed EARLY')
    await page.getByText('Loading…').waitFor()
    await page.keyboard.press('Enter')
    held.resolve()
    await taken.waitFor()
    const { json } = await portal.t.call('GET', '/v1/api/tags?q=typed', { as: portal.t.main.testKey })
    assert.equal(json.tags.length, 1)
  })

  const bulkTags = async (page: Page, names: readonly string[]) => {
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    return page.getByRole('dialog', { name: /^Tags of / })
  }
  const cell = (page: Page, record: string, text: string) =>
    page.getByRole('row').filter({ hasText: record }).getByText(text, { exact: true })

  test('tags stand in a column, are put on many and taken off, and the list is filtered by them', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies?sort=name' })
    await open(page, 'Tyrell').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    const dialog = await bulkTags(page, ['Northwind', 'Tyrell'])
    for (const name of ['Partner', 'Fair 2026']) {
      await dialog.getByRole('combobox', { name: 'Add tags' }).fill(name)
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: `Leave ${name} out` }).waitFor()
    }
    await untilFocused(dialog.getByRole('combobox', { name: 'Add tags' }))
    await checkBothThemes(page, 'tags of many records', 'tags-many')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Tags of 2 companies changed.').waitFor()
    await cell(page, 'Tyrell', 'Partner').waitFor()
    const second = await bulkTags(page, ['Tyrell'])
    await second.getByRole('combobox', { name: 'Remove tags' }).fill('Partner')
    await page.keyboard.press('Enter')
    await second.getByRole('button', { name: 'Save' }).click()
    await cell(page, 'Tyrell', 'Partner').waitFor({ state: 'detached' })
    await cell(page, 'Tyrell', 'Fair 2026').waitFor()
    // Any of, all of, none of them.
    await page.getByRole('button', { name: 'Filters' }).click()
    const drawer = page.getByRole('dialog', { name: 'Filter companies' })
    for (const name of ['Partner', 'Fair 2026']) {
      await drawer.getByRole('combobox', { name: 'Tag to filter by' }).fill(name)
      await page.keyboard.press('Enter')
    }
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await drawer.getByLabel('Tags', { exact: true }).selectOption('All of these')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await checkBothThemes(page, 'filters by tags', 'tags-filter')
    await drawer.getByRole('button', { name: 'Close' }).click()
    await open(page, 'Northwind').waitFor()
    // A view keeps the column and the filter.
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save as a view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Partners of the fair')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'View: Partners of the fair' }).click()
    await page.getByRole('menuitem', { name: 'All companies' }).click()
    await open(page, 'Initech').waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Tags' }).count(), 0)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Partners of the fair' }).click()
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await cell(page, 'Northwind', 'Partner').waitFor()
    const chips = page.getByRole('region', { name: 'Filters by tags' })
    await chips.getByText('All of').waitFor()
    await checkBothThemes(page, 'a list with tags', 'tags-list')
    await chips.getByRole('button', { name: 'Don’t filter by Partner' }).click()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await chips.getByRole('button', { name: 'Don’t filter by Fair 2026' }).click()
    await chips.waitFor({ state: 'detached' })
    await open(page, 'Initech').waitFor()
  })

  test('leads are tagged and filtered alike, and what others tag is seen', async t => {
    const call = async (path: string, body: object) => {
      const answer = await portal.t.call('POST', path, { as: portal.t.main.testKey, body })
      assert.ok(answer.status < 300, answer.text)
      return answer.json
    }
    const { tag } = await call('/v1/api/tags', { name: 'Walk-in', color: 'teal' })
    const { lead } = await call('/v1/api/leads', { name: 'Rachael', email: 'rachael@example.com' })
    await call('/v1/api/leads', { name: 'Deckard', email: 'deckard@example.com' })
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream')
    await portal.logIn(page, { path: '/leads' })
    await stream
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await open(page, 'Rachael').waitFor()
    await call('/v1/api/tags/assign', { record_ids: [`lead:${lead.id}`], add: [tag.id] })
    await cell(page, 'Rachael', 'Walk-in').waitFor()
    await page.goto(`/leads?tags=${tag.id}`)
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await page.goto('/leads?tags=none')
    await open(page, 'Deckard').waitFor()
    await page.getByRole('button', { name: 'Don’t filter by without tags' }).waitFor()
    assert.equal(await open(page, 'Rachael').count(), 0)
    await noHorizontalScroll(page)
  })

  test('who may only read puts nothing on records', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager', path: `/companies/${company}?tab=notes` })
    await list(page, 'Notes').or(page.getByText('No notes yet.')).first().waitFor()
    for (const name of ['Add the note', 'Add the task', 'Add files', 'Tag'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
  })

  test('a view is saved, found again, opened first, and deleted', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies?industry=Retail&sort=name' })
    await open(page, 'Northwind').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save as a view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Retailers')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'View: Retailers' }).click()
    await page.getByRole('menuitem', { name: 'All companies' }).click()
    await open(page, 'Tyrell').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Retailers' }).click()
    await open(page, 'Tyrell').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'View: Retailers' }).click()
    await page.getByRole('menuitem', { name: 'Open with Retailers' }).click()
    await page.goto('/companies')
    await page.waitForURL(url => url.searchParams.get('industry') === 'Retail')
    await page.getByRole('button', { name: 'View: Retailers' }).click()
    await page.getByRole('menuitem', { name: 'Delete Retailers' }).click()
    await open(page, 'Tyrell').waitFor()
  })

  test('the list is exported as it is filtered', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/companies?industry=Services' })
    await open(page, 'Initech').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'companies.csv')
    const text = await readFile((await file.path()) as string, 'utf8')
    assert.ok(text.startsWith('\ufeffid,'), 'Excel knows UTF-8 by its mark alone')
    assert.match(text, /Initech/)
    assert.doesNotMatch(text, /Tyrell/)
  })

  test('on a telephone the notes of a record do not scroll sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: `/companies/${company}?tab=notes` })
    await page.getByLabel('New note').waitFor()
    await noHorizontalScroll(page)
  })
})
