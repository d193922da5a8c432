// The panel of those who listen on their own machine: a real `tandem listen` beside a real browser. What is forwarded appears by
// itself, what failed is sent again, and the listener is ended from here.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tandem } from '../../packages/cli/test/program.ts'
import { startReceiver } from '../../packages/cli/test/receiver.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, screenshot } from './browser.ts'
import { notice, webhookJourneys } from './webhook_journeys.ts'

describe('listeners in the portal', { skip: chromiumMissing }, () => {
  const { portal, api, makeLead } = webhookJourneys()

  test('who listens, what was forwarded with what answer, and what is sent again', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/webhooks' })
    const panel = page.getByRole('region', { name: 'On your machine' })
    await panel.getByRole('heading', { name: 'Nobody is listening' }).waitFor()
    const command = await panel.locator('code', { hasText: 'npx' }).innerText()
    await screenshot(page, 'listen-empty')
    await checkBothThemes(page, 'listen panel, empty')

    let secret = ''
    const receiver = await startReceiver(() => secret)
    t.after(() => receiver.close())
    // What the page says is what is run, but for the address of the receiver.
    const args = command
      .split(' ')
      .slice(2)
      .map(word => (word.startsWith('http://localhost:4242') ? receiver.address : word))
    const program = tandem([...args, '--json'], { TANDEM_KEY: portal.t.main.testKey })
    t.after(() => program.child.kill('SIGKILL'))
    secret = (await program.line('ready')).secret
    const listener = panel.getByRole('listitem').filter({ hasText: receiver.address })
    await listener.getByText('connected').waitFor()

    receiver.answer.status = 500
    await makeLead('Grace Hopper')
    const rows = panel.getByRole('table', { name: 'Forwarded events' }).locator('tbody').getByRole('row')
    const row = rows.filter({ hasText: 'lead.created' })
    await row.getByText('500').waitFor()
    await screenshot(page, 'listen-failed')
    await checkBothThemes(page, 'listen panel')
    receiver.answer.status = 200
    await row.getByRole('button', { name: 'Forward lead.created again' }).click()
    await notice(page).getByText('It’s being forwarded again.').waitFor()
    await row.getByText('200').waitFor()
    assert.deepEqual(
      receiver.received.map(({ verified }) => verified),
      [true, true],
    )
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)

    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
    await screenshot(page, 'listen-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
    await listener.getByRole('button', { name: /^End/ }).click()
    await listener.getByText('ended', { exact: true }).waitFor()
    assert.equal(await program.ended, 1)
    assert.equal(await row.getByRole('button', { name: 'Forward lead.created again' }).count(), 0, 'offered in vain')
  })

  test('who may only read webhooks sees the panel and is offered nothing that is refused', async t => {
    await api('POST', '/v2/webhooks/listeners', { forwardTo: 'http://localhost:4242/hooks', name: 'ada@laptop' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/webhooks', role: 'Sales Manager' })
    const panel = page.getByRole('region', { name: 'On your machine' })
    const listener = panel.getByRole('listitem').filter({ hasText: 'ada@laptop' })
    await listener.getByText('away').waitFor()
    assert.equal(await listener.getByRole('button', { name: /^End/ }).count(), 0)
    assert.equal(await panel.locator('code').count(), 0)
  })
})
