// Domains in the portal: one is added with the keyboard, its rows are there to copy, and looked up; of mail, and of the organization.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'

describe('domains in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  for (const { path, add, rows, copied } of [
    { path: '/mail-domains', add: 'Add a mail domain', rows: 'DNS records of', copied: /^Value of the .* record$/ },
    { path: '/domains', add: 'Add a domain', rows: 'DNS record of', copied: /^Value of the TXT record$/ },
  ]) {
    test(`${add}: its rows are copied into the DNS and looked up`, async t => {
      const page = await portal.newPage(t, { allow: [/status of 4(00|22)/] })
      await portal.logIn(page, { path })
      await page.getByRole('button', { name: 'Add a domain' }).first().click()
      const form = page.getByRole('dialog', { name: add })
      await form.getByLabel('Domain').fill('no domain')
      await page.keyboard.press('Enter')
      await form.getByRole('alert').first().waitFor()
      await form.getByLabel('Domain').fill('copied.invalid')
      await page.keyboard.press('Enter')
      await form.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: `${rows} copied.invalid` }).click()
      const dialog = page.getByRole('dialog', { name: `${rows} copied.invalid` })
      assert.ok((await dialog.getByText(copied).count()) > 0)
      await checkBothThemes(page, add, 'domain-rows')
      await dialog.getByRole('button', { name: 'Look up now' }).click()
      await dialog
        .getByText(/not found|nothing at that name/)
        .first()
        .waitFor()
    })
  }
})
