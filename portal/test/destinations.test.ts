// The destination policies in the portal: an Admin asks about a number, opens and narrows, sees it hold; others only read.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, tabTo } from './browser.ts'
import { seedTrunk } from './seed_voice.ts'

describe('destinations in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const premium = '+19005551234'
  const path = '/v2/destinations/policies/organization'

  test('a number is asked about, its kind opened, countries chosen by name, a fault shown beside its field', async t => {
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
    await main.getByLabel('Allow premium-rate numbers').check()
    await tabTo(page, main.getByRole('combobox', { name: 'Allow a country' }))
    await page.keyboard.type('united sta')
    await page.keyboard.press('Enter')
    await main.getByRole('button', { name: 'Remove United States' }).waitFor()
    await main.getByLabel('Calls per day').fill('25')
    await main.getByLabel('Spending per day').fill('12.5 USD')
    await main.getByLabel('Blocked prefixes').fill('1242')
    await main.getByRole('button', { name: 'Save policy' }).click()
    await main.getByRole('alert').waitFor()
    await main.getByLabel('Blocked prefixes').fill('+1242')
    await checkBothThemes(page, 'destinations', 'destinations')
    await main.getByRole('button', { name: 'Save policy' }).click()
    await page.getByText('The policy was saved.').waitFor()
    await main.getByText('(of 25)').waitFor()
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
    await reader.getByLabel('Calls per day').waitFor()
    assert.ok(await reader.getByLabel('Calls per day').isDisabled())
    assert.equal(await reader.getByRole('button', { name: 'Save policy' }).count(), 0)
  })

  test('an API key gets a policy of its own from its menu, which holds, is listed, and is removed again', async t => {
    const page = await portal.newPage(t)
    const { json } = await portal.t.call('POST', '/v2/auth/api-keys', {
      as: portal.t.main.liveKey,
      body: { name: 'Night job', mode: 'test' },
    })
    const { secret, keyId } = json.data
    await portal.logIn(page, { path: '/keys' })
    const open = async () => {
      await page.getByRole('button', { name: 'Actions for Night job' }).click()
      await page.getByRole('menuitem', { name: 'What it can call and text' }).click()
    }
    await open()
    const dialog = page.getByRole('dialog', { name: 'Destinations of Night job' })
    const asOrganization = dialog.getByLabel('Same kinds of numbers as the organization')
    await asOrganization.waitFor()
    assert.ok(await asOrganization.isChecked())
    assert.equal(await dialog.getByLabel('Allow premium-rate numbers').count(), 0)
    await asOrganization.uncheck()
    await dialog.getByLabel('Allow premium-rate numbers').waitFor()
    await dialog.getByLabel('Concurrent calls').fill('2')
    await dialog.getByLabel('Spending per day').fill('5 USD')
    await checkBothThemes(page, 'the policy of a key', 'key-policy')
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await tabTo(page, dialog.getByRole('button', { name: 'Save policy' }))
    await page.keyboard.press('Enter')
    await page.getByText('The policy was saved.').waitFor()
    const { data } = (await portal.t.call('GET', `/v2/destinations/policies/${keyId}`, { as: portal.t.main.testKey }))
      .json
    assert.deepEqual(
      [data.allowedKinds, data.concurrentCalls, data.dailySpend],
      [[], 2, [{ currency: 'USD', amount: '5' }]],
    )
    const child = await portal.t.call('POST', '/v2/auth/api-keys', {
      as: secret,
      body: { name: 'Child', mode: 'test' },
    })
    assert.equal(child.json.error.code, 'scope_not_held', 'it holds')
    await page.goto(new URL('/destinations', page.url()).href)
    const list = page.getByRole('table', { name: 'Policies of API keys and trunks' })
    await list.getByRole('row', { name: keyId }).getByText('Current calls: 0 (of 2)').waitFor()
    await list.getByRole('link', { name: keyId }).click()
    await open()
    await dialog.getByRole('button', { name: 'Delete policy' }).click()
    await page.getByText('The policy was deleted.').waitFor()
    await asOrganization.waitFor()
    assert.ok(await asOrganization.isChecked())
  })

  test('a trunk has its policy on its page, and the cost of a minute in its routes', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    const as = portal.t.main.liveKey
    const trunkId = await seedTrunk(portal.t)
    await portal.logIn(page, { path: `/trunks/${trunkId}`, mode: 'live' })
    const policy = page.getByRole('group', { name: 'Policy of Example Voice' })
    await policy.getByLabel('Concurrent calls').fill('ten')
    await policy.getByRole('button', { name: 'Save policy' }).click()
    await policy.getByRole('alert').waitFor()
    await policy.getByLabel('Concurrent calls').fill('10')
    await policy.getByLabel('Calls per day').fill('500')
    await policy.getByLabel('Spending per day').fill('20 EUR')
    await checkBothThemes(page, 'a trunk with its policy', 'trunk-policy')
    await policy.getByRole('button', { name: 'Save policy' }).click()
    await page.getByText('The policy was saved.').waitFor()
    const { data } = (await portal.t.call('GET', `/v2/destinations/policies/${trunkId}`, { as })).json
    assert.deepEqual(
      [data.allowedKinds, data.concurrentCalls, data.dailyCalls, data.dailySpend],
      [null, 10, 500, [{ currency: 'EUR', amount: '20' }]],
    )
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Currency').fill('eur')
    await page.getByLabel(/^Cost per minute.*\(1\)/).fill('0,009')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('cell', { name: '0.009' }).waitFor()
    const trunk = (await portal.t.call('GET', `/v2/voice/trunks/${trunkId}`, { as })).json.data
    assert.deepEqual([trunk.currency, trunk.routes[0].cost, trunk.routes[1].cost], ['EUR', '0.009', '0'])
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
  })
})
