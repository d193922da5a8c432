// Every screen there is, read from the list the router and the navigation are made from: none may break the policy, fail a
// reader who cannot see, ask the server more than it needs, or weigh more than its budget. On a telephone, and with the
// keyboard alone: screens_narrow.test.ts.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkBothThemes, chromiumMissing, countCalls, noHorizontalScroll } from './browser.ts'
import { type Build, readBuild } from './built.ts'
import { everyScreen, screensForTests, wide } from './every_screen.ts'

const callsAllowed = 4
const kib = 1024
/** KiB that a screen may fetch on top, behind what is there first: the editor, and what draws charts. */
const behind: Record<string, number> = { playground: 140, usage: 24 }

describe('every screen', { skip: chromiumMissing }, () => {
  const screens = screensForTests()
  let build: Build
  before(async () => {
    build = await readBuild()
  })

  for (const screen of everyScreen) {
    const { id } = screen
    test(`${id}: named, frugal, within its budget, and for everybody`, async t => {
      const page = await screens.portal.newPage(t, wide)
      await screens.open(page, screen)
      const { total, byRoute } = countCalls(page)
      assert.ok(total <= callsAllowed, `${total} calls: ${JSON.stringify(byRoute, null, 1)}`)
      assert.equal(await page.getByRole('main').count(), 1)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
      assert.match(await page.title(), /^\S.* · Tandem$/)
      if (!screen.path.includes('$')) assert.equal(await page.title(), `${screen.name} · Tandem`)
      const files = await page.evaluate(() =>
        performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
      )
      const scripts = [...new Set(files)].filter(file => file.endsWith('.js'))
      const bytes = scripts.reduce((sum, file) => sum + build.gzipBytes(file), 0)
      const limit = (200 + (behind[id] ?? 0)) * kib
      assert.ok(scripts.length > 0 && bytes <= limit, `${Math.round(bytes / kib)} KiB of script: ${scripts.join(' ')}`)
      await noHorizontalScroll(page, id)
      await checkBothThemes(page, id, id)
    })
  }
})
