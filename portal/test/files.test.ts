// Files of the portal that do not come: a screen gets there by itself, never shows without its looks, and its button works;
// after a new version, or a restart, nobody has to load the page by hand.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readBundle } from '../../server/src/portal/index.ts'
import {
  checkBothThemes,
  chromiumMissing,
  goByNavigation,
  type Portal,
  portalForTests,
  screenReady,
} from './browser.ts'
import { builtPortal } from './built.ts'

const noise = /Failed to load resource|net::ERR|Unable to preload CSS/
const title = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { level: 1, name })
const open = goByNavigation

/** Fails the requests of a file until the returned function is called; counts them. */
async function failing(page: Page, file: string | RegExp): Promise<{ asked(): number; mend(): void }> {
  let broken = true
  let count = 0
  await page.route(file, route => {
    if (!broken) return route.continue()
    count++
    return route.fulfill({ status: 503, body: '' })
  })
  return {
    asked: () => count,
    mend: () => {
      broken = false
    },
  }
}

type Bundle = ReturnType<typeof readBundle>

/** The same portal under other names, as a new version has them. */
function renamed(bundle: Bundle): Bundle {
  const names = [...bundle.files.keys()].filter(name => /\.(?:js|css)$/.test(name))
  const swap = (text: string) =>
    names.reduce((all, name) => {
      const base = name.slice('/_built/'.length)
      return all.replaceAll(base, base.replace(/-([\w-]+)\./, '-new$1.'))
    }, text)
  const files = [...bundle.files].map(([name, file]): [string, typeof file] => {
    if (!/\.(?:js|css)$/.test(name)) return [name, file]
    return [swap(name), { ...file, hash: `${file.hash}n`, body: Buffer.from(swap(file.body.toString())), encoded: {} }]
  })
  return { page: bundle.page.map(swap), files: new Map(files) }
}

describe('files of the portal that do not come', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const start = async (t: Parameters<Portal['newPage']>[0]) => {
    const page = await portal.newPage(t, { allow: [noise] })
    await portal.logIn(page)
    return page
  }

  test('a script that failed comes by itself; one that goes on failing comes by the button', async t => {
    const page = await start(t)
    const script = await failing(page, /usage_screen-[\w-]+\.js/)
    await open(page, 'Usage')
    await title(page, 'This page could not be loaded').waitFor({ timeout: 20_000 })
    assert.ok(script.asked() > 1)
    await checkBothThemes(page, 'a page whose files fail', 'files failing')
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Try again' }).click()
    await loaded
    script.mend()
    await title(page, 'Usage').waitFor()
    const once = await failing(page, /leads_screen-[\w-]+\.js/)
    await open(page, 'Leads')
    while (once.asked() === 0) await page.waitForTimeout(20)
    once.mend()
    await title(page, 'Leads').waitFor({ timeout: 20_000 })
  })

  test('the sheet of the whole portal: nothing shows before it is there', async t => {
    const page = await portal.newPage(t, { allow: [noise] })
    const css = await failing(page, /\/_built\/[\w-]+\.css/)
    await page.goto('/login')
    await page.getByText(/^Loading Tandem/).waitFor()
    assert.equal(await page.getByRole('button').count(), 0)
    css.mend()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    const colour = await page.getByRole('button', { name: 'Log in' }).evaluate(button => getComputedStyle(button).color)
    assert.equal(colour, 'rgb(255, 255, 255)')
  })

  test('after a new version, and while the server is away or builds, the screen asked for still opens', async t => {
    const bundle = readBundle(await builtPortal())
    const page = await start(t)
    t.after(() => portal.t.app.showPortal({ kind: 'portal', bundle }))
    portal.t.app.showPortal({ kind: 'portal', bundle: renamed(bundle) })
    await open(page, 'Events')
    await title(page, 'Events').waitFor({ timeout: 20_000 })
    await screenReady(page)

    portal.t.app.showPortal({ kind: 'building' })
    await open(page, 'Logs')
    await page.getByRole('heading', { name: 'We can’t reach the server' }).waitFor()
    portal.t.app.showPortal({ kind: 'portal', bundle })
    await title(page, 'Logs').waitFor({ timeout: 20_000 })
  })
})
