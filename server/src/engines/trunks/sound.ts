// The sound of one call: an RTP session at a pair of ports of its own, at the beat of the one clock of the process.
import { randomBytes } from 'node:crypto'
import {
  type AudioSource,
  type AudioStream,
  agreementOf,
  createRtpSession,
  createSrtpKeeper,
  type FrameKind,
  type G711Law,
  type LocalAudio,
  localAddressTo,
  openRtpPorts,
  type RtpPorts,
  type RtpSession,
  type RunningClock,
  type SdpCrypto,
  silenceOf,
} from '@tandem/sip'
import { type Cidr, forbiddenAddress } from '../../kernel/outbound/egress.ts'
import type { DigitsOptions, LegSound, SipSettings } from '../../modules/voice/engine/index.ts'
import { typeDigits } from '../typing.ts'

export type SoundOptions = {
  settings: Pick<SipSettings, 'address' | 'advertise' | 'rtp'>
  clock: RunningClock
  /** The address of the remote party, or of who will give it: decides which of our addresses is named. */
  toward: string
  codecs: readonly G711Law[]
  srtp: 'off' | 'preferred' | 'required'
  /** Ranges that sound may go to although they are private; where the signalling comes from it always may. */
  allow: readonly Cidr[]
  /** Where the signalling of the remote party comes from, as far as it is known. */
  signalling(): string | undefined
  nowMs: number
  onDigit(digit: string): void
  /** Nothing came for so long, although it should. */
  onSilence(): void
  /** Sends a digit by SIP. */
  sendInfo(digit: string, durationMs: number): Promise<boolean>
}

export type CallSound = LegSound & {
  readonly local: LocalAudio
  /** What was agreed, the first time and after each change. */
  agree(stream: AudioStream): void
  close(): Promise<void>
}

const frameOctets = 160
/** Of sound that goes where a remote party said, without anything coming back. */
const unansweredMs = 5_000
const random = () => randomBytes(4).readUInt32BE() / 2 ** 32

export async function openSound(options: SoundOptions): Promise<CallSound> {
  const { settings, clock, toward, codecs, srtp } = options
  const ports = await openRtpPorts({ address: settings.address, ...settings.rtp, random })
  const address = settings.advertise ?? (await ownAddressTo(toward, settings.address))
  const local: LocalAudio = {
    sessionId: String(randomBytes(6).readUIntBE(0, 6)),
    address: { family: address.includes(':') ? 'IP6' : 'IP4', address },
    port: ports.port,
    codecs,
    ...(srtp === 'off' ? {} : { srtp, cryptos: [newKey()] }),
  }
  return createSound(options, ports, local, clock)
}

async function ownAddressTo(toward: string, bound: string): Promise<string> {
  if (bound !== '0.0.0.0' && bound !== '::') return bound
  return (await localAddressTo(toward)) ?? bound
}

function newKey(): Omit<SdpCrypto, 'tag'> {
  return { suite: 'AES_CM_128_HMAC_SHA1_80', key: randomBytes(30) }
}

function createSound(options: SoundOptions, ports: RtpPorts, local: LocalAudio, clock: RunningClock): CallSound {
  let session: RtpSession | undefined
  let law: G711Law = options.codecs[0] ?? 'PCMU'
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  let leaveClock: (() => void) | undefined
  let events: AudioStream['telephoneEvent']
  const srtpOf = createSrtpKeeper()
  const heard = Buffer.alloc(frameOctets)
  let isClosed = false

  const isSignalling = (address: string) => address === options.signalling()

  function startSession(stream: AudioStream): RtpSession {
    const started = createRtpSession({
      agreement: agreementOf(stream, srtpOf(stream)),
      cname: 'tandem',
      send: ports.send,
      nowMs: performance.now(),
      wallMs: options.nowMs,
      random,
      unansweredMs,
      isSignalling,
      mayReach: address => isSignalling(address) || !forbiddenAddress(address, options.allow),
      onDigit(change) {
        if (change.type === 'started' && change.digit !== null) options.onDigit(change.digit)
      },
      onSilence: options.onSilence,
    })
    started.setSource(into => source?.(into) ?? false)
    ports.onDatagram((bytes, from, port) => started.receive(bytes, from, port, performance.now()))
    leaveClock = clock.add((_dueMs, skipped) => {
      const kind = started.read(heard)
      sink?.(heard, kind)
      started.frame(performance.now(), skipped)
    })
    return started
  }

  return {
    local,
    get law() {
      return law
    },
    agree(stream) {
      if (isClosed) return
      law = stream.codec
      events = stream.telephoneEvent
      heard.fill(silenceOf[law])
      if (session === undefined) session = startSession(stream)
      else session.change(agreementOf(stream, srtpOf(stream)))
    },
    setSource(next) {
      source = next
    },
    setSink(next) {
      sink = next
    },
    sendDigits: (digits, how = {}) => type(digits, how),
    async close() {
      if (isClosed) return
      isClosed = true
      leaveClock?.()
      source = null
      sink = null
      session?.leave(performance.now())
      await ports.close()
    },
  }

  function type(digits: string, how: DigitsOptions): Promise<void> {
    return typeDigits(digits, how, {
      isOver: () => isClosed,
      async press(digit, toneMs) {
        if (how.method === 'info' || events === undefined || session === undefined)
          await options.sendInfo(digit, toneMs)
        else session.sendDigits(digit, { durationMs: toneMs })
      },
    })
  }
}
