// What a team keeps in the Playground: one saves a request into a shared collection, a colleague runs it with another environment;
// tests, runs, two who edit at once, and collections as files of Postman.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { chromiumMissing, portalForTests, watchOf } from './browser.ts'
import { editorReady, expectStatus, type Opened, openPlayground, refused, send, smsBody } from './playground_page.ts'

describe('what a team keeps in the Playground', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const open = (t: TestContext, options?: Opened) => openPlayground(portal, t, options)

  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
  async function collections(page: Page): Promise<Locator> {
    await page.getByRole('button', { name: 'Collections', exact: true }).click()
    return dialog(page, 'Collections')
  }
  /** The only one is open from the start. */
  async function unfold(drawer: Locator, name: string): Promise<void> {
    const button = drawer.getByRole('button', { name: new RegExp(`^${name}`) })
    await button.waitFor()
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
    await drawer.getByRole('list', { name, exact: true }).waitFor()
  }
  /** Presses one of the actions of a collection, folder or request. */
  async function act(page: Page, of: string, action: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  async function api(method: string, path: string, body?: object) {
    const answer = await portal.t.call(method, `/v2/playground${path}`, {
      as: portal.t.main.tokens.Admin,
      ...(body && { body }),
    })
    assert.ok(answer.status < 300, answer.text)
    return answer.json.data
  }
  const me = { name: 'Who am I', method: 'GET', path: '/v2/users/me' }

  test('a request is saved into a shared collection; a colleague finds it and sends it with another environment', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.fill(JSON.stringify({ ...smsBody, to: '{{recipient}}', body: 'Shared text' }))
    await page.getByRole('list', { name: 'Before it can be sent' }).getByText('{{recipient}} has no value.').waitFor()

    await page.getByRole('button', { name: 'Environments' }).click()
    await dialog(page, 'Environments').getByRole('button', { name: 'New environment' }).click()
    const form = dialog(page, 'New environment')
    await form.getByLabel('Name', { exact: true }).fill('Staging')
    await form.getByRole('button', { name: 'Add a variable' }).click()
    await form.getByLabel('Name of variable 1').fill('recipient')
    await form.getByLabel('Value of recipient').fill('+15005550100')
    await form.getByRole('button', { name: 'Add a variable' }).click()
    await form.getByLabel('Name of variable 2').fill('partnerToken')
    assert.ok(await form.getByLabel('partnerToken is secret').isChecked(), 'what is named like a secret is one')
    assert.ok(await form.getByLabel('Value of partnerToken').isDisabled())
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Staging is saved.').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(
      await page.getByLabel('Environment', { exact: true }).locator('option:checked').textContent(),
      'Staging',
    )
    await send(page).click()
    await expectStatus(page, 200)

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const saving = dialog(page, 'Save the request')
    await saving.getByLabel('Name of the request').fill('Table is ready')
    await saving.getByLabel('Name of the collection').fill('Smoke test')
    await saving.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Table is ready is saved to Smoke test.').waitFor()

    await api('POST', '/environments', {
      name: 'Berlin',
      shared: true,
      variables: [{ name: 'recipient', value: '+15005550101', secret: false }],
    })
    const colleague = await open(t, { role: 'Finance Manager', allow: [refused] })
    const drawer = await collections(colleague)
    await drawer.getByRole('button', { name: /Table is ready/ }).click()
    await colleague.getByText('Opened Table is ready.').waitFor()
    assert.equal(await colleague.getByRole('button', { name: 'Save', exact: true }).count(), 0, 'it would be refused')
    await colleague.getByLabel('Environment', { exact: true }).selectOption('Berlin')
    await colleague.getByRole('tab', { name: /^Code/ }).click()
    await colleague.getByText('+15005550101').first().waitFor()
    await send(colleague).click()
    await expectStatus(colleague, 403)
  })

  test('tests are written, fail by name, and are kept with the request', async t => {
    const { collectionId } = await api('POST', '/collections', { name: 'Own tests', shared: true, requests: [me] })
    const page = await open(t)
    const drawer = await collections(page)
    await unfold(drawer, 'Own tests')
    await drawer
      .getByRole('list', { name: 'Own tests' })
      .getByRole('button', { name: /Who am I/ })
      .first()
      .click()
    await page.getByText('Opened Who am I.').waitFor()
    await page.getByRole('tab', { name: /^Tests/ }).click()
    await page.getByRole('button', { name: 'Add a test of the status' }).click()
    await page.getByRole('button', { name: 'Add a test of a JSON value' }).click()
    await page.getByLabel('Test 2: JSON Pointer').fill('/data/role')
    await page.getByLabel('Test 2: comparison').selectOption('equals')
    await page.getByLabel('Test 2: value').fill('Finance Manager')
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByLabel('Variable 1: name').fill('myRole')
    await page.getByLabel('Variable 1: JSON Pointer').fill('/data/role')
    await send(page).click()
    const results = page.getByRole('region', { name: 'Tests', exact: true })
    await results.getByText('1 of 2 tests passed').waitFor()
    await results.getByText('/data/role equals Finance Manager').waitFor()
    await results.getByText('it’s "Admin"').waitFor()
    await page.getByRole('button', { name: 'Variables (1)' }).waitFor()
    await page.getByText('Own tests / Who am I, changed').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Who am I is saved.').waitFor()
    const [kept] = await api('GET', `/requests?collectionId=${collectionId}`)
    assert.deepEqual(
      kept.tests.map(({ target, value }: { target: string; value: string }) => [target, value]),
      [
        ['', '2xx'],
        ['/data/role', 'Finance Manager'],
      ],
    )
  })

  const passing = { subject: 'status', target: '', operator: 'equals', value: '200' }
  const three = [
    { ...me, captures: [{ name: 'userId', pointer: '/data/userId' }], tests: [passing] },
    { name: 'Read it', method: 'GET', path: '/v1/api/users/{id}', pathValues: [{ name: 'id', value: '{{userId}}' }] },
    { ...me, name: 'Wrong on purpose', tests: [{ ...passing, value: '418' }] },
  ]

  test('a run passes variables on, stops or goes on at a failure, and names what was found', async t => {
    await api('POST', '/collections', { name: 'Three', shared: true, requests: [three[0], three[2], three[1]] })
    const page = await open(t)
    await collections(page)
    await act(page, 'Three', 'Run')
    const run = dialog(page, 'Run Three')
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run.getByText(/: 1 passed, 1 failed, 1 skipped\./).waitFor()
    const row = (name: string) => run.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
    await row('Wrong on purpose').getByText('Failed').waitFor()
    await run.getByText('it’s 200').waitFor()
    await run.getByLabel('Stop at the first failure').uncheck()
    await run.getByRole('button', { name: 'Run again' }).click()
    await run.getByText(/: 2 passed, 1 failed\./).waitFor()
    await row('Read it').getByText('200').waitFor()
  })

  test('a run in live mode asks once, and names what it would change', async t => {
    const text = { name: 'Send a text', method: 'POST', path: '/v2/messages/sms', body: JSON.stringify(smsBody) }
    await api('POST', '/collections', { name: 'For real', shared: true, requests: [me, text] })
    const page = await open(t, { mode: 'live' })
    await collections(page)
    await act(page, 'For real', 'Run')
    const sent = () => watchOf(page).apiCalls.filter(call => call.path === '/v2/messages/sms').length
    await dialog(page, 'Run For real').getByRole('button', { name: 'Run', exact: true }).click()
    const question = dialog(page, 'This is live mode')
    await question.getByText('One request changes live data').waitFor()
    await question.getByText('Send a text').waitFor()
    assert.equal(await question.getByText('Who am I').count(), 0)
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(sent(), 0)
    await dialog(page, 'Run For real').getByRole('button', { name: 'Run', exact: true }).click()
    await question.getByRole('button', { name: 'Run for real' }).click()
    await dialog(page, 'Run For real')
      .getByText(/: 2 passed\./)
      .waitFor()
    assert.equal(sent(), 1)
  })

  test('two who edit one request: the later one is asked, and loses nothing', async t => {
    const { collectionId } = await api('POST', '/collections', { name: 'Contested', shared: true, requests: [me] })
    const [request] = await api('GET', `/requests?collectionId=${collectionId}`)
    const page = await open(t, { allow: [refused] })
    const drawer = await collections(page)
    await unfold(drawer, 'Contested')
    await drawer
      .getByRole('list', { name: 'Contested' })
      .getByRole('button', { name: /Who am I/ })
      .first()
      .click()
    await page.getByText('Opened Who am I.').waitFor()
    await api('PATCH', `/requests/${request.requestId}`, { tests: [passing] })
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await page.getByLabel('New header name').fill('X-Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const conflict = dialog(page, /changed this request/)
    await conflict.getByText(/Yours differs in headers and its tests/).waitFor()
    await conflict.getByRole('button', { name: 'Overwrite with mine' }).click()
    await page.getByText('Who am I is saved.').waitFor()
    const after = await api('GET', `/requests/${request.requestId}`)
    assert.deepEqual([after.headers[0].name, after.tests], ['X-Mine', []])
  })

  test('a collection goes out to Postman and comes back; what is deleted comes back too', async t => {
    const folders = [{ name: 'Inner', requests: [three[1], three[2]] }]
    await api('POST', '/collections', { name: 'Travels', shared: true, requests: [three[0]], folders })
    const page = await open(t)
    const drawer = await collections(page)
    const downloading = page.waitForEvent('download')
    await act(page, 'Travels', 'Export to Postman')
    const download = await downloading
    assert.equal(download.suggestedFilename(), 'Travels.postman_collection.json')
    const path = await download.path()
    assert.match(readFileSync(path, 'utf8'), /collection\/v2\.1\.0/)
    await act(page, 'Travels', 'Delete')
    await dialog(page, 'Delete Travels?').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Travels was deleted.').waitFor()
    await drawer.getByLabel('Collection file').setInputFiles(path)
    await page.getByText('Travels was imported with 3 requests.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It’s back.').waitFor()
    const both = (await api('GET', '/collections')).filter(({ name }: { name: string }) => name === 'Travels')
    const contents = await Promise.all(
      both.map(async ({ collectionId }: { collectionId: string }) => {
        const requests = await api('GET', `/requests?collectionId=${collectionId}`)
        return requests
          .sort((a: { position: number }, b: { position: number }) => a.position - b.position)
          .map(({ name, method, path, pathValues, tests, captures }: typeof me & Record<string, unknown>) => ({
            ...{ name, method, path, pathValues, tests, captures },
          }))
      }),
    )
    assert.equal(contents.length, 2)
    assert.deepEqual(contents[0], contents[1])
    assert.equal(contents[0].length, 3)
  })

  test('what undo brings back is the request that it was of, and is saved as that', async t => {
    const requests = [
      { ...me, name: 'Mine first' },
      { ...me, name: 'Mine second' },
    ]
    const { collectionId } = await api('POST', '/collections', { name: 'Two of one', shared: true, requests })
    const page = await open(t)
    const openOne = async (name: string) => {
      const drawer = await collections(page)
      await unfold(drawer, 'Two of one')
      await drawer
        .getByRole('list', { name: 'Two of one' })
        .getByRole('button', { name: new RegExp(name) })
        .first()
        .click()
      await page.getByText(`Opened ${name}.`).waitFor()
    }
    await openOne('Mine first')
    await page.getByRole('tab', { name: /^Headers/ }).click()
    await page.getByLabel('New header name').fill('X-First')
    await page.getByText('Two of one / Mine first, changed').waitFor()
    await openOne('Mine second')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Two of one / Mine first, changed').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Mine first is saved.').waitFor()
    const kept: { name: string; headers: { name: string }[] }[] = await api(
      'GET',
      `/requests?collectionId=${collectionId}`,
    )
    const headers = kept.map(({ name, headers }) => [name, headers.map(header => header.name).join()])
    assert.deepEqual(Object.fromEntries(headers), { 'Mine first': 'X-First', 'Mine second': '' })
  })

  test('a file of Postman brings its variables as an environment', async t => {
    const page = await open(t)
    const drawer = await collections(page)
    const file = {
      info: { name: 'With variables', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      variable: [
        { key: 'baseUrl', value: 'https://api.example.com' },
        { key: 'me', value: 'me' },
      ],
      item: [{ name: 'Myself', request: { method: 'GET', url: '{{baseUrl}}/v2/users/{{me}}' } }],
    }
    const buffer = Buffer.from(JSON.stringify(file))
    await drawer
      .getByLabel('Collection file')
      .setInputFiles({ name: 'their.postman_collection.json', mimeType: 'application/json', buffer })
    await page.getByText('Its variables are the environment With variables.').waitFor()
    await unfold(drawer, 'With variables')
    await drawer
      .getByRole('list', { name: 'With variables' })
      .getByRole('button', { name: /Myself/ })
      .first()
      .click()
    await page.getByText('Opened Myself.').waitFor()
    const chosen = page.getByLabel('Environment', { exact: true }).locator('option:checked')
    assert.match((await chosen.textContent()) ?? '', /With variables/)
    await send(page).click()
    await expectStatus(page, 200)
  })

  test('requests are moved, renamed, copied and deleted with undo', async t => {
    await api('POST', '/collections', { name: 'Tidy', shared: true, requests: [me, { ...me, name: 'Second' }] })
    const page = await open(t)
    const drawer = await collections(page)
    await unfold(drawer, 'Tidy')
    const list = drawer.getByRole('list', { name: 'Tidy' })
    await act(page, 'Second', 'Move up')
    await page.waitForFunction(() =>
      /Second.*Who am I/.test(document.querySelector('[aria-label="Tidy"]')?.textContent ?? ''),
    )
    await act(page, 'Tidy', 'New folder')
    await dialog(page, 'New folder in Tidy').getByLabel('Name').fill('Inner')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: /^Inner/ }).waitFor()
    await act(page, 'Second', 'Move to…')
    await dialog(page, 'Move Second').getByLabel('Folder').selectOption('Inner')
    await dialog(page, 'Move Second').getByRole('button', { name: 'Move' }).click()
    await list
      .getByRole('list', { name: 'Inner' })
      .getByRole('button', { name: /Second/ })
      .first()
      .waitFor()
    await act(page, 'Second', 'Rename')
    await dialog(page, 'Rename Second').getByLabel('Name').fill('Renamed')
    await page.keyboard.press('Enter')
    await act(page, 'Renamed', 'Duplicate')
    await list.getByRole('button', { name: /GET\s*Renamed \(copy\)/ }).waitFor()
    await act(page, 'folder Inner', 'Delete')
    await dialog(page, 'Delete Inner?').getByRole('button', { name: 'Delete' }).click()
    await list.getByRole('button', { name: /^Inner/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It’s back.').waitFor()
    await list.getByRole('button', { name: /GET\s*Renamed \(copy\)/ }).waitFor()
  })

  test('what a browser kept by name moves to a private collection by one press', async t => {
    const page = await open(t)
    await page.evaluate(async () => {
      const [found] = (await indexedDB.databases()).filter(({ name }) => name?.includes('playground'))
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(found!.name!)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const draft = { method: 'GET', path: '/v2/users/me', pathValues: [], query: [], headers: [], body: '' }
      const shelf = database.transaction('saved', 'readwrite').objectStore('saved')
      await new Promise(resolve => {
        shelf.put(
          { schema: 1, name: 'Of old', atMs: 1, draft: { ...draft, credential: { kind: 'none' } } },
          'old',
        ).onsuccess = resolve
      })
      database.close()
    })
    const drawer = await collections(page)
    await drawer.getByText('1 request is only kept in this browser.').waitFor()
    await drawer.getByRole('button', { name: 'Move to a private collection' }).click()
    await page.getByText('1 request was moved to From this browser.').waitFor()
    await drawer.getByText('is only kept in this browser').waitFor({ state: 'detached' })
    const [moved] = (await api('GET', '/collections')).filter(
      ({ name }: { name: string }) => name === 'From this browser',
    )
    assert.deepEqual([moved.shared, moved.requestCount], [false, 1])
  })
})
