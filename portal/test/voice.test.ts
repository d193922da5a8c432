// Voice in the portal: a trunk is added by a form drawn from its schema and tried out, a call by it shows what was said on the wire
// and is steered, and a recording is heard. The remote party is a SIP user agent of our own on 127.0.0.1.
// test: programs
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Carrier, sipEnv, startCarrier } from '../../server/test/engines/sip_carrier.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  portalForTests,
  screenReady,
  screenshot,
  streamOpen,
  tabTo,
  untilFocused,
} from './browser.ts'
import { quietTrunk, seedTrunk } from './seed_voice.ts'

const from = '+15550100001'
const narrow = { width: 390, height: 844 }
/** Goes on until somebody hangs up. */
const waits = [{ verb: 'pause', seconds: 60 }]

describe('voice in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests({ env: sipEnv })
  let carrier: Carrier
  before(async () => {
    carrier = await startCarrier({
      async onCall({ call }, number) {
        if (number.endsWith('486')) return call.reject(486)
        call.ring()
        await call.answer()
      },
    })
    await live('POST', '/v2/numbers', { number: from })
  })
  after(() => carrier?.close())

  const dialog = (page: Page) => page.getByRole('dialog')
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const group = (page: Page, name: string) => page.getByRole('group', { name })
  const row = (page: Page, text: string) => page.getByRole('main').getByRole('row').filter({ hasText: text })
  const ladder = (page: Page) => page.getByRole('list', { name: 'SIP messages, first to last' })
  const timeLine = (page: Page) => page.getByRole('list', { name: /^What happened in the call/ })
  const live = (method: string, path: string, body?: unknown) =>
    portal.t.call(method, path, { as: portal.t.main.liveKey, body })

  async function ask(as: string, path: string, isIt: (data: never) => boolean): Promise<never> {
    for (let tries = 0; tries < 200; tries++) {
      const { json } = await portal.t.call('GET', path, { as })
      const data = json.data ?? json
      if (isIt(data as never)) return data as never
      await sleep(100)
    }
    return assert.fail(`${path} did not come to what was waited for`)
  }
  const untilUp = (id: string) =>
    ask(portal.t.main.liveKey, `/v2/voice/trunks/${id}`, ({ state }: { state: string }) => state === 'up')

  async function start(as: string, body: object): Promise<string> {
    const { status, json, text } = await portal.t.call('POST', '/v2/voice/calls', { as, body: { from, ...body } })
    assert.equal(status, 200, text)
    return json.data.callId
  }
  /** A trunk to the remote party that is up. */
  async function trunkThere(): Promise<void> {
    const settings = { host: '127.0.0.1', port: carrier.port, callsPerSecond: 1_000 }
    const routes = [{ prefix: '', priority: 10, weight: 1 }]
    const trunk = await seedTrunk(portal.t, { name: 'Remote Peer', enabled: true, settings, routes })
    await untilUp(trunk)
  }
  async function forgetTrunks(): Promise<void> {
    const { json } = await live('GET', '/v2/voice/trunks')
    for (const { trunkId } of json.data) await live('DELETE', `/v2/voice/trunks/${trunkId}`)
  }

  test('a trunk is added by a form drawn from its schema, comes up, is tested, and shows the route of a call', async t => {
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/trunks', mode: 'live' })
    await page.getByRole('heading', { name: 'No trunks yet' }).waitFor()
    await page.getByRole('button', { name: 'Create a trunk' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Create a trunk' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Remote Peer')
    await group(page, 'Connection').getByLabel('Host').fill('127.0.0.1')
    await group(page, 'Connection').getByLabel(/^Port/).fill(String(carrier.port))
    await page.locator('summary').filter({ hasText: 'Calls that come in' }).click()
    await page.getByRole('button', { name: 'Add a line' }).first().click()
    await page.getByLabel('Source addresses (1)').fill('the carrier')
    await page.locator('summary').filter({ hasText: 'Sound' }).click()
    assert.equal(await page.getByLabel('Codecs (1)').inputValue(), 'PCMU')
    await page.getByRole('button', { name: 'Remove line 1 of Codecs' }).click()
    await page.getByRole('button', { name: 'Create trunk' }).click()
    await page
      .getByRole('alert')
      .getByText(/address or a range/)
      .waitFor()
    await untilFocused(page.getByLabel('Source addresses (1)'))
    await checkBothThemes(page, "a trunk's form", 'trunk-form')
    await page.getByLabel('Source addresses (1)').fill('127.0.0.0/24')
    await page.getByRole('button', { name: 'Create trunk' }).click()
    await page.getByRole('heading', { level: 1, name: 'Remote Peer' }).waitFor()
    await card(page, 'Remote Peer').getByText('up', { exact: true }).waitFor({ timeout: 20_000 })
    const id = page.url().split('/').at(-1)?.split('?')[0]
    const { json } = await live('GET', `/v2/voice/trunks/${id}`)
    assert.deepEqual(json.data.settings.sourceAddresses, ['127.0.0.0/24'])
    assert.deepEqual(json.data.settings.codecs, ['PCMA'])
    assert.deepEqual(json.data.routes, [{ prefix: '', priority: 10, weight: 1, cost: '0' }])

    const testCard = card(page, 'Test')
    await testCard.getByRole('button', { name: 'Test trunk' }).click()
    await testCard.getByText('It works').waitFor({ timeout: 15_000 })
    const steps = testCard.getByRole('list', { name: 'Steps of the test' })
    await steps.getByText('Sign of life').waitFor()
    await steps
      .getByText(/^OPTIONS sip:/)
      .first()
      .click()
    await steps
      .getByText(/CSeq: \d+ OPTIONS/)
      .first()
      .waitFor()
    await testCard.getByLabel('Find the route of a call to').fill('+49 30 123456')
    await page.keyboard.press('Enter')
    await testCard.getByRole('list', { name: 'Trunks in the order they are tried' }).getByText('Remote Peer').waitFor()
    await testCard.scrollIntoViewIfNeeded()
    await checkBothThemes(page, 'a trunk with its test', 'trunk-test')
    await page.goto('/trunks')
    await row(page, 'Remote Peer').getByText('up', { exact: true }).waitFor()
    await checkBothThemes(page, 'the list of trunks', 'trunks-list')
    await forgetTrunks()
  })

  test('a live call by a trunk shows its ladder, is spoken into, and is hung up', async t => {
    await trunkThere()
    const watched = await portal.newPage(t)
    const stream = streamOpen(watched)
    await portal.logIn(watched, { path: '/trunks', mode: 'live' })
    await stream
    const page = await portal.newPage(t)
    const id = await start(portal.t.main.liveKey, { to: '+15550100002', instructions: waits })
    await portal.logIn(page, { path: `/calls/${id}`, mode: 'live' })
    await timeLine(page).getByText('answered').waitFor()
    await ladder(page)
      .getByRole('button', { name: /^INVITE \(\d+\), sent, 0 ms/ })
      .waitFor()
    await ladder(page)
      .getByRole('button', { name: /^200 OK \(\d+ INVITE\), received/ })
      // It comes again where the ACK is late.
      .first()
      .waitFor({ timeout: 15_000 })
    await tabTo(page, page.getByRole('button', { name: 'Say something' }))
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Text').fill('Your table is ready.')
    await checkAccessibility(page, { name: 'saying something' })
    await dialog(page).getByRole('button', { name: 'Say it' }).click()
    await page.getByText('It’s being said now.').waitFor()
    await tabTo(page, ladder(page).getByRole('button').first())
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/^Call-ID: /m)
      .waitFor()
    await checkBothThemes(page, 'a SIP message', 'call-sip-message')
    await dialog(page).getByRole('button', { name: 'Next' }).click()
    await dialog(page)
      .getByRole('heading', { name: /^\d{3} / })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('button', { name: 'Hang up' }).click()
    await dialog(page).getByRole('button', { name: 'Hang up' }).click()
    await timeLine(page).getByText('completed').waitFor()
    await ladder(page)
      .getByRole('button', { name: /^BYE \(\d+\), sent/ })
      .waitFor({ timeout: 15_000 })
    assert.equal(await page.getByRole('button', { name: /^(Say something|Hang up)$/ }).count(), 0)
    await page.getByText('The call wasn’t recorded.').waitFor()
    await card(page, 'SIP messages').scrollIntoViewIfNeeded()
    await checkBothThemes(page, 'a call by a trunk', 'call-ladder')
    await page.setViewportSize(narrow)
    await noHorizontalScroll(page)
    await card(page, 'SIP messages').scrollIntoViewIfNeeded()
    await screenshot(page, 'call-ladder-telephone')
    await forgetTrunks()
  })

  test('a recording of a call in test mode is played, and deleted by who may', async t => {
    const key = portal.t.main.testKey
    const text = 'Hello. This call is recorded, so that somebody may hear it later.'
    const instructions = [{ verb: 'record', mode: 'call', channels: 'dual' }, { verb: 'say', text }, { verb: 'hangup' }]
    const id = await start(key, { to: '+15005550200', instructions })
    await ask(key, `/v2/voice/recordings?callId=${id}&state=available`, (list: unknown[]) => list.length === 1)
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { path: `/calls/${id}`, role: 'Finance Manager' })
    await card(reader, 'Recordings').getByRole('button', { name: 'Play' }).waitFor()
    assert.equal(await card(reader, 'Recordings').getByRole('button', { name: 'Delete' }).count(), 0)
    const list = reader.getByRole('table', { name: 'Recordings' })
    await reader.goto(`/recordings?callId=${id}`)
    await list.getByRole('button', { name: 'Play' }).click()
    await list.locator('audio').waitFor()
    assert.equal(await list.getByRole('button', { name: 'Delete' }).count(), 0)
    await checkBothThemes(reader, 'recordings', 'recordings')
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/calls/${id}` })
    const recordings = card(page, 'Recordings')
    await tabTo(page, recordings.getByRole('button', { name: 'Play' }))
    await page.keyboard.press('Enter')
    const player = recordings.locator('audio')
    await player.waitFor()
    const seconds = await player.evaluate(
      (audio: HTMLAudioElement) =>
        new Promise<number>((resolve, reject) => {
          const done = () => resolve(audio.duration)
          if (audio.readyState > 0) return done()
          audio.addEventListener('loadedmetadata', done)
          audio.addEventListener('error', () => reject(new Error(audio.error?.message)))
        }),
    )
    assert.ok(seconds > 1 && seconds < 60, `it lasts ${seconds} s`)
    const download = page.waitForEvent('download')
    await recordings.getByRole('button', { name: 'Download' }).click()
    assert.match((await download).suggestedFilename(), /^rec_.*\.wav$/)
    await checkBothThemes(page, 'a call with a recording', 'call-recording')
    await page.setViewportSize(narrow)
    await noHorizontalScroll(page)
    await screenshot(page, 'call-recording-telephone')
    await recordings.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('Its sound is gone for good.', { exact: false }).waitFor()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await recordings.getByText('deleted', { exact: true }).waitFor()
    assert.equal(await recordings.locator('audio').count(), 0)
    await list.getByText('deleted', { exact: true }).waitFor()
    assert.equal(await list.locator('audio').count(), 0)
  })

  test('on the timeline of a lead a recording stands with its call, is played, and is seen to be deleted', async t => {
    const key = portal.t.main.testKey
    const to = '+15005550200'
    const created = await portal.t.call('POST', '/v1/api/leads', { as: key, body: { name: 'Ada', phone: to } })
    assert.equal(created.status, 201, created.text)
    const text = 'Hello. This call is recorded, too.'
    const instructions = [{ verb: 'record', mode: 'call' }, { verb: 'say', text }, { verb: 'hangup' }]
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: `/leads/${created.json.lead.id}` })
    await stream
    const id = await start(key, { to, instructions })
    const entry = page.getByRole('listitem').filter({ has: page.locator(`a[href*="${id}"]`) })
    const recording = entry.getByRole('group', { name: 'Recording of this call' })
    await recording.getByRole('button', { name: 'Play' }).waitFor({ timeout: 20_000 })
    await recording.getByRole('button', { name: 'Play' }).click()
    await recording.locator('audio').waitFor()
    await checkBothThemes(page, 'a recording on a timeline', 'lead-recording')
    await page.setViewportSize(narrow)
    await noHorizontalScroll(page)
    const { json } = await portal.t.call('GET', `/v2/voice/recordings?callId=${id}`, { as: key })
    const gone = await portal.t.call('DELETE', `/v2/voice/recordings/${json.data[0].recordingId}`, { as: key })
    assert.equal(gone.status, 200, gone.text)
    await recording.getByText('deleted', { exact: true }).waitFor()
    assert.equal(await recording.locator('audio').count(), 0)
  })

  test('with the keyboard alone a trunk is switched on and off, and deleted by its typed name', async t => {
    const id = await seedTrunk(portal.t, { name: 'Short lived', settings: { host: '127.0.0.1', port: carrier.port } })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/trunks/${id}`, mode: 'live' })
    await tabTo(page, page.getByRole('button', { name: 'Switch on' }))
    await page.keyboard.press('Enter')
    const off = page.getByRole('button', { name: 'Switch off' })
    await off.waitFor()
    await untilFocused(off)
    await page.keyboard.press('Enter')
    await tabTo(page, dialog(page).getByRole('button', { name: 'Switch off' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/Without any trunk, live calls to real phones fail with no_route/)
      .waitFor()
    await checkAccessibility(page, { name: 'deleting a trunk' })
    await untilFocused(dialog(page).getByLabel(/^Type/))
    await page.keyboard.type('Short lived')
    await tabTo(page, dialog(page).getByRole('button', { name: 'Delete', exact: true }))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/trunks')
    await page.getByText('Short lived was deleted.').waitFor()
  })

  test('a secret is kept when left empty, and who may not manage trunks only watches them', async t => {
    const id = await seedTrunk(portal.t, { name: 'Watched' })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/trunks/${id}?edit=1`, mode: 'live' })
    await page.getByRole('heading', { level: 1, name: 'Edit Watched' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await page.getByLabel('Prefix (1)').fill('44 20')
    await page.getByLabel('Weight (1)').fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Watched was saved.').waitFor()
    const { json } = await live('GET', `/v2/voice/trunks/${id}`)
    assert.deepEqual(json.data.secretsSet, ['password'])
    assert.deepEqual(json.data.settings.sourceAddresses, quietTrunk.settings.sourceAddresses)
    assert.deepEqual(json.data.routes[0], { prefix: '+4420', priority: 10, weight: 7, cost: '0' })
    const manager = await portal.newPage(t)
    await portal.logIn(manager, { path: `/trunks/${id}`, mode: 'live', role: 'Sales Manager' })
    await card(manager, 'Watched').getByText('disabled', { exact: true }).waitFor()
    assert.equal(await manager.getByRole('button', { name: /^(Edit|Delete|Test trunk|Switch)/ }).count(), 0)
    const reader = await portal.newPage(t)
    await portal.logIn(reader, { path: '/trunks', mode: 'live', role: 'Finance Manager' })
    await reader.getByText(/You don’t have access to Trunks/i).waitFor()
    const tester = await portal.newPage(t)
    await portal.logIn(tester, { path: '/trunks' })
    await tester.getByRole('heading', { name: 'Trunks are for live mode' }).waitFor()
    await tester.getByRole('button', { name: 'Switch to live mode' }).click()
    await row(tester, 'Watched').waitFor()
    await forgetTrunks()
  })

  test('on a telephone list, page and form of trunks fit', async t => {
    const id = await seedTrunk(portal.t, { name: 'A trunk with quite a long name of its own' })
    const page = await portal.newPage(t, narrow)
    await portal.logIn(page, { path: '/trunks', mode: 'live' })
    await row(page, 'quite a long name').waitFor()
    await noHorizontalScroll(page)
    await screenshot(page, 'trunks-telephone')
    for (const path of [`/trunks/${id}`, `/trunks/${id}?edit=1`, '/trunks?create=1']) {
      await page.goto(path)
      await screenReady(page)
      await noHorizontalScroll(page)
      await screenshot(page, `trunk-telephone-${path.split(/[?=]/).at(-2)}`)
      await checkAccessibility(page, { name: `${path} on a telephone` })
    }
    await forgetTrunks()
  })
})
