// Phones in the portal: one is added, its password shown once with what is typed into the phone; it registers, is seen, and removed.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freePort } from '../../scripts/testing/free_port.ts'
import { sipEnv } from '../../server/test/engines/sip_carrier.ts'
import { openTestPhone } from '../../server/test/engines/sip_phones.ts'
import { checkBothThemes, chromiumMissing, portalForTests, screenshot } from './browser.ts'

const port = await freePort()
const env = { ...sipEnv, TANDEM_SIP_DOMAIN: 'phones.test', TANDEM_SIP_PORT: String(port) }

describe('phones in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ env })

  test('a phone is added, registers, is seen, and is removed', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/phones' })
    await page.getByRole('heading', { name: 'No phones yet' }).waitFor()
    await page.getByRole('button', { name: 'Create a phone' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Front Desk')
    await dialog.getByRole('button', { name: 'Create phone' }).click()
    await dialog.getByText(/begin with a letter or digit/).waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('reception')
    await dialog.getByLabel(/^Display name/).fill('Reception')
    await checkBothThemes(page, "a phone's form", 'phone-form')
    await dialog.getByRole('button', { name: 'Create phone' }).click()
    await dialog.getByRole('heading', { name: 'Password of reception' }).waitFor()
    const password = (await dialog.locator('code').first().textContent()) ?? ''
    const user = `reception.test${portal.t.main.organizationId}`
    for (const text of [`phones.test:${port}`, user, 'UDP, TCP'])
      await dialog.getByText(text, { exact: true }).waitFor()
    await checkBothThemes(page, "a phone's password", 'phone-password')
    await dialog.getByLabel('I’ve stored it safely').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'reception' })
    await row.getByText('Not registered').waitFor()

    const phone = await openTestPhone(port, { credentialId: '', address: '', user, password })
    t.after(() => phone.close())
    for (let tries = 0; tries < 100; tries++) {
      const status = await phone.register({ headers: [['User-Agent', 'Example Phone 2']] }).then(
        reply => reply.status,
        () => 0,
      )
      if (status === 200) break
      assert.ok(tries < 99, `the phone is answered ${status}`)
    }
    await row.getByText('Registered', { exact: true }).waitFor()
    await row.getByText(/^Example Phone 2 at 127\.0\.0\.1:\d+$/).waitFor()
    await checkBothThemes(page, 'the list of phones', 'phones-list')
    await page.setViewportSize({ width: 390, height: 844 })
    await screenshot(page, 'phones-telephone')
    await page.setViewportSize({ width: 1440, height: 900 })

    const reader = await portal.newPage(t)
    await portal.logIn(reader, { path: '/phones', role: 'Finance Manager' })
    await reader.getByText(/You don’t have access to SIP phones/i).waitFor()
    const ask = async (what: string) => {
      await row.getByRole('button', { name: 'Actions for reception' }).click()
      await page.getByRole('menuitem', { name: what }).click()
    }
    await ask('Edit')
    await dialog.getByLabel(/^Display name/).fill('Front desk')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row.getByText('Front desk', { exact: true }).waitFor()
    await ask('New password')
    await dialog.getByRole('button', { name: 'Create password' }).click()
    await dialog.getByRole('heading', { name: 'Password of reception' }).waitFor()
    const renewed = (await dialog.locator('code').first().textContent()) ?? ''
    await dialog.getByLabel('I’ve stored it safely').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    assert.notEqual((await phone.register()).status, 200)
    assert.equal((await phone.register({ password: renewed })).status, 200)
    await ask('Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No phones yet' }).waitFor()
    assert.notEqual((await phone.register({ password: renewed })).status, 200)
  })
})
