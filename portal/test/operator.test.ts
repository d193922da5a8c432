// The operator console: who acts suspends an organization and takes an operator back; who looks is offered nothing to act with; who is
// neither learns it by a refusal.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newOperator } from '../../server/test/operators.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests } from './browser.ts'
import { enterAsOperator, secondFactorAsked } from './journeys.ts'

describe('the operator console', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const allow = [secondFactorAsked]

  test('an operator suspends an organization and resumes it, and removes another operator once asked', async t => {
    const other = await newOperator(portal.t, 'support')
    const page = await portal.newPage(t, { allow })
    await enterAsOperator(portal.t, page, await newOperator(portal.t))
    await button(page, 'Suspend Other Company').click()
    await page.getByLabel('Reason').fill('An invoice is not paid.')
    await page.keyboard.press('Enter')
    await page.getByText('Reason: An invoice is not paid.').waitFor()
    await checkBothThemes(page, 'the operator console', 'operator')
    await button(page, 'Resume Other Company').click()
    await button(page, 'Resume').click()
    await button(page, 'Suspend Other Company').waitFor()
    await button(page, `Remove ${other.email}`).click()
    const dialog = page.getByRole('dialog', { name: `Remove the operator ${other.email}?` })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.waitFor({ state: 'detached' })
    await button(page, `Remove ${other.email}`).waitFor({ state: 'detached' })
  })

  test('an operator changes the name of an organization, and how many mails it may send a day', async t => {
    const page = await portal.newPage(t, { allow: [...allow, /status of 400/] })
    await enterAsOperator(portal.t, page, await newOperator(portal.t))
    await button(page, 'Edit Other Company').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Other Company' })
    const save = dialog.getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled(), 'nothing was changed')
    await dialog.getByLabel('Emails a day').fill('a few')
    await save.click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Emails a day').fill('500')
    await dialog.getByLabel('Name of the organization').fill('Another Company')
    await checkBothThemes(page, 'changing an organization', 'operator-edit')
    await page.keyboard.press('Enter')
    await page.getByText('Another Company was saved.').waitFor()
    await page.getByText('At most 500 emails a day').waitFor()
    await button(page, 'Edit Another Company').click()
    const again = page.getByRole('dialog', { name: 'Edit Another Company' })
    await again.getByLabel('Emails a day').fill('')
    await again.getByLabel('Name of the organization').fill('Other Company')
    await again.getByRole('button', { name: 'Save' }).click()
    await page.getByText('At most 500 emails a day').waitFor({ state: 'detached' })
    await button(page, 'Suspend Other Company').waitFor()
  })

  test('an operator who may only look is offered nothing that would be refused', async t => {
    const page = await portal.newPage(t, { allow, width: 390, height: 844 })
    await enterAsOperator(portal.t, page, await newOperator(portal.t, 'support'))
    await page.getByText('you see all organizations, but can’t change any').waitFor()
    const main = page.getByRole('main')
    await main.getByText('Other Company').waitFor()
    assert.deepEqual(await main.getByRole('button').allInnerTexts(), [])
    await noHorizontalScroll(page)
  })

  test('an operator releases what a restore holds, once it is chosen what becomes of it', async t => {
    const page = await portal.newPage(t, { allow })
    await enterAsOperator(portal.t, page, await newOperator(portal.t))
    await page.getByRole('link', { name: 'Status', exact: true }).click()
    await button(page, 'Hold everything').click()
    await page.getByLabel('Reason').fill('Restored from the backup of yesterday.')
    await page.keyboard.press('Enter')
    await page.getByText('Restored from the backup of yesterday.').waitFor()
    await page.getByText('Emails waiting').waitFor()
    await checkBothThemes(page, 'the status with everything held', 'operator_sending')
    await button(page, 'Release').click()
    const dialog = page.getByRole('dialog', { name: 'Release what is held?' })
    assert.equal(await dialog.getByRole('button', { name: 'Release' }).isDisabled(), true)
    await dialog.getByLabel('Texts and emails from before the hold').selectOption('Let them expire; send the rest')
    await dialog.getByRole('button', { name: 'Release' }).click()
    await page.getByText('go out as usual.').waitFor()
  })

  test('who is no operator reads so', async t => {
    const page = await portal.newPage(t, { allow: [/status of 403.*\/v2\/operator/] })
    await portal.logIn(page, { path: '/operator' })
    await page.getByRole('heading', { name: 'You’re not an operator here' }).waitFor()
    assert.equal(await button(page, 'Create an organization').count(), 0)
  })
})
