// A browser with a phone, for tests: its stream over a real socket, its sound by werift, a tone for a voice, and ears that know a
// tone when they hear one.
import { decodeG711, encodeG711, eventOf, type G711Law, readEvent, writeEvent } from '@tandem/sip'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader } from 'werift'
import type { TestApp } from '../../../test/harness.ts'
import { type Message, openStream, type StreamReader } from '../../../test/stream_reader.ts'
import { strongestTone } from '../../media/goertzel.ts'
import { sine } from '../../media/testing.ts'

const law: G711Law = 'PCMU'
const eventType = 126

export type BrowserCall = {
  offer(): Promise<string>
  /** Takes the answer; resolves when sound flows. */
  connect(answer: string): Promise<void>
  /** Speaks with one frequency; null is silent. */
  speak(frequency: number | null): void
  press(digit: string): Promise<void>
  /** The strongest frequency of the last 200 ms; null in silence. */
  hears(): number | null
  /** Keys that came as telephone events. */
  readonly keys: readonly string[]
  /** Is gone without a word. */
  vanish(): Promise<void>
}

export function createBrowserCall(): BrowserCall {
  const codec = (mimeType: string, payloadType: number, parameters?: string, clockRate = 8_000) =>
    new RTCRtpCodecParameters({ mimeType, clockRate, channels: 1, payloadType, ...(parameters && { parameters }) })
  const connection = new RTCPeerConnection({
    codecs: {
      audio: [
        codec('audio/PCMU', 0),
        codec('audio/PCMA', 8),
        codec('audio/telephone-event', 110, undefined, 48_000),
        codec('audio/telephone-event', eventType, '0-15'),
      ],
    },
    // Nobody answers there: a test asks no server of the world.
    iceServers: [{ urls: 'stun:127.0.0.1:9' }],
    iceStunGatherTimeout: 0.05,
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceUseTcp: false,
  })
  const transceiver = connection.addTransceiver(new MediaStreamTrack({ kind: 'audio' }), { direction: 'sendrecv' })
  const heard = new Int16Array(1_600)
  const keys: string[] = []
  let lastEvent: number | undefined
  let voice: Int16Array | null = null
  let at = 0
  let sequence = 1
  let timestamp = 0
  let timer: NodeJS.Timeout | undefined

  function send(payloadType: number, payload: Buffer, marker = false, time = timestamp): void {
    const header = new RtpHeader({
      payloadType,
      payloadOffset: 12,
      sequenceNumber: sequence++ & 0xffff,
      timestamp: time,
      ssrc: transceiver.sender.ssrc,
      marker,
    })
    void transceiver.dtlsTransport.sendRtp(payload, header)
  }

  function frame(): void {
    const samples = voice?.subarray(at, at + 160) ?? new Int16Array(160)
    at = voice === null ? 0 : (at + 160) % voice.length
    send(0, encodeG711(law, samples))
    timestamp += 160
  }

  return {
    keys,
    async offer() {
      await connection.setLocalDescription(await connection.createOffer())
      while (connection.iceGatheringState !== 'complete') await new Promise(resolve => setTimeout(resolve, 5))
      return connection.localDescription?.sdp ?? ''
    },
    async connect(sdp) {
      const connected = new Promise<void>((resolve, reject) => {
        connection.connectionStateChange.subscribe(state => state === 'connected' && resolve())
        setTimeout(() => reject(new Error(`not connected: ${connection.connectionState}`)), 10_000).unref()
      })
      await connection.setRemoteDescription({ type: 'answer', sdp })
      transceiver.dtlsTransport.onRtp.subscribe(({ header, payload }) => {
        if (header.payloadType !== eventType) {
          heard.copyWithin(0, 160)
          heard.set(decodeG711(law, payload).subarray(0, 160), heard.length - 160)
          return
        }
        const event = readEvent(payload)
        if ('fault' in event || header.timestamp === lastEvent) return
        lastEvent = header.timestamp
        keys.push('0123456789*#ABCD'[event.event] ?? '?')
      })
      await connected
      const beganMs = performance.now()
      let sent = 0
      // A busy machine is late, but loses nothing.
      timer = setInterval(() => {
        for (; sent * 20 <= performance.now() - beganMs; sent++) frame()
      }, 10)
    },
    speak(frequency) {
      voice = frequency === null ? null : sine(frequency, 1_000)
    },
    async press(digit) {
      const start = timestamp
      for (let n = 1; n <= 8; n++) {
        const isEnd = n >= 6
        const duration = Math.min(n, 6) * 160
        send(eventType, writeEvent({ event: eventOf(digit) ?? 0, isEnd, volume: 10, duration }), n === 1, start)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    hears: () => {
      const tone = strongestTone(heard)
      return tone === null || tone.share < 0.5 ? null : tone.frequency
    },
    async vanish() {
      clearInterval(timer)
      await connection.close()
    },
  }
}

export type Browser = {
  stream: StreamReader
  identity: string
  /** Makes a call; resolves when sound flows. */
  call(body: Record<string, unknown>): Promise<{ callId: string; phone: BrowserCall }>
  /** Takes a call that rings. */
  answer(callId: string): Promise<BrowserCall>
  ringing(fits?: (message: Message) => boolean): Promise<Message['data']>
  ended(callId: string): Promise<string>
  say(callId: string, what: 'reject' | 'hangup' | 'answer', body?: unknown): Promise<{ status: number; code?: string }>
  close(): Promise<void>
}

/** Opens the stream of a phone. */
export async function openBrowser(t: TestApp, as: string, query = ''): Promise<Browser> {
  const stream = await openStream(t.app, { as, path: '/v2/voice/client-stream', query })
  if (stream.status !== 200) throw new Error(`no stream: ${stream.status}`)
  const { data } = await stream.until(message => message.event === 'ready')
  const phones: BrowserCall[] = []

  async function connected(callId: string, phone: BrowserCall): Promise<BrowserCall> {
    const { data } = await stream.until(({ event, data }) => event === 'answer' && data.callId === callId, 10_000)
    await phone.connect(data.sdp)
    return phone
  }

  async function say(callId: string, what: string, body?: unknown) {
    const { status, json } = await t.call('POST', `/v2/voice/client-calls/${callId}/${what}`, { as, body })
    return { status, code: json?.error?.code ?? json?.code }
  }

  return {
    stream,
    identity: data.identity,
    async call(body) {
      const phone = createBrowserCall()
      phones.push(phone)
      const { status, json } = await t.call('POST', '/v2/voice/client-calls', {
        as,
        body: { ...body, sdp: await phone.offer() },
      })
      if (status !== 201) throw new Error(`the call was refused: ${JSON.stringify(json)}`)
      const { callId } = json.data
      return { callId, phone: await connected(callId, phone) }
    },
    async answer(callId) {
      const phone = createBrowserCall()
      phones.push(phone)
      const { status, code } = await say(callId, 'answer', { sdp: await phone.offer() })
      if (status !== 200) throw new Error(`not answered: ${status} ${code}`)
      return connected(callId, phone)
    },
    ringing: async (fits = () => true) =>
      (await stream.until(message => message.event === 'ringing' && fits(message))).data,
    ended: async callId =>
      (await stream.until(({ event, data }) => event === 'ended' && data.callId === callId, 15_000)).data.cause,
    say,
    async close() {
      stream.close()
      await Promise.all(phones.map(phone => phone.vanish()))
    },
  }
}
