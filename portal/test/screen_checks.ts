// What every screen is held to: none may break the policy, fail a reader who cannot see, ask the server more than it needs,
// weigh more than its budget, stick out of a telephone, or hide where the focus is.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isHost } from '../../server/src/kernel/noun/hosts.ts'
import { allTables, referencesTo } from '../../server/src/kernel/noun/registry.ts'
import { verbsOf } from '../../server/src/kernel/noun/spec.ts'
import { sides } from '../src/navigation/screen.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  screenshot,
  walkByTab,
} from './browser.ts'
import { type Build, readBuild } from './built.ts'
import { everyScreen, mainScreens, narrow, type Screen, screensForTests, wide } from './every_screen.ts'

const callsAllowed = 4
/** Calls on top, of pages with lists of what belongs to a record, or is the same: one each, the events on that of a lead, and the proof below the audit log. */
const belonging = (id: string) =>
  relatedTo(id) + Number(mayBeTwice(id)) + (id === 'lead' || id === 'audit' ? 2 : (cards[id] ?? 0))
/** Pages of cards that know nothing of one another: on the account, its factors, sessions, browsers, organizations, and whether one may leave. */
const cards: Record<string, number> = {
  account: 2,
  conversation: 6,
  inbox: 2,
  contact: 2,
  company: 2,
  invoice: 2,
  user: 1,
}
const relatedTo = (id: string) => referencesTo(id).filter(({ noun }) => isHost(noun.spec)).length
const mayBeTwice = (id: string) =>
  allTables().some(({ spec }) => spec.names[0] === id && verbsOf(spec).includes('duplicates'))
const kib = 1024
/** KiB of what comes behind every screen: the numbers of telephones by country, what opens at the first sign of a person. */
const later = 20
/** KiB that a screen may fetch on top, behind what is there first: the editor, and what draws charts. */
const behind: Record<string, number> = { playground: 140, usage: 24 }

/** Of all that the router knows: each is of one kind, and each kind has a file of tests. */
type ScreenKind = 'workspace' | 'developers' | 'record'

function kindOf({ id, path }: Screen): ScreenKind {
  if (path.includes('$')) return 'record'
  const developers: readonly string[] = sides.developers.entries
  const entries = mainScreens.find(screen => screen.id === id)?.entries ?? []
  return entries.some(entry => developers.includes(entry)) ? 'developers' : 'workspace'
}

export function testScreens(name: string, kind: ScreenKind): void {
  describe(name, { skip: chromiumMissing }, () => {
    const screens = screensForTests()
    let build: Build
    before(async () => {
      build = await readBuild()
      await screens.carried()
    })

    for (const screen of everyScreen.filter(screen => kindOf(screen) === kind)) {
      const { id } = screen
      test(`${id}: named, frugal, within its budget, and for everybody, on a telephone and with the keyboard too`, async t => {
        const page = await screens.portal.newPage(t, wide)
        await screens.open(page, screen)
        const { total, byRoute } = countCalls(page)
        assert.ok(total <= callsAllowed + belonging(id), `${total} calls: ${JSON.stringify(byRoute, null, 1)}`)
        assert.equal(await page.getByRole('main').count(), 1)
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
        assert.match(await page.title(), /^\S.* · Tandem$/)
        if (!screen.path.includes('$')) assert.equal(await page.title(), `${screen.name} · Tandem`)
        await withinBudget(page, build, 210 + later + (behind[id] ?? 0))
        await noHorizontalScroll(page, id)
        await checkBothThemes(page, id, id)
        await page.setViewportSize(narrow)
        await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
        await noHorizontalScroll(page, `${id} on a telephone`)
        await screenshot(page, `${id}-narrow`)
        await checkAccessibility(page, { name: `${id} on a telephone` })
        const stops = await walkByTab(page, 40)
        assert.ok(stops.size >= (screen.bare || screen.public ? 1 : 3), `Tab finds ${stops.size} stops`)
      })
    }
  })
}

async function withinBudget(page: Page, build: Build, limitKib: number): Promise<void> {
  const files = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
  )
  const scripts = [...new Set(files)].filter(file => file.endsWith('.js'))
  const bytes = scripts.reduce((sum, file) => sum + build.gzipBytes(file), 0)
  const reported = `${Math.round(bytes / kib)} KiB of script: ${scripts.join(' ')}`
  assert.ok(scripts.length > 0 && bytes <= limitKib * kib, reported)
}
