// Screens for each role: those it may not see say so in words, all others stand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility, chromiumMissing, watchOf } from './browser.ts'
import { everyScreen, mainScreens, screensForTests, wide } from './every_screen.ts'

describe('screens for each role', { skip: chromiumMissing }, () => {
  const screens = screensForTests()

  for (const [role, ids] of [
    ['Sales Executive', ['invoices', 'invoice', 'webhooks', 'webhook']],
    ['Finance Manager', ['leads', 'lead', 'callbacks', 'delivery']],
  ] as const) {
    test(`a ${role} is told in words that ${ids.join(' and ')} are not for them`, async t => {
      for (const id of ids) {
        const page = await screens.portal.newPage(t, { ...wide, allow: [/status of 403/] })
        const screen = everyScreen.find(screen => screen.id === id)
        assert.ok(screen !== undefined)
        await screens.open(page, screen, { role })
        const text = await page.getByRole('main').innerText()
        assert.match(text, /role|permission|not allowed|may not/i, `${id}: ${text.slice(0, 300)}`)
        await checkAccessibility(page, { name: `${id} as ${role}` })
        await page.close()
      }
    })
  }

  for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const) {
    test(`every screen stands for a ${role}`, async t => {
      const page = await screens.portal.newPage(t, { ...wide, allow: [/status of 403/] })
      for (const screen of mainScreens) {
        await screens.open(page, screen, { role })
        await watchOf(page).finish()
      }
    })
  }
})
