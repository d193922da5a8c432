// Accepting an invitation in the portal, by anyone who opens its link: nobody, somebody new, somebody with an account, somebody else; and when
// there is nothing to accept.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ownPassword, somebody } from '../../server/test/people.ts'
import { checkBothThemes, chromiumMissing, countCalls, noHorizontalScroll, portalForTests } from './browser.ts'

describe('invitations in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

  const invite = async (email: string) => {
    const body = { email, role: 'Finance Manager' }
    const { json, text } = await portal.t.call('POST', '/v2/invitations', { as: portal.t.other.tokens.Admin, body })
    assert.ok(json.data, text)
    return { path: `/invite${new URL(json.data.acceptUrl).hash}`, id: json.data.invitationId }
  }
  async function fillLogin(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email or admin ID').fill(email)
    await page.getByLabel('Password').fill(ownPassword)
    await page.keyboard.press('Enter')
  }

  test('without a token nothing is asked of the server', async t => {
    const page = await portal.newPage(t)
    await page.goto('/invite')
    await page.getByText(/Open the link from your invitation email/).waitFor()
    assert.deepEqual(countCalls(page).byRoute, {})
    await checkBothThemes(page, 'an invitation without a token', 'invite-none')
  })

  test('who is logged in as somebody else logs out, logs in with the account of the address, and accepts', async t => {
    const [wrong, right] = [await somebody(portal.t), await somebody(portal.t)]
    const page = await portal.newPage(t)
    await page.goto('/login?next=/account')
    await fillLogin(page, wrong.email)
    await heading(page, 'My account').waitFor()
    await page.goto((await invite(right.email)).path)
    await page.getByText(`You’re logged in as ${wrong.email},`, { exact: false }).waitFor()
    for (const name of ['Accept', 'Decline']) assert.equal(await button(page, name).count(), 0)
    await checkBothThemes(page, 'an invitation of somebody else', 'invite-other')
    await button(page, 'Log out and continue').click()
    await page.getByText('This email address already has an account.', { exact: false }).waitFor()
    await checkBothThemes(page, 'an invitation of an account', 'invite-account')
    await page.getByRole('link', { name: 'Log in', exact: true }).click()
    await fillLogin(page, right.email)
    await button(page, 'Accept').click()
    await button(page, 'Organization: Other Company').waitFor()
  })

  test('an invitation is declined once, and is over then', async t => {
    const page = await portal.newPage(t, { allow: [/status of 410/], width: 390, height: 844 })
    const { path } = await invite('declines@example.com')
    await page.goto(path)
    await noHorizontalScroll(page)
    await button(page, 'Decline').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await heading(page, 'Invitation declined').waitFor()
    await page.goto('/login')
    await page.goto(path)
    await heading(page, 'This invitation has expired').waitFor()
    await checkBothThemes(page, 'an invitation that is over', 'invite-over')
  })

  test('one that was revoked is over; who became a member by another way sees that', async t => {
    const page = await portal.newPage(t, { allow: [/status of 410/] })
    const { path, id } = await invite('revoked@example.com')
    await portal.t.call('POST', `/v2/invitations/${id}/revoke`, { as: portal.t.other.tokens.Admin })
    await page.goto(path)
    await heading(page, 'This invitation has expired').waitFor()
    const email = 'already@example.com'
    const open = await invite(email)
    const body = { email, name: 'Already', role: 'Sales Manager', password: ownPassword, temporaryPassword: false }
    const made = await portal.t.call('POST', '/v1/api/users', { as: portal.t.other.tokens.Admin, body })
    assert.equal(made.status, 201, made.text)
    await page.goto('/login')
    await page.goto(open.path)
    await heading(page, 'You’re already a member').waitFor()
    assert.equal(await button(page, 'Accept').count(), 0)
    await checkBothThemes(page, 'an invitation of a member', 'invite-member')
  })
})
