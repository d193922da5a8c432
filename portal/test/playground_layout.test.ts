// How the Playground stands on the screen: the answer where it can be read, a failure in the place of the answer, the time of the
// network apart from that of the page, and a ring around the editor that nothing covers.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chromiumMissing, portalForTests } from './browser.ts'
import { answerBody, editorReady, expectStatus, type Opened, openPlayground, send } from './playground_page.ts'

describe('the Playground on the screen', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  const open = (t: Parameters<typeof portal.newPage>[0], options?: Opened) => openPlayground(portal, t, options)
  const ms = (text: string | null) => {
    const [, number = '', unit] = /^([\d.]+) (ms|s)$/.exec(text ?? '') ?? []
    return Number(number) * (unit === 's' ? 1_000 : 1)
  }

  test('the response time is that of the network, and what the page took stands apart', async t => {
    const page = await open(t)
    // The page is busy for 300 ms when the answer has come.
    await page.evaluate(() => {
      const original = window.fetch
      window.fetch = async (input, init) => {
        const answer = await original(input, init)
        const untilMs = performance.now() + 300
        while (performance.now() < untilMs);
        return answer
      }
    })
    await send(page).click()
    await expectStatus(page, 200)
    const summary = page.getByLabel('Status and time')
    const part = (name: string) =>
      summary.locator('dl > div').filter({ hasText: name }).locator('dd').textContent().then(ms)
    const [time, wait, download, own] = await Promise.all([
      page.getByTestId('time').textContent().then(ms),
      part('Wait'),
      part('Download'),
      part('This page'),
    ])
    assert.ok(Math.abs(time - (wait + download)) <= 1.5, `${time} is not ${wait} + ${download}`)
    assert.ok(own >= 100, `the page took ${own} ms`)
  })

  test('where the server cannot be reached, the place of the answer says so under its own title', async t => {
    const page = await open(t, { allow: [/Failed to load resource: net::ERR_CONNECTION_REFUSED/] })
    await page.route('**/v2/messages/sms', route => route.abort('connectionrefused'))
    await send(page).click()
    const area = page.getByRole('region', { name: 'Response', exact: true })
    await area.getByRole('heading', { name: 'No answer from the server' }).waitFor()
    assert.equal(await page.getByText('This could not be loaded').count(), 0)
    await area.getByText('No status').waitFor()
    const [outer, card] = await Promise.all([
      area.boundingBox(),
      page.getByRole('region', { name: 'Status and time' }).boundingBox(),
    ])
    assert.ok(outer !== null && card !== null)
    assert.ok(card.x >= outer.x && card.x + card.width <= outer.x + outer.width, 'beside the area of the answer')
    assert.ok(outer.height > 400, `the area of the answer is ${outer.height} px high`)
  })

  test('at 1024 × 768 the body of an answer is high enough to be read, within the window', async t => {
    const page = await open(t, { width: 1024, height: 768, path: '/playground?endpoint=leads.list' })
    await send(page).click()
    await expectStatus(page, 200)
    await answerBody(page).waitFor()
    const body = await page.locator('.cm-editor').last().boundingBox()
    assert.ok(body !== null && body.height >= 200, `${body?.height} px`)
    assert.ok(body.y + 200 <= 768, `begins at ${body.y} px`)
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    assert.ok(fits, 'the page scrolls sideways')
  })

  test('the ring of the editor that has the focus lies over its gutter and its active line', async t => {
    const page = await open(t)
    const body = await editorReady(page)
    await body.focus()
    const ring = await page
      .locator('.cm-editor')
      .first()
      .evaluate(editor => {
        const { borderLeftWidth, borderLeftColor, zIndex, pointerEvents } = getComputedStyle(editor, '::after')
        const above = [...editor.querySelectorAll('*')].map(part => Number(getComputedStyle(part).zIndex) || 0)
        const probe = document.createElement('i')
        probe.style.color = 'var(--focus)'
        document.body.append(probe)
        const colour = getComputedStyle(probe).color
        probe.remove()
        return {
          borderLeftWidth,
          isFocus: borderLeftColor === colour,
          isTop: Number(zIndex) > Math.max(...above),
          pointerEvents,
        }
      })
    assert.deepEqual(ring, { borderLeftWidth: '2px', isFocus: true, isTop: true, pointerEvents: 'none' })
  })
})
