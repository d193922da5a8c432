// Every screen there is on a telephone, in the dark: none sticks out sideways, and the keyboard finds a way through each
// that can be seen.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility, chromiumMissing, focusIsVisible, noHorizontalScroll, screenshot } from './browser.ts'
import { everyScreen, narrow, screensForTests } from './every_screen.ts'

describe('every screen on a telephone', { skip: chromiumMissing }, () => {
  const screens = screensForTests()

  for (const screen of everyScreen) {
    const { id } = screen
    test(`${id}: fits a telephone, in the dark, with a keyboard's way through it that can be seen`, async t => {
      const page = await screens.portal.newPage(t, { ...narrow, theme: 'dark' })
      await screens.open(page, screen)
      await noHorizontalScroll(page, id)
      await screenshot(page, `${id}-narrow`)
      await checkAccessibility(page, { name: `${id}, narrow, dark` })
      const stops = new Set<string>()
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab')
        await focusIsVisible(page)
        const stop = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300) ?? '')
        if (presses > 5 && stop.startsWith('<body')) break
        stops.add(stop)
      }
      assert.ok(stops.size >= 3, `Tab finds ${stops.size} stops`)
    })
  }
})
