// The engine of the RTP bench where the streams are those of browsers, SRTP over ICE and DTLS: connections and sound of the product itself,
// all through one UDP port.
import { isRtcp, type RunningClock } from '@tandem/sip'
import { type BrowserSound, createBrowserSound } from '../server/src/engines/client/sound.ts'
import { openPeer, type Peer } from '../server/src/engines/client/webrtc.ts'

/** Packets of sound, without RTCP. `failures`: those that could not be sent. */
export type BrowserCounts = { sent: number; received: number; concealed: number; failures: number }

export type BrowserTools = {
  counts: BrowserCounts
  /** Stamps the datagrams of one stream. */
  createStamp(): () => void
}

export type BrowserEngine = {
  /** Answers offers; what was answered plays nothing yet. */
  answer(offers: readonly string[]): Promise<string[]>
  /** From here on each plays what it hears. */
  begin(): void
}

const settings = {
  address: '127.0.0.1',
  advertise: null,
  ports: { minPort: 30_000, maxPort: 30_099 },
  iceServers: [],
  turnSecret: null,
}
const frameOctets = 160
const silenceMs = 3_600_000

export function giveUp(what: string): never {
  console.error(what)
  process.exit(1)
}

export function createBrowserEngine(clock: RunningClock, { counts, createStamp }: BrowserTools): BrowserEngine {
  const streams: { peer: Peer; sound: BrowserSound }[] = []

  async function answerOne(offer: string): Promise<string> {
    const sound = createBrowserSound({ clock, now: Date.now, silenceMs, onDigit() {}, onSilence() {} })
    const peer = await openPeer(offer, settings, {
      onPacket(packet) {
        if (!isRtcp(packet)) counts.received += 1
        sound.receive(packet)
      },
      onConnected() {},
      onGone: () => giveUp('a connection with a browser broke'),
    })
    streams.push({ peer, sound })
    return peer.answer(streams.length)
  }

  function beginOne({ peer, sound }: (typeof streams)[number]): void {
    const stamp = createStamp()
    const frame = Buffer.alloc(frameOctets, 0xff)
    sound.setSink((heard, kind) => {
      heard.copy(frame)
      if (kind === 'concealed') counts.concealed += 1
    })
    sound.setSource(into => {
      frame.copy(into)
      return true
    })
    sound.start({
      law: peer.law,
      eventType: peer.eventType,
      send(packet) {
        peer.send(packet)
        if (isRtcp(packet)) return
        counts.sent += 1
        stamp()
      },
    })
  }

  return {
    answer: offers => Promise.all(offers.map(answerOne)),
    begin() {
      for (const stream of streams) beginOne(stream)
    },
  }
}
