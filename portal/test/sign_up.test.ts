// Signing up in the portal: from the login to an organization of one's own, with a keyboard, and one more from the menu of organizations.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newOperator } from '../../server/test/operators.ts'
import { tokenMailed } from '../../server/test/people.ts'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'
import { enterAsOperator, secondFactorAsked } from './journeys.ts'

describe('signing up in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ work: false, env: { TANDEM_SIGN_UP: 'open' } })
  const password = 'seven brass lanterns drift'

  test('from the login by the mail to an organization, and to a second one', async t => {
    const page = await portal.newPage(t, { allow: [/status of 4(00|03|22)/] })
    await page.goto('/login')
    await page.getByRole('link', { name: 'Sign up' }).click()
    // The login's own field begins with the same word, and is there until the other page is.
    await page.getByLabel('Email', { exact: true }).fill('grace@new.example')
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Organization name').fill('Example GmbH')
    await checkBothThemes(page, 'signing up', 'sign_up')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('We sent an email to grace@new.example').waitFor()
    await page.goto(`/sign-up#${await tokenMailed(portal.t, 'grace@new.example')}`)
    await page.getByLabel('Password').fill('too short')
    await page.keyboard.press('Enter')
    await page
      .getByText(/at least 15/)
      .first()
      .waitFor()
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Log in with grace@new.example').waitFor()
    await page.getByRole('link', { name: 'Go to login' }).click()
    await page.getByLabel('Email or admin ID').fill('grace@new.example')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Organization: Example GmbH/ }).click()
    await page.getByRole('menuitem', { name: 'Create an organization' }).click()
    await page.getByLabel('Name of the organization').fill('Northwind')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('button', { name: /^Organization: Northwind/ }).waitFor()
    const [row] = await portal.t.ownerSql<{ n: number }>(
      "select count(*)::int as n from users where email = 'grace@new.example'",
    )
    assert.equal(row?.n, 2)
  })

  test('where only operators make organizations nothing is offered', async t => {
    const { organizations } = portal.t.app.services
    organizations.signUp = 'closed'
    try {
      const page = await portal.newPage(t)
      await page.goto('/login')
      await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Sign up' }).count(), 0)
      await page.goto('/sign-up')
      await page.getByText('created by the people who run it').waitFor()
    } finally {
      organizations.signUp = 'open'
    }
  })

  test('an operator makes a code, which is shown once, and takes it back', async t => {
    const page = await portal.newPage(t, { allow: [secondFactorAsked] })
    await enterAsOperator(portal.t, page, await newOperator(portal.t))
    await page.getByRole('button', { name: 'Create a code' }).click()
    await page.getByLabel('For whom').fill('Ada, Northwind')
    await page.getByRole('button', { name: 'Create code' }).click()
    await page.getByText(/^org_[\w-]{24}$/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Remove the code Ada, Northwind' }).click()
    await page.getByText('No codes yet.').waitFor()
  })
})
