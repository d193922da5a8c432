// The phone of the portal in a real Chromium with a fake microphone: it calls a lead from its row and is called; sound is compared by
// its spectrum, keys arrive, mute is silent, a call is held and handed over, the handset rings, and a missing permission is reported.
// The remote party is a phone of our own.
// test: programs
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Browser, openBrowser } from '../../server/test/engines/browser_phone.ts'
import { sine, wavOf } from '../../server/test/media/sounds.ts'
import {
  checkAccessibility,
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  portalForTests,
  screenshot,
  tabTo,
  untilFocused,
} from './browser.ts'

/** What the microphone hears: beeps, since a browser takes a tone that never ends for noise. */
const voice = 700
const handset = '+15005550177'
const folder = mkdtempSync(join(tmpdir(), 'tandem-voice-'))
const microphone = join(folder, 'voice.wav')

function beeps(): Int16Array {
  const samples = new Int16Array(48_000)
  for (const at of [0, 0.5]) samples.set(sine(voice, 350, -6, 48_000), at * 48_000)
  return samples
}

describe('the phone of the portal', { skip: chromiumMissing }, () => {
  writeFileSync(microphone, wavOf({ tag: 1, bits: 16, channels: 1, rate: 48_000, data: Buffer.from(beeps().buffer) }))
  const portal = portalForTests({
    env: { TANDEM_WEBRTC_ADDRESS: '127.0.0.1' },
    flags: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--allow-loopback-in-peer-connection',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  const far: Browser[] = []
  let leadId: number
  before(async () => {
    const { json } = await portal.t.call('POST', '/v1/api/leads', {
      as: portal.t.main.testKey,
      body: { name: 'Grace Hopper', email: 'grace@example.net', phone: handset },
    })
    leadId = json.lead.id
  })
  after(async () => {
    await Promise.all(far.map(browser => browser.close()))
    rmSync(folder, { recursive: true, force: true })
  })

  async function phoneAt(query: string): Promise<Browser> {
    const browser = await openBrowser(portal.t, portal.t.main.testKey, query)
    far.push(browser)
    return browser
  }
  const dock = (page: Page) => page.getByRole('region', { name: 'Softphone', exact: true })
  const cardOf = (page: Page, name: string) => dock(page).getByRole('form', { name: `How the call with ${name} went` })
  const press = (page: Page, name: string) => dock(page).getByRole('button', { name, exact: true }).click()

  async function turnOn(page: Page): Promise<void> {
    const open = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/voice/client-stream')
    await page.getByRole('button', { name: 'Turn the phone on' }).click()
    await open
    await page.getByRole('button', { name: 'Turn the phone off' }).waitFor()
  }

  async function until(is: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const deadline = performance.now() + 15_000
    while (!(await is())) {
      if (performance.now() > deadline) assert.fail(`never came: ${what}`)
      await sleep(30)
    }
  }

  const registered = async (identity: string) =>
    (await portal.t.ownerSql('select from client_registrations where identity = $1', [identity])).length

  /** The strongest frequency the page is given to hear. */
  async function pageHears(page: Page): Promise<number> {
    return page.evaluate(async () => {
      const [connection] = (window as unknown as { connections: RTCPeerConnection[] }).connections.slice(-1)
      const track = connection?.getReceivers()[0]?.track
      if (track === undefined) return 0
      const context = new AudioContext()
      const analyser = new AnalyserNode(context, { fftSize: 8_192, smoothingTimeConstant: 0 })
      context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
      await new Promise(resolve => setTimeout(resolve, 400))
      const levels = new Float32Array(analyser.frequencyBinCount)
      analyser.getFloatFrequencyData(levels)
      const best = levels.indexOf(Math.max(...levels))
      const { sampleRate } = context
      await context.close()
      return (levels[best] ?? -200) < -80 ? 0 : (best * sampleRate) / analyser.fftSize
    })
  }

  /** Keeps the connections of the page where a test finds them. */
  async function watchConnections(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const made: RTCPeerConnection[] = []
      Object.assign(window, { connections: made })
      window.RTCPeerConnection = class extends RTCPeerConnection {
        constructor(config?: RTCConfiguration) {
          super(config)
          made.push(this)
        }
      }
    })
  }

  test('a lead is called from its row: voice, keys, mute, hold, and handing over', async t => {
    const other = await phoneAt(`?incoming=false&number=${encodeURIComponent(handset)}`)
    const page = await portal.newPage(t, { allow: [/status of 400/] })
    await portal.logIn(page, { path: '/leads' })
    await turnOn(page)
    await page.getByRole('button', { name: 'Call Grace Hopper' }).click()
    const { callId } = await other.ringing()
    await dock(page).getByText('Calling…').waitFor()
    const phone = await other.answer(callId)
    await dock(page).getByRole('timer').waitFor()
    assert.equal(await dock(page).getByRole('link', { name: 'Grace Hopper' }).getAttribute('href'), `/leads/${leadId}`)
    const hears = () => Math.abs((phone.hears() ?? 0) - voice) < 25
    await until(hears, 'the voice of the page')

    await press(page, 'Keypad')
    await dock(page).getByRole('button', { name: 'Key 5' }).click()
    await dock(page).getByRole('button', { name: 'Key hash' }).click()
    await until(() => phone.keys.join('') === '5#', 'the keys')
    await checkBothThemes(page, 'a call', 'phone-call')
    await press(page, 'Keypad')

    await press(page, 'Mute')
    // Longer than the pause between two beeps.
    let soundMs = performance.now()
    await until(() => {
      if (phone.hears() !== null) soundMs = performance.now()
      return performance.now() - soundMs > 1_000
    }, 'silence')
    await press(page, 'Unmute')
    await until(hears, 'the voice again')
    await press(page, 'Hold')
    await dock(page).getByText('On hold').waitFor()
    await press(page, 'Resume')

    await press(page, 'Transfer')
    await dock(page).getByLabel('Transfer the call to').fill('+1 500 555 0208')
    await screenshot(page, 'phone-transfer')
    await press(page, 'Transfer call')
    await until(() => phone.keys.join('') === '5#1234#', 'the keys of who was called then')

    // What came of it is noted in one card, by one press.
    const card = cardOf(page, 'Grace Hopper')
    await card.waitFor()
    assert.ok(await card.getByRole('radio', { name: 'Talked' }).isChecked())
    await card.getByLabel('Note').fill('Wants two grinders.')
    await card.getByLabel('Next step').fill('Send the price list')
    await card.getByLabel('Due').selectOption('Tomorrow')
    await card.getByLabel('Status').selectOption('Move to Unqualified')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText(/is required for a lead that is Unqualified/i).waitFor()
    await checkBothThemes(page, 'a call that is noted', 'phone-after')
    await card.getByLabel('Status').selectOption('Move to Contacted')
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The call with Grace Hopper is noted.').waitFor()
    await dock(page).waitFor({ state: 'detached' })
    const read = async (path: string) => (await portal.t.call('GET', path, { as: portal.t.main.testKey })).json
    const { entries } = await read(`/v1/api/leads/${leadId}/timeline`)
    const kept = (kind: string) => entries.filter((entry: { kind: string }) => entry.kind === kind)
    assert.equal(kept('call')[0].outcome, 'answered')
    assert.deepEqual(
      kept('note').map(({ body }: { body: string }) => body),
      ['Wants two grinders.'],
      'what was saved before something was refused is not saved twice',
    )
    assert.equal(kept('task').length, 1)
    assert.equal((await read(`/v1/api/leads/${leadId}`)).lead.status, 'Contacted')
    await other.close()
  })

  test('a number is called from any screen: from the dock of a phone that was turned on, and from the palette', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/calls' })
    await turnOn(page)
    await dock(page)
      .getByText(/so calls to you ring here/)
      .waitFor()
    await checkBothThemes(page, 'a number to call', 'phone-dial')
    await tabTo(page, dock(page).getByLabel('Call', { exact: true }))
    await page.keyboard.type('+1 500 555 0201')
    await page.keyboard.press('Enter')
    const unknown = cardOf(page, '+1 500 555 0201')
    await unknown.getByText('Busy', { exact: true }).first().waitFor()
    await untilFocused(unknown.getByRole('radio', { name: 'Busy' }), 'what the network knows is chosen')
    await unknown.getByLabel('Create a lead').fill('Alan Turing')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Call a number')
    await page.getByRole('option', { name: 'Call a number' }).click()
    await untilFocused(dock(page).getByLabel('Call', { exact: true }))
    assert.equal(await unknown.getByLabel('Create a lead').inputValue(), 'Alan Turing')
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
    await screenshot(page, 'phone-dial-narrow')
    await page.keyboard.type('nobody@example.net')
    await page.keyboard.press('Enter')
    await dock(page).getByText('That phone isn’t turned on').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('+1 500 555 0203')
    await page.getByRole('option', { name: 'Call +1 500 555 0203' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Declined' }).waitFor({ state: 'attached' })
    // The first call still waits, and nothing that was typed is lost.
    await unknown.getByText('One more call to note').waitFor()
    assert.equal(await unknown.getByLabel('Create a lead').inputValue(), 'Alan Turing')
    await unknown.getByLabel('Note').fill('Calls back.')
    await unknown.getByRole('button', { name: 'Save' }).click()
    const second = cardOf(page, '+1 500 555 0203')
    await second.getByRole('radio', { name: 'Wrong number' }).check()
    await page.keyboard.press('Escape')
    await second.waitFor({ state: 'detached' })
    await page.getByText('Nothing was noted for the call.').waitFor()
    const { json } = await portal.t.call('GET', '/v1/api/leads?q=Turing', { as: portal.t.main.testKey })
    assert.deepEqual([json.leads[0].name, json.leads[0].phone], ['Alan Turing', '+15005550201'])
    const { json: calls } = await portal.t.call('GET', '/v2/voice/calls?outcome=busy', { as: portal.t.main.testKey })
    assert.ok(calls.data.some(({ to }: { to: string }) => to === '+15005550201'))
  })

  test('it is called: rings, is taken by the keyboard, hears, and the next one is refused', async t => {
    const { json } = await portal.t.call('POST', '/v2/voice/client-tokens', {
      as: portal.t.main.testKey,
      body: { identity: 'desk' },
    })
    const desk = await openBrowser(portal.t, json.data.token)
    far.push(desk)
    const page = await portal.newPage(t)
    await watchConnections(page)
    await portal.logIn(page, { path: '/' })
    await turnOn(page)
    // It is on for as long as the tab stands.
    await page.reload()
    await page.getByRole('button', { name: 'Turn the phone off' }).waitFor()
    await until(async () => (await registered('admin@example.com')) > 0, 'the line')
    const call = desk.call({ to: 'client:admin@example.com' })
    await page.getByRole('status').filter({ hasText: 'Call from desk' }).waitFor({ state: 'attached' })
    await checkBothThemes(page, 'a call that rings', 'phone-rings')
    await tabTo(page, dock(page).getByRole('button', { name: 'Accept' }))
    await page.keyboard.press('Enter')
    await dock(page).getByRole('timer').waitFor()
    const { callId, phone } = await call
    phone.speak(1_200)
    await until(async () => Math.abs((await pageHears(page)) - 1_200) < 30, 'the voice of the desk')
    await press(page, 'Hang up')
    assert.equal(await desk.ended(callId), 'normal')

    const second = await desk.call({ to: 'client:admin@example.com' })
    await press(page, 'Reject')
    assert.equal(await desk.ended(second.callId), 'declined')
    await page.getByRole('button', { name: 'Turn the phone off' }).click()
    const third = await desk.call({ to: 'client:admin@example.com' })
    assert.equal(await desk.ended(third.callId), 'not_registered')
  })

  test('the handset rings for its number and calls one of the organization', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/handset?number=${encodeURIComponent('+15005552177')}` })
    const pad = page.getByRole('region', { name: 'Calls' })
    await pad.getByLabel('Let this handset ring').check()
    await pad.getByText('Calls to its number ring here.').waitFor()
    await portal.t.call('POST', '/v2/voice/calls', {
      as: portal.t.main.testKey,
      body: { from: '+15550100001', to: '+15005552177', instructions: [{ verb: 'pause', seconds: 60 }] },
    })
    await press(page, 'Accept')
    await dock(page).getByRole('timer').waitFor()
    await screenshot(page, 'phone-handset')
    await press(page, 'Hang up')
    await dock(page).getByText('Call ended').waitFor()
    await pad.getByLabel('Number to call').fill('+15005550006')
    await pad.getByRole('button', { name: 'Call', exact: true }).click()
    await dock(page).getByRole('timer').waitFor()
    const { json } = await portal.t.call('GET', '/v2/voice/calls?direction=inbound', { as: portal.t.main.testKey })
    assert.deepEqual([json.data[0].from, json.data[0].to], ['+15005552177', '+15005550006'])
    await press(page, 'Hang up')
  })

  test('the example of the documentation is a phone', async t => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/voice.md'), 'utf8')
    const example = /```html\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
    const { json } = await portal.t.call('POST', '/v2/voice/client-tokens', {
      as: portal.t.main.testKey,
      body: { identity: 'reader' },
    })
    const other = await phoneAt(`?incoming=false&number=${encodeURIComponent(handset)}`)
    // It has its token in its address, as no page of the portal may.
    const context = await portal.browser.newContext({ baseURL: portal.address })
    t.after(() => context.close())
    const page = await context.newPage()
    await page.route('/phone.html', route => route.fulfill({ contentType: 'text/html', body: example }))
    await page.goto(`/phone.html#token=${json.data.token}`)
    await page.waitForFunction(() => 'dial' in window)
    await until(async () => (await registered('reader')) === 1, 'the stream of the example')
    const dialled = page.evaluate(to => (window as unknown as { dial(to: string): Promise<string> }).dial(to), handset)
    const phone = await other.answer((await other.ringing()).callId)
    await until(() => Math.abs((phone.hears() ?? 0) - voice) < 25, 'the voice of the example')
    const callId = await dialled
    await page.evaluate(
      id => (window as unknown as Record<string, (...given: string[]) => void>)['press']?.(id, '9'),
      callId,
    )
    await until(() => phone.keys.join('') === '9', 'its key')
    const ended = page.waitForEvent('console', message => message.text() === `${callId} ended: normal`)
    await page.evaluate(id => (window as unknown as Record<string, (id: string) => void>)['hangup']?.(id), callId)
    await ended
    await other.close()

    page.once('dialog', dialog => void dialog.accept())
    const caller = await openBrowser(portal.t, portal.t.main.testKey, '?incoming=false')
    far.push(caller)
    const incoming = await caller.call({ to: 'client:reader' })
    await until(() => Math.abs((incoming.phone.hears() ?? 0) - voice) < 25, 'the voice of the example that was called')
  })

  test('a microphone that may not be used is reported, with what to do', async t => {
    const page = await portal.newPage(t)
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('Permission denied', 'NotAllowedError')
      }
    })
    await portal.logIn(page, { path: `/leads/${leadId}` })
    await page.getByRole('button', { name: 'Call +1 500 555 0177' }).click()
    await dock(page)
      .getByText(/Allow it to the left of the address bar/)
      .waitFor()
    await checkAccessibility(page, { name: 'a microphone refused' })
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
    await screenshot(page, 'phone-narrow')
  })
})
