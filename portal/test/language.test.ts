// The language of the portal: what the person chose, else what the browser says; it changes in place, and only its texts are fetched.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumMissing, portalForTests, screenReady } from './browser.ts'

describe('the language of the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const languageOf = (page: Page) => page.locator('html').getAttribute('lang')
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

  /** The files of texts that a page fetches from now on, such as `de/first`. */
  function textsFetched(page: Page): string[] {
    const fetched: string[] = []
    page.on('request', request => {
      const [, name] = /\/_built\/words\/(.+)-[\w-]{8}\.json$/.exec(request.url()) ?? []
      if (name !== undefined) fetched.push(name)
    })
    return fetched
  }

  test('is the browser’s where nobody chose one, from the first page on', async t => {
    const page = await portal.newPage(t, { locale: 'de-AT' })
    const fetched = textsFetched(page)
    await page.goto('/login')
    await heading(page, 'Anmelden').waitFor()
    assert.equal(await languageOf(page), 'de')
    assert.ok(fetched.includes('de/first') && fetched.every(name => name.startsWith('de/')), fetched.join(' '))
  })

  test('is English where the browser speaks none of ours', async t => {
    const page = await portal.newPage(t, { locale: 'fr-FR' })
    await page.goto('/login')
    await heading(page, 'Log in').waitFor()
    assert.equal(await languageOf(page), 'en')
  })

  test('is chosen in the account and holds at once, without losing what was typed; the next login is the browser’s again', async t => {
    const page = await portal.newPage(t)
    const fetched = textsFetched(page)
    await portal.logIn(page, { role: 'Sales Executive', path: '/account' })
    assert.ok(
      fetched.every(name => name.startsWith('en/')),
      fetched.join(' '),
    )
    await page.getByLabel('Name', { exact: true }).fill('Half a na')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByText('Das Portal spricht jetzt Deutsch.').waitFor()
    assert.equal(await languageOf(page), 'de')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half a na')
    await page.getByLabel('Sprache').waitFor()
    // Another place of the same portal, and another load of it.
    await page.goto('/teams')
    await screenReady(page)
    await page.getByRole('button', { name: 'Spalten' }).waitFor()
    await page.getByText('Noch keine Teams').waitFor()
    // In another tab nobody is logged in, so the browser says in which language.
    await page.context().clearCookies()
    await page.goto('/login')
    await heading(page, 'Log in').waitFor()
    assert.equal(await languageOf(page), 'en')
  })

  test('records speak it too: their names, fields, choices and statuses', async t => {
    const lead = { name: 'Ada Lovelace', email: 'ada@example.com', priority: 'Hot' }
    assert.equal((await portal.t.call('POST', '/v1/api/leads', { as: portal.t.main.testKey, body: lead })).status, 201)
    const page = await portal.newPage(t, { locale: 'de-DE' })
    await portal.logIn(page, { path: '/account' })
    await page.getByLabel('Sprache').selectOption('Deutsch')
    await page.goto('/leads')
    await page.getByRole('button', { name: 'Lead erstellen' }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' })
    for (const word of ['Neu', 'Heiß']) await row.getByText(word, { exact: true }).waitFor()
    await page.getByRole('columnheader', { name: 'Zuständig' }).waitFor()
    await page.getByRole('link', { name: 'Ada Lovelace öffnen' }).click()
    await page.getByRole('button', { name: 'Verschieben nach „Kontaktiert“' }).click()
    await page.getByText('Ada Lovelace steht jetzt auf „Kontaktiert“.').waitFor()
    await page.getByRole('region', { name: 'Zeitverlauf' }).waitFor()
  })

  test('forms that the server describes speak it too: headings, fields, hints, choices, and what is wrong with them', async t => {
    const page = await portal.newPage(t, { locale: 'de-DE', allow: [/status of 400/] })
    const group = (name: string) => page.getByRole('group', { name })
    await portal.logIn(page, { path: '/account', mode: 'live' })
    await page.getByLabel('Sprache').selectOption('Deutsch')
    await page.goto('/carriers')
    await page.getByRole('button', { name: 'Carrier erstellen' }).first().click()
    await group('Verbindung').getByLabel('Zertifikat prüfen').waitFor()
    await group('Verbindung')
      .getByText(/^Der SMPP-Host des Carriers/)
      .waitFor()
    const kindOfLink = group('Zugang').getByLabel('Art der Verbindung')
    assert.deepEqual(await kindOfLink.getByRole('option').allTextContents(), [
      'Transceiver',
      'Transmitter und Receiver',
    ])
    await page.locator('summary').filter({ hasText: 'Durchsatz' }).waitFor()
    await group('Verbindung').getByLabel('Host').fill('http://wrong')
    await page.getByRole('button', { name: 'Carrier erstellen' }).click()
    await group('Verbindung')
      .getByText('Bitte einen Hostnamen oder eine IP-Adresse eingeben, ohne Schema und Port.')
      .waitFor()
    await page.goto('/trunks')
    await page.getByRole('button', { name: 'Trunk erstellen' }).first().click()
    await group('Identität').getByText('Was in From hinter dem @ steht. Leer: die Domain.').waitFor()
    await page.locator('summary').filter({ hasText: 'Eingehende Anrufe' }).waitFor()
    await page.getByLabel('Art', { exact: true }).selectOption('Asterisk')
    await page.getByText(/^Ein Asterisk, den Sie schon betreiben/).waitFor()
    await group('Ausgehende Anrufe')
      .getByText(/PJSIP\/\{number\}@carrier/)
      .waitFor()
  })

  test('what went wrong is said in it: in the error reference, and of a refused form', async t => {
    const page = await portal.newPage(t, { locale: 'de-DE', allow: [/status of 4\d\d/] })
    const fetched = textsFetched(page)
    await portal.logIn(page, { path: '/account', mode: 'live' })
    await page.getByLabel('Sprache').selectOption('Deutsch')
    fetched.length = 0
    await page.goto('/errors/team_name_taken')
    const main = page.getByRole('main')
    for (const words of ['Name des Teams vergeben', 'Wählen Sie einen anderen Namen.'])
      await main.getByText(words).waitFor()
    // The answer itself is what the server sends.
    await main.getByText('Choose another name.').first().waitFor()
    assert.equal(fetched.filter(name => name === 'de/problems').length, 1, fetched.join(' '))
    await page.goto('/errors')
    const found = main.locator('li[id^=error-]')
    // By the words that are shown, and by those of the server.
    for (const words of ['teams vergeben', 'name of a team']) {
      await main.getByRole('searchbox', { name: 'Suche' }).fill(words)
      await main.getByText(/^1 von \d+ Codes$/).waitFor()
      await found.getByText('Name des Teams vergeben').waitFor()
    }
    const team = { name: 'Einkauf' }
    assert.equal((await portal.t.call('POST', '/v2/teams', { as: portal.t.main.liveKey, body: team })).status, 201)
    await page.goto('/teams')
    await page.getByRole('button', { name: 'Team erstellen' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Einkauf')
    await dialog.getByRole('button', { name: 'erstellen' }).click()
    await dialog
      .getByText('Ein anderes Team der Organisation heißt schon so. Wählen Sie einen anderen Namen.')
      .waitFor()
  })

  test('texts that do not come at first are asked for again, and nothing is shown without them', async t => {
    const page = await portal.newPage(t, { allow: [/status of 503/] })
    let refusals = 0
    await page.route(/_built\/words\/.*first/, async route => {
      if (refusals++ < 2) return route.fulfill({ status: 503, body: '' })
      return route.continue()
    })
    await page.goto('/login')
    await heading(page, 'Log in').waitFor()
    assert.ok(refusals > 2)
  })
})
