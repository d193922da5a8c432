// Lists of v2 resources, drawn from what their screens declare: columns that are chosen and kept, rows that are walked, opened and
// edited with keys alone, and what is left of them on a telephone.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, untilFocused } from './browser.ts'

describe('lists of resources in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ work: false })
  const numbers = ['+4940123401', '+4940123402', '+4940123403']
  before(async () => {
    for (let i = 0; i < 52; i++) await post('/v2/messages/services', { name: `Older ${i}` })
    for (const number of numbers) await post('/v2/numbers', { number, label: `Line ${number.at(-1)}` })
    for (const name of ['Alarms', 'Bookings', 'Codes']) await post('/v2/messages/services', { name })
  })

  async function post(path: string, body: object): Promise<void> {
    const answer = await portal.t.call('POST', path, { as: portal.t.main.testKey, body })
    assert.ok(answer.status < 300, answer.text)
  }

  const link = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })
  const opener = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heads = async (page: Page) => (await page.getByRole('columnheader').allInnerTexts()).map(text => text.trim())
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

  /** Takes a column away, adds one and moves one. */
  async function chooseColumns(page: Page, away: string, added: string, up: string): Promise<void> {
    await page.getByRole('button', { name: 'Columns' }).click()
    const columns = dialog(page, 'Columns')
    await columns.getByLabel(away, { exact: true }).uncheck()
    await columns.getByLabel(added, { exact: true }).check()
    await columns.getByRole('button', { name: `Move ${up} up` }).click()
    await columns.getByRole('button', { name: 'Done' }).click()
  }

  test('columns of services are chosen, moved and resized, stay so, and are put back', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/services' })
    await link(page, 'Codes').waitFor()
    const usual = ['Name', 'Senders', 'Outcome unknown', 'Languages', 'Updated']
    assert.deepEqual(await heads(page), usual)
    await chooseColumns(page, 'Languages', 'ID', 'Outcome unknown')
    const edge = page.getByRole('separator', { name: 'Width of Name' })
    const before = Number(await edge.getAttribute('aria-valuenow'))
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    const chosen = ['Name', 'Outcome unknown', 'Senders', 'Updated', 'ID']
    assert.deepEqual(await heads(page), chosen)
    await checkBothThemes(page, 'services with columns of their own', 'services-columns')
    await page.reload()
    await link(page, 'Codes').waitFor()
    assert.deepEqual(await heads(page), chosen)
    assert.equal(Number(await edge.getAttribute('aria-valuenow')), before + 16)
    await page.getByRole('button', { name: 'Columns' }).click()
    await dialog(page, 'Columns').getByRole('button', { name: 'Reset' }).click()
    await dialog(page, 'Columns').getByRole('button', { name: 'Done' }).click()
    assert.deepEqual(await heads(page), usual)
  })

  test('older services come by themselves as one scrolls', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/services' })
    await page.getByText('Showing 50').waitFor()
    await page.getByRole('region', { name: 'Services' }).evaluate(frame => frame.scrollTo(0, frame.scrollHeight))
    await page.getByText('Showing all 55').waitFor()
    await page.getByRole('region', { name: 'Services' }).evaluate(frame => frame.scrollTo(0, frame.scrollHeight))
    await link(page, 'Older 0').waitFor()
    assert.equal(await link(page, 'Codes').count(), 0, 'rows out of sight are drawn')
  })

  test('numbers have columns of their own, one of which comes first though it holds a control', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/numbers' })
    await opener(page, `Edit ${numbers[0]}`).waitFor()
    await chooseColumns(page, 'Number', 'ID', 'ID')
    await page.getByRole('button', { name: 'Columns' }).click()
    const up = dialog(page, 'Columns').getByRole('button', { name: 'Move ID up' })
    while (await up.isEnabled()) await up.click()
    await dialog(page, 'Columns').getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await opener(page, `Edit ${numbers[0]}`).waitFor()
    const shown = await heads(page)
    assert.equal(shown[0], 'ID')
    assert.ok(!shown.includes('Number'), String(shown))
    await checkBothThemes(page, 'numbers by their ids', 'numbers-columns')
    await opener(page, `Edit ${numbers[0]}`).click()
    await dialog(page, `Edit ${numbers[0]}`).waitFor()
  })

  test('with keys alone one walks through services, opens one and creates one', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/services' })
    await link(page, 'Codes').waitFor()
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key)
    await untilFocused(link(page, 'Bookings'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor()
    await page.goBack()
    await link(page, 'Codes').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Codes' }).waitFor()
    await page.goBack()
    await link(page, 'Codes').waitFor()
    await page.keyboard.press('c')
    const create = dialog(page, 'Create a messaging service')
    await untilFocused(create.getByLabel('Name', { exact: true }))
    await page.keyboard.press('j')
    assert.equal(await create.getByLabel('Name', { exact: true }).inputValue(), 'j', 'keys are text where one types')
  })

  test('with keys alone one searches numbers, edits one, and adds one', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/numbers' })
    await opener(page, `Edit ${numbers[2]}`).waitFor()
    await page.keyboard.press('/')
    await untilFocused(page.getByLabel('Number', { exact: true }))
    await page.keyboard.type(numbers[1] ?? '')
    await page.keyboard.press('Enter')
    await opener(page, `Edit ${numbers[2]}`).waitFor({ state: 'detached' })
    // While the other list loads there is no row for the keys.
    await opener(page, `Edit ${numbers[1]}`).waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await dialog(page, `Edit ${numbers[1]}`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await dialog(page, 'Add a number').waitFor()
  })

  test('who may only read opens a number in the inspector, and the key c does nothing', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/numbers', role: 'Sales Executive' })
    await opener(page, `Inspect ${numbers[2]}`).waitFor()
    for (const key of ['c', 'j', 'e']) await page.keyboard.press(key)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Number' }).getByText('Line 3').first().waitFor()
  })

  test('on a telephone fewer columns stand there at first, and the page does not move sideways', async t => {
    const page = await portal.newPage(t, { width: 390, height: 844 })
    await portal.logIn(page, { path: '/services' })
    await link(page, 'Codes').waitFor()
    assert.deepEqual(await heads(page), ['Name', 'Senders', 'Updated'])
    await noHorizontalScroll(page)
  })
})
