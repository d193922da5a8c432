// Large answers: 5 MB are read at once, 50 MB ask first and can be downloaded; the page never freezes. Looked at
// in the page itself, from the last byte of the answer on.
// test: programs
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import { checkAccessibility, chromiumMissing, type Portal, screenReady, startPortal } from './browser.ts'
import { type Front, startFront } from './front.ts'
import { openPages, type Pages } from './pages.ts'

/** What no machine needs, however busy, unless the page freezes. The goals themselves are measured by bench/portal_bodies.ts. */
const FROZEN_MS = 5_000

describe('large answers in the Playground', { skip: chromiumMissing }, () => {
  let portal: Portal
  let front: Front
  let pages: Pages
  before(async () => {
    portal = await startPortal()
    front = await startFront(portal.address)
    pages = await openPages({ address: front.address })
  })
  after(async () => {
    await pages?.close()
    await front?.close()
    await portal?.close()
  })

  async function open(t: Parameters<Pages['newPage']>[0], path: string): Promise<Page> {
    const page = await pages.newPage(t)
    const answer = await page.context().request.post(`${front.address}/portal/session`, {
      headers: { 'x-tandem-portal': '1', origin: front.address },
      data: { emailOrAdminId: portal.t.main.users['Admin'].email, password: testPassword },
    })
    assert.equal(answer.status(), 200, await answer.text())
    await page.goto(`/playground?method=GET&path=${path}`)
    await screenReady(page)
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await page.evaluate(watchTasks)
    return page
  }

  test('5 MB: first rows soon after the last byte, no long task, few nodes, quick find', async t => {
    const page = await open(t, '/big/5000000')
    const rows = page.getByRole('textbox', { name: 'Response body' })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await rows.getByText('"status"').first().waitFor()
    const { firstRowsMs, longestTaskMs } = await page.evaluate(readTasks)
    t.diagnostic(
      `first rows ${firstRowsMs.toFixed(0)} ms after the last byte, longest task ${longestTaskMs.toFixed(0)} ms`,
    )
    assert.ok(firstRowsMs < FROZEN_MS, `first rows after ${firstRowsMs} ms`)
    assert.ok(longestTaskMs < FROZEN_MS, `a task of ${longestTaskMs} ms`)
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    assert.ok(nodes < 2_000, `${nodes} nodes`)
    await page.getByRole('searchbox', { name: 'Find in body' }).fill('needle')
    const startMs = Date.now()
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await rows.getByText('needle').waitFor()
    const foundMs = Date.now() - startMs
    t.diagnostic(`found in ${foundMs} ms`)
    assert.ok(foundMs < FROZEN_MS, `found after ${foundMs} ms`)
    await page.getByText('needle').click()
    await page.getByText('/last').waitFor()
    await rows.press('Home')
    await rows.press('ArrowDown')
    await page.getByText('/status').waitFor()
    await checkAccessibility(page, { name: '5 MB' })
    assert.match((await page.getByLabel('Status and time').textContent()) ?? '', /5\.0 MB/)
  })

  test('50 MB: a card first, the page stays responsive, download and view work', async t => {
    const page = await open(t, '/big/50000000')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('50.0 MB of application/json').waitFor({ timeout: 30_000 })
    const { longestTaskMs } = await page.evaluate(readTasks)
    t.diagnostic(`longest task ${longestTaskMs.toFixed(0)} ms`)
    assert.ok(longestTaskMs < FROZEN_MS, `a task of ${longestTaskMs} ms`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await (await downloading).path()
    assert.ok(statSync(file).size > 49_900_000)
    await page.getByRole('button', { name: 'View' }).click()
    const rows = page.getByRole('textbox', { name: 'Response body' })
    await rows.getByText('"status"').first().waitFor({ timeout: 60_000 })
    await rows.press('End')
    await rows.getByText('needle').waitFor()
  })

  test('a body of one long line is read too', async t => {
    const page = await open(t, '/big/300000')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const rows = page.getByRole('textbox', { name: 'Response body' })
    await rows.getByText('"status"').first().waitFor()
    await page.locator('label').filter({ hasText: /^Raw$/ }).click()
    await page.getByRole('searchbox', { name: 'Find in body' }).fill('needle')
    await rows.getByText('needle').waitFor()
  })
})

type Watched = { tasks: PerformanceEntry[]; rowsAtMs: number }

/** Runs in the page: notes long tasks, and when the first rows of a body appear. */
function watchTasks(): void {
  const watched: Watched = { tasks: [], rowsAtMs: 0 }
  Object.assign(globalThis, { watched, lastByteMs: 0 })
  new PerformanceObserver(list => void watched.tasks.push(...list.getEntries())).observe({ type: 'longtask' })
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      if (entry.name.includes('/big/')) Object.assign(globalThis, { lastByteMs: entry.responseEnd })
    }
  }).observe({ type: 'resource' })
  new MutationObserver(() => {
    const body = document.querySelector('[aria-label="Response body"]')
    if (watched.rowsAtMs === 0 && body?.textContent?.includes('"status"')) watched.rowsAtMs = performance.now()
  }).observe(document.body, { childList: true, subtree: true })
}

function readTasks(): { firstRowsMs: number; longestTaskMs: number } {
  const { watched, lastByteMs } = globalThis as unknown as { watched: Watched; lastByteMs: number }
  const after = watched.tasks.filter(task => task.startTime + task.duration >= lastByteMs)
  return {
    firstRowsMs: watched.rowsAtMs - lastByteMs,
    longestTaskMs: Math.max(0, ...after.map(task => task.duration)),
  }
}
