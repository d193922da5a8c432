// The destination policies in the portal: an Admin asks about a number, opens and narrows, sees it hold; others only read.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, tabTo } from './browser.ts'

describe('destinations in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const premium = '+19005551234'
  const path = '/v2/destinations/policies/organization'

  test('a number is asked about, its kind opened, countries chosen by name, a fault told beside its field', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/destinations' })
    const main = page.getByRole('main')
    const ask = async (number: string) => {
      await main.getByLabel('Number or SIP address').fill(number)
      await page.keyboard.press('Enter')
    }
    await ask('+1 900 555 1234')
    await main.getByText('Not allowed').waitFor()
    await main.getByText(/premium_rate to its allowedKinds/).waitFor()
    await main.getByText('All countries', { exact: true }).waitFor()
    await main.getByLabel('Premium-rate numbers are open').check()
    await tabTo(page, main.getByRole('combobox', { name: 'Allow a country' }))
    await page.keyboard.type('united sta')
    await page.keyboard.press('Enter')
    await main.getByRole('button', { name: 'Do not allow United States' }).waitFor()
    await main.getByLabel('Calls a day').fill('25')
    await main.getByLabel('Spend on texts a day').fill('12.5 USD')
    await main.getByLabel('Prefixes blocked').fill('1242')
    await main.getByRole('button', { name: 'Save the policy' }).click()
    await main.getByRole('alert').waitFor()
    await main.getByLabel('Prefixes blocked').fill('+1242')
    await checkBothThemes(page, 'destinations', 'destinations')
    await main.getByRole('button', { name: 'Save the policy' }).click()
    await page.getByText('The policy was saved.').waitFor()
    await main.getByText('of 25').waitFor()
    const { data } = (await portal.t.call('GET', path, { as: portal.t.main.testKey })).json
    assert.deepEqual(
      [data.allowedCountries, data.allowedKinds, data.blockedPrefixes, data.dailyCalls, data.dailySpend],
      [['US'], ['premium_rate'], ['+1242'], 25, [{ currency: 'USD', amount: '12.5' }]],
    )
    await ask(premium)
    await main.getByText('Allowed', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { path: '/destinations', role: 'Sales Manager' })
    await reader.getByLabel('Calls a day').waitFor()
    assert.ok(await reader.getByLabel('Calls a day').isDisabled())
    assert.equal(await reader.getByRole('button', { name: 'Save the policy' }).count(), 0)
  })
})
