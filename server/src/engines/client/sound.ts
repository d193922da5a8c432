// The sound of a call with a browser: frames of G.711 as they are, at the beat of the one clock of the engine; keys as telephone
// events. It is the sound of any RTP session, whose packets go through the connection with the browser.
import { randomBytes } from 'node:crypto'
import {
  type AudioSource,
  createRtpSession,
  type FrameKind,
  type G711Law,
  type RtpSession,
  type RunningClock,
  silenceOf,
} from '@tandem/sip'
import type { LegSound } from '../../modules/voice/engine/index.ts'
import { typeDigits } from '../typing.ts'
import type { Peer } from './webrtc.ts'

export type BrowserSoundOptions = {
  clock: RunningClock
  now(): number
  silenceMs: number
  onDigit(digit: string): void
  /** Nothing came for `silenceMs`. */
  onSilence(): void
}

export type BrowserSound = LegSound & {
  receive(packet: Buffer): void
  /** From here on sound flows; answers the source (SSRC) of what is sent. */
  start(peer: Pick<Peer, 'law' | 'eventType' | 'send'>): number
  close(): void
}

const frameOctets = 160
const random = () => randomBytes(4).readUInt32BE() / 2 ** 32
/** All packets come through one connection: where they are from is no question. */
const peerEndpoint = { address: '127.0.0.1', port: 9 }

export function createBrowserSound({ clock, now, silenceMs, onDigit, onSilence }: BrowserSoundOptions): BrowserSound {
  let session: RtpSession | undefined
  let law: G711Law = 'PCMU'
  let mayType = false
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  let leaveClock: (() => void) | undefined
  let isClosed = false
  const heard = Buffer.alloc(frameOctets, silenceOf[law])

  return {
    get law() {
      return law
    },
    receive(packet) {
      session?.receive(packet, peerEndpoint, 'rtp', performance.now())
    },
    start(peer) {
      law = peer.law
      mayType = peer.eventType !== null
      heard.fill(silenceOf[law])
      const started = createRtpSession({
        agreement: {
          remote: peerEndpoint,
          rtcpMux: true,
          law,
          eventType: peer.eventType === null ? null : { send: peer.eventType, receive: peer.eventType },
        },
        cname: 'tandem',
        send: bytes => peer.send(bytes),
        nowMs: performance.now(),
        wallMs: now(),
        random,
        silenceMs,
        onDigit(change) {
          if (change.type === 'started' && change.digit !== null) onDigit(change.digit)
        },
        onSilence,
      })
      started.setSource(into => source?.(into) ?? false)
      leaveClock = clock.add((_dueMs, skipped) => {
        const kind = started.read(heard)
        sink?.(heard, kind)
        started.frame(performance.now(), skipped)
      })
      session = started
      return started.ssrc
    },
    setSource(next) {
      source = next
    },
    setSink(next) {
      sink = next
    },
    sendDigits: (digits, how = {}) =>
      typeDigits(digits, how, {
        isOver: () => isClosed,
        press(digit, toneMs) {
          if (mayType) session?.sendDigits(digit, { durationMs: toneMs })
        },
      }),
    close() {
      isClosed = true
      leaveClock?.()
      source = null
      sink = null
    },
  }
}
