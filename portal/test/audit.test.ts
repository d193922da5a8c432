// The audit log in the portal: what people did is there with before and after, found by filters and kept for spreadsheets; others are
// not offered it.
// test: programs
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { sealEvents } from '../../server/src/modules/audit/sealing.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, screenReady } from './browser.ts'

describe('the audit log in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const change = async (body: object) => {
    const answer = await portal.t.call('PATCH', '/v2/organization', { as: portal.t.main.tokens.Admin, body })
    assert.equal(answer.status, 200, answer.text)
  }
  before(async () => {
    const { t } = portal
    await change({ currency: 'CHF' })
    await change({ currency: 'EUR' })
    await t.call('GET', '/v2/webhooks', { as: t.main.tokens['Sales Executive'] })
    await t.app.flush()
    const queue = sealEvents(t.app.services)
    await queue.work(await queue.claim('', 10), '', () => false)
  })

  test('a change is found, opened with the keyboard, and shown before and after', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/audit' })
    const main = page.getByRole('main')
    await main.getByText('Permission denied').first().waitFor()
    await checkBothThemes(page, 'audit log', 'audit-log')
    await main.getByLabel('Action', { exact: true }).selectOption('organization.*')
    await main.getByText('Permission denied').first().waitFor({ state: 'detached' })
    await main
      .getByRole('link', { name: /^Open Organization updated/ })
      .first()
      .waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Organization updated', level: 1 }).waitFor()
    const row = main.getByRole('row', { name: /currency/ })
    assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['currency', 'CHF', 'EUR'])
    await main.getByText('of the chain').waitFor()
    await checkBothThemes(page, 'audit event', 'audit-event')
    await noHorizontalScroll(page)
  })

  test('new events come by themselves', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/audit?action=organization.*' })
    const rows = page.getByRole('link', { name: /^Open Organization updated/ })
    await rows.first().waitFor()
    const known = await rows.count()
    await change({ currency: 'USD' })
    await rows.nth(known).waitFor()
  })

  test('what is shown is saved as a file', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/audit?action=organization.*' })
    await screenReady(page)
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /spreadsheets/ }).click()
    const text = await readFile((await (await download).path())!, 'utf8')
    const [head, ...lines] = text.trimEnd().split('\r\n')
    assert.match(head!, /^\ufeffat,action,/)
    assert.ok(lines.length >= 2)
    for (const line of lines) assert.match(line, /,organization\.updated,/)
  })

  test('a stream is created in live mode, shows its secret once, is changed, paused, resumed and deleted', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
    await portal.logIn(page, { mode: 'live', path: '/audit' })
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Create a stream' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('https://siem.example.com/tandem')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/whsec_/).waitFor()
    await checkBothThemes(page, 'the secret of a stream', 'audit-stream-secret')
    await dialog.getByLabel('I’ve stored it safely').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await main.getByText('https://siem.example.com/tandem').waitFor()
    await main.getByRole('button', { name: 'Edit the stream to https://siem.example.com/tandem' }).click()
    assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), 'nothing was changed')
    await dialog.getByLabel('URL').fill('http://siem.example.com/other')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    const url = 'https://siem.example.com/other'
    await dialog.getByLabel('URL').fill(url)
    await dialog.getByLabel('Description').fill('To the security team')
    await checkBothThemes(page, 'changing a stream', 'audit-stream-edit')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await main.getByText('To the security team').waitFor()
    await main.getByRole('button', { name: `Pause the stream to ${url}` }).click()
    await main.getByText('off', { exact: true }).waitFor()
    const stored = async () =>
      (await portal.t.call('GET', '/v2/audit-events/streams', { as: portal.t.main.tokens.Admin })).json.data[0]
    assert.deepEqual([(await stored()).url, (await stored()).enabled], [url, false])
    await main.getByRole('button', { name: `Resume the stream to ${url}` }).click()
    await main.getByRole('button', { name: `Pause the stream to ${url}` }).waitFor()
    assert.equal((await stored()).enabled, true)
    await main.getByRole('button', { name: `Delete the stream to ${url}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await main.getByText(url).waitFor({ state: 'detached' })
  })

  test('how long the log is kept is changed in live mode, and only there', async t => {
    const other = await portal.newPage(t)
    await portal.logIn(other, { path: '/audit' })
    await other.getByText('is changed in live mode').waitFor()
    assert.equal(await other.getByRole('button', { name: /^(Change|Erase names)$/ }).count(), 0)
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    const main = page.getByRole('main')
    await portal.logIn(page, { mode: 'live', path: '/audit' })
    await main.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled(), 'nothing was changed')
    for (const wrong of ['a year', '30']) {
      await dialog.getByLabel('Days that events are kept').fill(wrong)
      await save.click()
      await dialog.getByRole('alert').waitFor()
    }
    await dialog.getByLabel('Days that events are kept').fill('400')
    await dialog.getByLabel('Note who listens').check()
    await checkBothThemes(page, 'how long the log is kept', 'audit-kept')
    await save.click()
    await main.getByText('400 days').waitFor()
    await main.getByText('Listening is noted').waitFor()
    await main.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByLabel('Legal hold').check()
    await save.click()
    await main.getByText('As long as the legal hold stands').waitFor()
    const { json } = await portal.t.call('GET', '/v2/audit-events/policy', { as: portal.t.main.tokens.Admin })
    const { retentionDays, legalHold, recordListens } = json.data
    assert.deepEqual([retentionDays, legalHold, recordListens], [400, true, true])
  })

  test('a person’s names are erased for good, once a reason and the name are typed', async t => {
    const as = portal.t.main.tokens.Admin
    const add = async (name: string, email: string) => {
      const body = { name, email, role: 'Sales Manager' }
      return (await portal.t.call('POST', '/v1/api/users', { as, body })).json.user
    }
    const one = await add('Erica Mustermann', 'erica@example.com')
    const two = await add('Otto Normal', 'otto@example.com')
    await portal.t.app.flush()
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', path: '/audit' })
    await page.getByRole('main').getByRole('button', { name: 'Erase names' }).click()
    const dialog = page.getByRole('dialog')
    const erase = dialog.getByRole('button', { name: 'Erase names' })
    await dialog.getByRole('combobox', { name: 'Person' }).fill('erica')
    await dialog.getByRole('option', { name: 'Erica Mustermann' }).click()
    await dialog.getByLabel('Reason').fill('Asked for by letter')
    assert.ok(await erase.isDisabled(), 'the name is not typed')
    await dialog.getByLabel('Type Erica Mustermann').fill('Erica Mustermann')
    await checkBothThemes(page, 'erasing names from the log', 'audit-erase')
    await erase.click()
    await page.getByText(/(address was|addresses were) erased/).waitFor()
    const created = async (id: number) => {
      const asked = `/v2/audit-events?action=user.created&target=user:${id}`
      return JSON.stringify((await portal.t.call('GET', asked, { as })).json.data[0].after)
    }
    assert.doesNotMatch(await created(one.id), /erica/i)
    assert.match(await created(two.id), /otto/i)

    await page.goto(`/audit?action=user.created&target=user:${two.id}`)
    await page.getByRole('link', { name: /^Open User created/ }).click()
    await page.getByRole('button', { name: 'Erase the names of Otto Normal' }).click()
    await dialog.getByLabel('Reason').fill('Asked for by letter')
    await dialog.getByLabel('Type Otto Normal').fill('otto normal')
    await erase.click()
    await page.getByText(/(address was|addresses were) erased/).waitFor()
    assert.doesNotMatch(await created(two.id), /otto/i)
  })

  test('who may not see it is not offered it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/' })
    await screenReady(page)
    assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)
  })
})
