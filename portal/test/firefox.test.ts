// The phone that docs/voice.md gives as an example, in Firefox as Debian builds it, with a SIP phone as the remote party: calls both ways, sound
// both ways compared by its spectrum, keys, and the end.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeG711, encodeG711 } from '@tandem/sip'
import { freePort } from '../../scripts/testing/free_port.ts'
import { strongestTone } from '../../server/src/media/goertzel.ts'
import {
  type Account,
  addAccount,
  listening,
  openTestPhone,
  startPhoneServer,
  type TestPhone,
} from '../../server/test/engines/sip_phones.ts'
import type { TestApp } from '../../server/test/harness.ts'
import { sine } from '../../server/test/media/sounds.ts'
import { type FirefoxPage, firefoxMissing, hum, openFirefox } from './firefox.ts'
import { type Front, startFront } from './front.ts'

const voice = 1_200

describe('a phone in Firefox', { skip: firefoxMissing }, () => {
  let t: TestApp
  let page: FirefoxPage
  let front: Front
  let desk: Account
  let phone: TestPhone
  const heard = new Int16Array(1_600)
  let listener: NodeJS.Timeout | undefined

  before(async () => {
    const port = await freePort()
    t = await startPhoneServer(port, { TANDEM_WEBRTC_ADDRESS: '0.0.0.0' })
    await t.app.http.listen({ host: '127.0.0.1', port: 0 })
    desk = await addAccount(t, t.main.testKey, { username: 'desk' })
    phone = await openTestPhone(port, desk, { onCall: talk })
    await listening(phone)
    const example = /```html\n([\s\S]*?)```/.exec(
      readFileSync(join(import.meta.dirname, '../../docs/voice.md'), 'utf8'),
    )
    const address = `http://127.0.0.1:${(t.app.http.server.address() as AddressInfo).port}`
    front = await startFront(address, { '/phone.html': example?.[1] ?? '' })
    page = await openFirefox()
    const { json } = await t.call('POST', '/v2/voice/client-tokens', {
      as: t.main.testKey,
      body: { identity: 'fox' },
    })
    await page.open(`${front.address}/phone.html#token=${json.data.token}`)
    await page.evaluate(watching)
    await until('the stream of the page', async () => (await t.ownerSql('select from client_registrations')).length > 0)
  })
  after(async () => {
    clearInterval(listener)
    await page?.close()
    await front?.close()
    await phone?.close()
    await t?.close()
  })

  /** The SIP phone answers, speaks with one tone, and listens. */
  const talk: NonNullable<NonNullable<Parameters<typeof openTestPhone>[2]>['onCall']> = async side => {
    side.call.ring()
    await side.call.answer()
    const { rtp } = side
    if (rtp === undefined) throw new Error('a call without sound')
    const tone = sine(voice, 1_000)
    let at = 0
    rtp.setSource(into => {
      encodeG711('PCMU', tone.subarray(at, at + 160), into)
      at = (at + 160) % tone.length
      return true
    })
    const frame = Buffer.alloc(160)
    const beganMs = performance.now()
    let count = 0
    clearInterval(listener)
    listener = setInterval(() => {
      for (; count * 20 <= performance.now() - beganMs; count++) {
        rtp.read(frame)
        heard.copyWithin(0, 160)
        heard.set(decodeG711('PCMU', frame), heard.length - 160)
      }
    }, 20)
  }

  async function until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
    const deadlineMs = performance.now() + 20_000
    while (!(await is())) {
      if (performance.now() > deadlineMs) assert.fail(`never came: ${what}`)
      await sleep(50)
    }
  }

  const pageHears = async () => Number(await page.evaluate('hears()'))
  const phoneHears = () => strongestTone(heard)?.frequency ?? 0
  const about = (wanted: number, found: number) => Math.abs(found - wanted) < 30

  async function bothHear(): Promise<void> {
    await until('the hum of Firefox at the phone', () => about(hum, phoneHears()))
    await until('the tone of the phone in Firefox', async () => about(voice, await pageHears()))
  }

  test('calls a SIP phone: each hears the other, a key arrives, and the end is reported', async () => {
    const callId = await page.evaluate(`dial(${JSON.stringify(desk.address)})`)
    await bothHear()
    await page.evaluate(`press(${JSON.stringify(callId)}, '9')`)
    await until('the key', () => phone.calls.at(-1)?.digits.join('') === '9')
    await page.evaluate(`hangup(${JSON.stringify(callId)})`)
    await until('the end', async () => String(await page.evaluate('said.join()')).includes(`${callId} ended: normal`))
  })

  test('is called by a SIP phone that was put through', async () => {
    heard.fill(0)
    const instructions = [{ verb: 'dial', targets: [{ type: 'client', identity: 'fox' }] }]
    const body = { from: '+15550100001', to: desk.address, instructions }
    const { status, json, text } = await t.call('POST', '/v2/voice/calls', { as: t.main.testKey, body })
    assert.equal(status, 200, text)
    await bothHear()
    await t.call('POST', `/v2/voice/calls/${json.data.callId}/hangup`, { as: t.main.testKey })
    await until('the end', async () => String(await page.evaluate('said.length')) === '2')
  })
})

/** Put into the page: it takes every call, keeps what it logs, and returns the frequency it hears best. */
const watching = `
  globalThis.said = []
  const { log } = console
  console.log = text => { said.push(text); log(text) }
  globalThis.confirm = () => true
  globalThis.connections = []
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(config) { super(config); connections.push(this) }
  }
  // Recorded and decoded: without a sound card, Firefox starts no AudioContext.
  globalThis.hears = async () => {
    const track = connections.at(-1)?.getReceivers()[0]?.track
    if (track === undefined) return 0
    const recorder = new MediaRecorder(new MediaStream([track]))
    const data = new Promise(resolve => (recorder.ondataavailable = resolve))
    recorder.start()
    await new Promise(resolve => setTimeout(resolve, 1000))
    recorder.stop()
    const bytes = await (await data).data.arrayBuffer()
    const sound = await new OfflineAudioContext(1, 48000, 48000).decodeAudioData(bytes)
    const samples = sound.getChannelData(0).slice(-9600)
    let best = { frequency: 0, power: 1e-3 }
    for (let frequency = 350; frequency < 2250; frequency += 5) {
      let [real, imaginary] = [0, 0]
      for (let n = 0; n < samples.length; n++) {
        const angle = (2 * Math.PI * frequency * n) / sound.sampleRate
        real += samples[n] * Math.cos(angle)
        imaginary += samples[n] * Math.sin(angle)
      }
      const power = Math.hypot(real, imaginary) / samples.length
      if (power > best.power) best = { frequency, power }
    }
    return best.frequency
  }
  null`
