// A browser with a phone, for tests: its stream over a real socket, its sound by libdatachannel over a UDP relay that can be cut and listened
// to, a tone for a voice, and ears that know a tone when they hear one. Chromium and Firefox are the remote parties of portal/test.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { decodeG711, encodeG711, eventOf, type G711Law, isRtcp, readEvent, writeEvent } from '@tandem/sip'
import { Audio, PeerConnection } from 'node-datachannel'
import { strongestTone } from '../../src/media/goertzel.ts'
import type { TestApp } from '../harness.ts'
import { sine } from '../media/sounds.ts'
import { type Message, openStream, type StreamReader } from '../stream_reader.ts'

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
  /** Its way to the server, once it has the answer. */
  readonly relay: Relay | undefined
  /** Is gone without a word. */
  vanish(): Promise<void>
}

/** A way for datagrams from the browser to the server and back, that tests cut, and put datagrams of their own into. */
export type Relay = {
  /** Where the browser sends to. */
  port: number
  server: { address: string; port: number }
  /** Sends to the server what the browser did not, from the very address that it has there. */
  inject(bytes: Uint8Array): void
  /** Listens to what the server sends. */
  onServer(take: (bytes: Buffer) => void): void
  cut(): void
}

/** Opens a relay to the server on loopback. */
export async function openRelay(server: Relay['server']): Promise<Relay> {
  const [near, far] = await Promise.all([openSocket(), openSocket()])
  let browserPort = 0
  near.on('message', (bytes, { port }) => {
    browserPort = port
    far.send(bytes, server.port, server.address)
  })
  let listen: (bytes: Buffer) => void = () => {}
  far.on('message', bytes => {
    listen(bytes)
    if (browserPort !== 0) near.send(bytes, browserPort, '127.0.0.1')
  })
  let isCut = false
  return {
    port: near.address().port,
    server,
    inject: bytes => far.send(bytes, server.port, server.address),
    onServer(take) {
      listen = take
    },
    cut() {
      if (isCut) return
      isCut = true
      near.close()
      far.close()
    },
  }
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', lookup: (host, _options, callback) => callback(null, host, 4) })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

/** The address and port of the first candidate in an answer. */
export function candidateIn(sdp: string): Relay['server'] {
  const [, address, port] = /^a=candidate:\S+ 1 udp \d+ (\S+) (\d+)/im.exec(sdp) ?? []
  if (address === undefined) throw new Error(`no candidate in ${sdp}`)
  return { address, port: Number(port) }
}

/** A connection that offers one track of audio, as browsers do. */
export function openConnection() {
  const connection = new PeerConnection('test', { iceServers: [], bindAddress: '127.0.0.1' })
  const audio = new Audio('0', 'SendRecv')
  audio.addAudioCodec(0, 'PCMU')
  audio.addAudioCodec(8, 'PCMA')
  for (const line of [
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:110 telephone-event/48000',
    `a=rtpmap:${eventType} telephone-event/8000`,
    `a=fmtp:${eventType} 0-15`,
  ])
    audio.parseSdpLine(line)
  const ssrc = randomBytes(4).readUInt32BE()
  audio.addSSRC(ssrc, 'browser')
  const track = connection.addTrack(audio)
  // The library lets the process end when it can notify both that they are closed.
  track.onClosed(() => {})
  connection.onStateChange(() => {})
  return { connection, track, ssrc }
}

/** What a browser offers, once it knows its addresses. */
export async function offerOf(connection: PeerConnection): Promise<string> {
  connection.setLocalDescription('offer')
  while (connection.gatheringState() !== 'complete') await new Promise(resolve => setTimeout(resolve, 5))
  // It offers codecs only; the lines of events stand there, their types do not.
  return (connection.localDescription()?.sdp ?? '').replace(/^(m=audio .*? 0 8)/m, `$1 110 ${eventType}`)
}

export function createBrowserCall(): BrowserCall {
  const { connection, track, ssrc } = openConnection()
  const heard = new Int16Array(1_600)
  const keys: string[] = []
  let relay: Relay | undefined
  let lastEvent: number | undefined
  let voice: Int16Array | null = null
  let at = 0
  let sequence = 1
  let timestamp = 0
  let timer: NodeJS.Timeout | undefined

  function send(payloadType: number, payload: Buffer, marker = false, time = timestamp): void {
    const header = Buffer.alloc(12)
    header[0] = 0x80
    header[1] = payloadType | (marker ? 0x80 : 0)
    header.writeUInt16BE(sequence++ & 0xffff, 2)
    header.writeUInt32BE(time, 4)
    header.writeUInt32BE(ssrc, 8)
    if (track.isOpen()) track.sendMessageBinary(Buffer.concat([header, payload]))
  }

  function frame(): void {
    const samples = voice?.subarray(at, at + 160) ?? new Int16Array(160)
    at = voice === null ? 0 : (at + 160) % voice.length
    send(0, encodeG711(law, samples))
    timestamp += 160
  }

  function hear(packet: Buffer): void {
    if (isRtcp(packet)) return
    const payload = packet.subarray(12)
    if ((packet[1]! & 0x7f) !== eventType) {
      heard.copyWithin(0, 160)
      heard.set(decodeG711(law, payload).subarray(0, 160), heard.length - 160)
      return
    }
    const event = readEvent(payload)
    const time = packet.readUInt32BE(4)
    if ('fault' in event || time === lastEvent) return
    lastEvent = time
    keys.push('0123456789*#ABCD'[event.event] ?? '?')
  }

  return {
    keys,
    get relay() {
      return relay
    },
    offer: () => offerOf(connection),
    async connect(sdp) {
      const opened = new Promise<void>((resolve, reject) => {
        track.onOpen(resolve)
        setTimeout(() => reject(new Error(`not connected: ${connection.state()}`)), 10_000).unref()
      })
      track.onMessage(hear)
      const server = candidateIn(sdp)
      relay = await openRelay(server)
      connection.setRemoteDescription(
        sdp.replaceAll(` ${server.address} ${server.port} typ`, ` 127.0.0.1 ${relay.port} typ`),
        'answer',
      )
      await opened
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
      relay?.cut()
      track.close()
      connection.close()
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
