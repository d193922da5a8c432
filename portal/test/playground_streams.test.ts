// Streams of events in the Playground: what they bring is seen as it comes, and is the answer once they are stopped.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emit } from '../../server/src/kernel/data/events.ts'
import { checkAccessibility } from './accessibility.ts'
import { chromiumMissing, portalForTests } from './browser.ts'
import { expectStatus, openPlayground, recall, send } from './playground_page.ts'

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

  test('of a stream that brings very much the newest events are kept and shown, and the earlier ones counted', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=stream.open' })
    await send(page).click()
    const stream = page.getByRole('log', { name: 'Stream so far' })
    await stream.getByText('event: ready').waitFor()
    const { testTenantId: tenantId, organizationId } = portal.t.main
    const scope = { tenantId, organizationId }
    const some = (from: number) =>
      portal.t.app.services.db.inTenant(scope, tx =>
        emit(
          tx,
          scope,
          ...Array.from({ length: 150 }, (_, index) => ({
            type: 'lead.updated' as const,
            resourceId: from + index,
            sequence: 1,
            data: { id: from + index, note: `number ${from + index}` },
          })),
        ),
      )
    for (const from of [1_000, 1_150, 1_300, 1_450]) {
      await some(from)
      await stream.getByText(`number ${from + 149}`).waitFor()
    }
    // Beside these come `ready` and events of requests.
    await page.getByText(/^50\d earlier events aren’t shown\.$/).waitFor()
    assert.ok((await stream.locator('span').count()) <= 201, 'the page holds no more than it shows')
    assert.equal(await stream.getByText('number 1000"').count(), 0)
    await checkAccessibility(page, { name: 'a stream that brought very much' })

    await page.getByRole('button', { name: /^Stop/ }).click()
    await expectStatus(page, 200)
    const left = page.getByText(/^10\d earlier events are left out: of a stream the newest are kept\.$/)
    await left.waitFor()
    const find = page.getByRole('searchbox', { name: 'Find in body' })
    await find.fill('number 1099"')
    await page.getByText('none', { exact: true }).waitFor()
    await find.fill('number 1109"')
    await page.getByText('1 of 1', { exact: true }).waitFor()

    await recall(page, /\/v2\/stream/)
    await left.waitFor()
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
