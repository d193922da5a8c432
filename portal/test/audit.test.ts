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
    assert.match(head!, /^at,action,/)
    assert.ok(lines.length >= 2)
    for (const line of lines) assert.match(line, /,organization\.updated,/)
  })

  test('a stream is created in live mode, shows its secret once, and is deleted', async t => {
    const page = await portal.newPage(t)
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
    await main.getByRole('button', { name: 'Delete the stream to https://siem.example.com/tandem' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await main.getByText('https://siem.example.com/tandem').waitFor({ state: 'detached' })
  })

  test('who may not see it is not offered it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/' })
    await screenReady(page)
    assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)
  })
})
