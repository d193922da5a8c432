// Privacy in the portal: how long things are kept is chosen, a person is held and released, and erased from their page with the name typed.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'

describe('privacy in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const main = (page: Page) => page.getByRole('main')
  const lead = async (name: string, phone: string): Promise<number> => {
    const answer = await portal.t.call('POST', '/v1/api/leads', { as: portal.t.main.liveKey, body: { name, phone } })
    return answer.json.lead.id
  }
  const requests = async () =>
    (await portal.t.call('GET', '/v2/privacy/requests', { as: portal.t.main.liveKey })).json.data

  test('days are chosen and kept', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/privacy' })
    const days = main(page).getByLabel('Text messages and closed conversations, days')
    await days.fill('730')
    await checkBothThemes(page, 'privacy', 'privacy')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { json } = await portal.t.call('GET', '/v2/organization/retention', { as: portal.t.main.liveKey })
    const messages = json.data.classes.find((one: { class: string }) => one.class === 'messages')
    assert.deepEqual([messages.days, messages.ownDays], [730, 730])
  })

  test('days that may not be chosen are refused at their field', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400.*retention/] })
    await portal.logIn(page, { path: '/privacy' })
    const days = (name: string) => main(page).getByLabel(`${name}, days`, { exact: true })
    await days('Calls').fill('400')
    await days('Request log').fill('900')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await days('Request log').getAttribute('aria-invalid'), 'true')
    assert.notEqual(await days('Calls').getAttribute('aria-invalid'), 'true')
    await days('Request log').fill('half a year')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await days('Request log').fill('60')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
  })

  test('a hold is placed and released', async t => {
    await lead('Charles Babbage', '+14155550181')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/privacy' })
    await main(page).getByRole('button', { name: 'Place a hold' }).click()
    await page.getByLabel('Phone number or e-mail address; empty').fill('+1 415 555 0181')
    await page.getByLabel('Reason').fill('Lawsuit 3 O 123/26.')
    await page.getByRole('button', { name: 'Place hold' }).click()
    await main(page).getByText('Lawsuit 3 O 123/26.').waitFor()
    await main(page).getByRole('button', { name: 'Release the hold on …181' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await main(page).getByText('Nothing is on hold.').waitFor()
  })

  test('a lead is erased from its page, once the name is typed', async t => {
    const id = await lead('Ada Lovelace', '+14155550180')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/leads/${id}`, mode: 'live' })
    await main(page).getByRole('button', { name: 'Personal data' }).click()
    await page.getByRole('menuitem', { name: 'Erase personal data' }).click()
    const dialog = page.getByRole('dialog')
    const erase = dialog.getByRole('button', { name: 'Erase for good' })
    await dialog.getByLabel('Reason').fill('Asked for by letter.')
    assert.ok(await erase.isDisabled(), 'the name is not typed')
    await dialog.getByLabel('Type Ada Lovelace to show that you mean it').fill('Ada Lovelace')
    await erase.click()
    await page.getByText('The request is under way.').waitFor()
    const [asked] = await requests()
    assert.deepEqual([asked.kind, asked.recordId, asked.reason], ['erasure', `lead:${id}`, 'Asked for by letter.'])
  })
})
