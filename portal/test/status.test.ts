// The status of the server: an Admin sees what of their organization does not work and goes to where it is mended, and the page follows
// without moving; the operator sees the installation.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newOperator } from '../../server/test/operators.ts'
import { checkBothThemes, chromiumMissing, noHorizontalScroll, portalForTests, screenshot } from './browser.ts'
import { enterAsOperator, secondFactorAsked } from './journeys.ts'

describe('the status of the server', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ work: false })
  const narrow = { width: 390, height: 844 }
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  let carrierId: string
  before(async () => {
    const { t } = portal
    const { liveTenantId } = t.main
    const settings = { host: 'smsc.example.com', systemId: 'tandem', password: 'secret12' }
    const routes = [{ prefix: '+49', priority: 10, cost: '0.0750' }]
    const body = { kind: 'smpp', name: 'Example Telecom', settings, routes, currency: 'EUR' }
    const { json, text } = await t.call('POST', '/v2/carriers', { as: t.main.liveKey, body })
    carrierId = json.data?.carrierId
    assert.ok(carrierId, text)
    await t.ownerSql(
      `insert into carrier_links (tenant_id, carrier_id, link, role, state, state_since, owner, last_error, counters, updated_at)
       values ($1, $2, 0, 'transceiver', 'down', now() - interval '5 minutes', 'x', 'The carrier refused the password.',
         '{"submitted":0,"accepted":0,"throttled":0,"refused":0,"unanswered":0,"receipts":0,"inbound":0,"binds":0}', now())`,
      [liveTenantId, carrierId],
    )
    await t.ownerSql(
      `insert into webhook_endpoints (tenant_id, id, url, enabled, disabled_reason, disabled_at, secret)
       values ($1, 'wh_01k9r7d3w2v8e6q4n5m1b0c9xz', 'https://hooks.example.com/a/long/path/that/does/not/fit', false, 'gone', now(), 's')`,
      [liveTenantId],
    )
    await t.ownerSql(
      `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
       values ($1, 'job_a', 'car_x', now() - interval '10 minutes', '{a,b}')`,
      [liveTenantId],
    )
    await t.ownerSql(
      `select beat_node('node_a', 'tandem-1', 4711, '0.1.0', '26.10.0', '{api,worker}',
         '[{"folder":"data","freeBytes":5000000000,"sizeBytes":80000000000}]', now() - interval '3 hours')`,
    )
  })

  test('an Admin sees what does not work, and goes to where it is mended', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', path: '/settings' })
    await page.getByRole('link', { name: /^Status/ }).click()
    await page.getByText('Something needs attention now').waitFor()
    await page.getByText('The carrier Example Telecom can’t be reached.').waitFor()
    await card(page, 'Queues').getByText('late').waitFor()
    await card(page, 'Queues').getByText('2 waiting').waitFor()
    await card(page, 'Carriers').getByText('The carrier refused the password.').waitFor()
    await checkBothThemes(page, 'the status', 'status')
    await page.getByRole('link', { name: /^The carrier Example Telecom/ }).click()
    await page.getByRole('heading', { name: 'Example Telecom', level: 1 }).waitFor()
  })

  test('it follows what changes, without moving', async t => {
    const page = await portal.newPage(t)
    await page.clock.install()
    await portal.logIn(page, { mode: 'live', path: '/status' })
    const queues = card(page, 'Queues')
    await queues.getByText('late').waitFor()
    const place = await queues.boundingBox()
    await portal.t.ownerSql("delete from message_jobs where id = 'job_a'")
    await page.clock.runFor(11_000)
    await queues.getByText('late').waitFor({ state: 'detached' })
    assert.equal((await queues.boundingBox())?.x, place?.x)
  })

  test('on a telephone nothing is wider than the screen, in German', async t => {
    const page = await portal.newPage(t, { ...narrow, locale: 'de-DE' })
    await portal.logIn(page, { mode: 'live', path: '/status' })
    await page.getByText('https://hooks.example.com').first().waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'status_narrow')
  })

  test('who may not see it reads so', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Manager', path: '/status' })
    await page.getByText('You don’t have access to Status').waitFor()
  })

  test('the operator sees processes, disks, links and the database', async t => {
    const page = await portal.newPage(t, { allow: [secondFactorAsked] })
    await enterAsOperator(portal.t, page, await newOperator(portal.t, 'support'))
    await page.getByRole('link', { name: 'Status', exact: true }).click()
    await page.getByRole('heading', { name: 'Status of the installation', level: 1 }).waitFor()
    await page.getByText('A disk of tandem-1 has less than a tenth of its room left.').waitFor()
    await card(page, 'Processes and disks').getByText('Data: 5.0 GB of 80.0 GB free').waitFor()
    await card(page, 'Carriers, trunks and calls').getByText(carrierId).waitFor()
    await card(page, 'Database').getByText('PostgreSQL').waitFor()
    await checkBothThemes(page, 'the status of the installation', 'operator_status')
    await page.setViewportSize(narrow)
    await noHorizontalScroll(page)
    await screenshot(page, 'operator_status_narrow')
  })
})
