// Streams of events in the Playground: what they bring is seen as it comes, and is the answer once they are stopped.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility } from './accessibility.ts'
import { chromiumMissing, portalForTests } from './browser.ts'
import { expectStatus, openPlayground, send } from './playground_page.ts'

describe('streams in the Playground', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('events are shown while the stream lasts, and stay when it is stopped', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=stream.open' })
    await send(page).click()
    const stream = page.getByRole('log', { name: 'Stream so far' })
    await stream.getByText('event: ready').waitFor()
    const { json } = await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.testKey,
      body: { name: 'Seen in the stream', email: 'seen.in.stream@example.com' },
    })
    await stream.getByText('lead.created').waitFor()
    assert.match((await stream.textContent()) ?? '', new RegExp(`"resourceId":"${json.lead.id}"`))
    await checkAccessibility(page, { name: 'a stream that is open' })

    await page.getByRole('button', { name: /^Stop/ }).click()
    await expectStatus(page, 200)
    await page.getByText('You stopped the stream. This is what it brought.').waitFor()
    await page.getByRole('searchbox', { name: 'Find in body' }).fill('lead.created')
    await page.getByText('1 of 1', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'History', exact: true }).click()
    const history = page.getByRole('dialog', { name: /History/ })
    await history.getByRole('button', { name: /\/v2\/stream/ }).click()
    await page.getByRole('textbox', { name: 'Response body' }).getByText('lead.created').first().waitFor()
  })

  test('a stream ends with the screen, and its answer is there on coming back', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=stream.open' })
    await send(page).click()
    await page.getByRole('log', { name: 'Stream so far' }).getByText('event: ready').waitFor()
    await page.getByRole('link', { name: 'Logs', exact: true }).click()
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
    await page.goBack()
    await send(page).waitFor()
    await expectStatus(page, 200)
    await page.getByText('You stopped the stream.').waitFor()
  })
})
