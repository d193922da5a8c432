// Passkeys in the portal, with an authenticator of Chromium's (WebAuthn Level 3 §11): added, used for the login by button, and offered by
// the field of the name; at an address they are not offered, and the page says where they are.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ownPassword, somebody } from '../../server/test/people.ts'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'

describe('passkeys in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const origin = () => portal.t.app.services.ownAddress()?.replace('127.0.0.1', 'localhost') as string

  async function enter(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email or admin ID').fill(email)
    await page.getByLabel('Password').fill(ownPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
  }

  async function logOut(page: Page): Promise<void> {
    await button(page, /^Account of/).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByLabel('Password').waitFor()
  }

  test('one is added, logs in by the button, and is offered by the field of the name', async t => {
    const { email } = await somebody(portal.t)
    const page = await portal.newPage(t, { origin: origin(), allow: [/status of 4(01|22)/] })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        // What is offered by the field is not taken until the test says so.
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${origin()}/login?next=/account`)
    await enter(page, email)
    await button(page, 'Add a passkey').click()
    await page.getByText('Your recovery codes').waitFor()
    await page.getByRole('dialog').getByLabel('I’ve stored it safely').check()
    await button(page, 'Done').click()
    await button(page, 'Remove Passkey').waitFor()
    await checkBothThemes(page, 'an account with a passkey', 'account-passkey')
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    assert.deepEqual(
      credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential]),
      [['localhost', true]],
    )

    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
    await logOut(page)
    await checkBothThemes(page, 'the login with a passkey', 'login-passkey')
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
    await button(page, 'Log in with a passkey').click()
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
    await page.getByText(/^Passkey, last used/).waitFor()
  })

  test('at an address nothing is offered, and the account says where to go', async t => {
    const { email } = await somebody(portal.t)
    const page = await portal.newPage(t)
    await page.goto('/login?next=/account')
    await page.getByLabel('Password').waitFor()
    assert.equal(await button(page, 'Log in with a passkey').count(), 0)
    await enter(page, email)
    await page.getByRole('link', { name: origin() }).waitFor()
    assert.equal(await button(page, 'Add a passkey').count(), 0)
  })
})
