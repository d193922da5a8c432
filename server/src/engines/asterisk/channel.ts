// A channel of an Asterisk with its sound: the remote party in one bridge with a channel of external media, which sends its sound here and
// takes ours. How it came to be, dialled or come in, is in outgoing.ts and incoming.ts.
import { isIP } from 'node:net'
import type { AudioStream, G711Law, RunningClock } from '@tandem/sip'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { allowedRanges } from '../../kernel/outbound/egress.ts'
import { dialledForm } from '../../modules/voice/trunks/index.ts'
import type { AsteriskTrunk } from '../trunks/driver.ts'
import type { RemoteCall, TrunkLeg } from '../trunks/leg.ts'
import { type CallSound, openSound } from '../trunks/sound.ts'
import { type AriChannel, type AriEvent, part } from './ari.ts'
import type { AriLink } from './link.ts'

/** What ends a call by an Asterisk; stored before there is anything of it. */
export type StoredChannel = { asterisk: { channelId: string } }

// An Asterisk 22 takes an id for used that another one starts with.
const mediaIdOf = (channelId: string): string => `media-${channelId}`
const bridgeIdOf = (channelId: string): string => `bridge-${channelId}`

/** Causes that have names; older Asterisks know no others. */
const reasons: Readonly<Record<number, string>> = {
  1: 'unallocated',
  16: 'normal',
  17: 'busy',
  18: 'timeout',
  19: 'no_answer',
  21: 'rejected',
  26: 'answered_elsewhere',
  28: 'number_incomplete',
  34: 'congestion',
  38: 'failure',
  58: 'codec_mismatch',
}

/** Why a channel is ended, as the query of the request that ends it. */
export function reasonOf(q850: number | undefined): string {
  if (q850 === undefined) return ''
  const name = reasons[q850]
  return name === undefined ? `?reason_code=${q850}` : `?reason=${name}`
}

/** What is to be deleted of a call, the remote party first. */
export function pathsOf(channelId: string, q850?: number): string[] {
  return [
    `/channels/${part(channelId)}${reasonOf(q850)}`,
    `/channels/${part(mediaIdOf(channelId))}`,
    `/bridges/${part(bridgeIdOf(channelId))}`,
  ]
}

/** Why it ended, as far as it is known: Q.850 and SIP status. */
export type ChannelEnd = { q850: number | null; sipStatus: number | null; isLost: boolean }

export type ChannelHooks = {
  ringing(isEarlyMedia: boolean): void
  answered(): void
  /** The remote party is gone; once. */
  ended(end: ChannelEnd): void
}

export type AsteriskCall = RemoteCall & {
  readonly sound: CallSound
  /** Starts to listen to the channel. */
  start(hooks: ChannelHooks): void
  /** Asks whether the remote party is still there. */
  look(): void
  /** Makes the channel of sound and the bridge; undefined when that went well, else why not. */
  connect(): Promise<string | undefined>
  /** Puts both into the bridge. */
  join(): Promise<string | undefined>
  /** From now on silence is reported. */
  talk(): void
  /** Ends the remote party and everything else of the call. */
  end(q850: number | undefined): void
  /** Releases what is here. */
  close(): Promise<void>
  readonly isEnded: boolean
}

export type CallParts = {
  services: Services
  clock: RunningClock
  link: AriLink
  trunk: AsteriskTrunk
  channelId: string
  leg(): TrunkLeg | undefined
}

const formats: Record<G711Law, string> = { PCMU: 'ulaw', PCMA: 'alaw' }
const payloadTypes: Record<G711Law, number> = { PCMU: 0, PCMA: 8 }
/** After StasisEnd the cause comes with ChannelDestroyed; a channel that is led elsewhere in the Asterisk is never destroyed. */
const causeWaitMs = 1_000
/** Until a remote party that was asked to call somebody else has done so and left. */
const referMs = 32_000
const mediaTimeout = 41
const endedMeanwhile = 'the call ended meanwhile'
/** SIP status of what cannot be done this way. */
const notImplemented = 501

/** Opens the sound of a call; the channel is listened to from `start` on. */
export async function openAsteriskCall(parts: CallParts): Promise<AsteriskCall> {
  const { services, clock, link, trunk, channelId, leg } = parts
  const { settings } = trunk
  let call: AsteriskChannel | undefined
  const sound = await openSound({
    settings: { ...services.sip, advertise: settings.mediaAddress ?? services.sip.advertise },
    clock,
    toward: hostOf(settings.url),
    codecs: [settings.codec as G711Law],
    srtp: 'off',
    allow: allowedRanges(services.egress.allow),
    signalling: () => hostOf(settings.url),
    nowMs: services.clock.now(),
    // Keys are reported by events.
    onDigit() {},
    onSilence() {
      leg()?.emit({ type: 'ended', cause: 'media_timeout', by: 'system' })
      call?.end(mediaTimeout)
    },
    sendInfo: async (digit, durationMs) => {
      const path = `/channels/${part(channelId)}/dtmf`
      return (await link.ari.request('POST', path, { dtmf: digit, duration: String(durationMs) })).ok
    },
  })
  call = new AsteriskChannel(parts, sound)
  return call
}

/** As long as the channel of the remote party: what is known of it, the channel of the sound, and the bridge of both. */
class AsteriskChannel implements AsteriskCall {
  readonly sound: CallSound
  readonly #parts: CallParts
  readonly #law: G711Law
  readonly #path: string
  readonly #bridge: string
  readonly #started = Promise.withResolvers<void>()
  readonly #mediaStarted = Promise.withResolvers<void>()
  readonly #gone = Promise.withResolvers<void>()
  #hooks: ChannelHooks | undefined
  #remote: AudioStream['remote']
  #isAnswered = false
  #isTalking = false
  #isHeld = false
  #isEnded = false
  #isReferring = false
  #q850: number | null = null
  #timer: NodeJS.Timeout | undefined
  #leave = () => {}

  constructor(parts: CallParts, sound: CallSound) {
    this.sound = sound
    this.#parts = parts
    this.#law = parts.trunk.settings.codec as G711Law
    this.#path = `/channels/${part(parts.channelId)}`
    this.#bridge = `/bridges/${part(bridgeIdOf(parts.channelId))}`
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  start(hooks: ChannelHooks): void {
    const { link, channelId } = this.#parts
    this.#hooks = hooks
    const leaveChannel = link.listen(channelId, { event: event => this.#on(event), again: () => this.look() })
    const leaveMedia = link.listen(mediaIdOf(channelId), {
      event: ({ type }) => type === 'StasisStart' && this.#mediaStarted.resolve(),
      again() {},
    })
    this.#leave = () => {
      leaveChannel()
      leaveMedia()
    }
  }

  #on(event: AriEvent): void {
    const { type, cause } = event
    if (type === 'StasisStart') this.#started.resolve()
    else if (type === 'Dial') this.#dialled(event.dialstatus)
    else if (type === 'ChannelStateChange') this.#inState(event.channel?.state)
    else if (type === 'ChannelDtmfReceived') {
      if (event.digit !== undefined) this.#parts.leg()?.emit({ type: 'dtmf', digit: event.digit })
    } else if (type === 'ChannelHold' || type === 'ChannelUnhold') {
      this.#isHeld = type === 'ChannelHold'
      this.#agree()
    } else if (type === 'ChannelHangupRequest') this.#q850 = cause ?? this.#q850
    else if (type === 'StasisEnd')
      this.#timer ??= setTimeout(() => this.#ended({ q850: this.#q850, sipStatus: null, isLost: false }), causeWaitMs)
    else if (type === 'ChannelDestroyed')
      this.#ended({ q850: cause ?? this.#q850, sipStatus: statusOf(event.tech_cause), isLost: false })
  }

  #dialled(status: string | undefined): void {
    if (status === 'RINGING') this.#ringing(false)
    else if (status === 'PROGRESS' || status === 'PROCEEDING') this.#ringing(status === 'PROGRESS')
    else if (status === 'ANSWER') this.#answered()
  }

  #inState(state: string | undefined): void {
    if (state === 'Ringing') this.#ringing(false)
    else if (state === 'Up') this.#answered()
  }

  #ringing(isEarly: boolean): void {
    if (!this.#isAnswered && !this.#isEnded) this.#hooks?.ringing(isEarly)
  }

  #answered(): void {
    if (this.#isAnswered || this.#isEnded) return
    this.#isAnswered = true
    this.#hooks?.answered()
  }

  #ended(end: ChannelEnd): void {
    if (this.#isEnded) return
    this.#over()
    // Who had it call somebody else hears first that it did.
    if (this.#isReferring) setImmediate(() => this.#hooks?.ended(end))
    else this.#hooks?.ended(end)
    void this.#parts.link.end(pathsOf(this.#parts.channelId).slice(1))
  }

  #over(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#leave()
    this.#started.resolve()
    this.#mediaStarted.resolve()
    this.#gone.resolve()
  }

  end(q850: number | undefined): void {
    if (this.#isEnded) return
    this.#over()
    void this.#parts.link.end(pathsOf(this.#parts.channelId, q850))
    this.#hooks?.ended({ q850: q850 ?? null, sipStatus: null, isLost: false })
  }

  look(): void {
    void this.#look()
  }

  /** No events come while the connection is lost. */
  async #look(): Promise<void> {
    const reply = await this.#parts.link.ari.request('GET', this.#path)
    if (this.#isEnded) return
    // What is not there was never made, or is gone.
    if (reply.status === 404 && this.#hooks !== undefined) this.#ended({ q850: null, sipStatus: null, isLost: true })
    else if (reply.ok) {
      this.#started.resolve()
      this.#inState((reply.body as AriChannel).state)
    }
  }

  async connect(): Promise<string | undefined> {
    const { link, channelId } = this.#parts
    const { address, port } = this.sound.local
    const host = `${isIP(address.address) === 6 ? `[${address.address}]` : address.address}:${port}`
    const [made, joined] = await Promise.all([
      link.ari.request('POST', '/channels/externalMedia', {
        app: link.application,
        channelId: mediaIdOf(channelId),
        external_host: host,
        format: formats[this.#law],
      }),
      // Keys are reported, and sound passes through it whatever the channels are.
      link.ari.request('POST', this.#bridge, { type: 'mixing,dtmf_events,proxy_media' }),
    ])
    if (this.#isEnded) {
      // They came to be behind the requests that ended them.
      await link.end(pathsOf(channelId).slice(1))
      return endedMeanwhile
    }
    if (!made.ok) return `the channel of the sound could not be made: ${made.message}`
    if (!joined.ok) return `the bridge could not be made: ${joined.message}`
    const vars = (made.body as AriChannel).channelvars ?? {}
    const [from, at] = [vars['UNICASTRTP_LOCAL_ADDRESS'], Number(vars['UNICASTRTP_LOCAL_PORT'])]
    if (from === undefined || isIP(from) === 0 || !(at > 0)) return 'the Asterisk did not say where it takes sound'
    this.#remote = { address: from, port: at, rtcpAddress: from, rtcpPort: at + 1 }
    await Promise.all([this.#started.promise, this.#mediaStarted.promise])
    return this.#isEnded ? endedMeanwhile : undefined
  }

  async join(): Promise<string | undefined> {
    const channel = `${this.#parts.channelId},${mediaIdOf(this.#parts.channelId)}`
    const reply = await this.#parts.link.ari.request('POST', `${this.#bridge}/addChannel`, { channel })
    if (!reply.ok) return `the channels could not be joined: ${reply.message}`
    this.#agree()
    return undefined
  }

  talk(): void {
    this.#isTalking = true
    this.#agree()
  }

  #agree(): void {
    const law = this.#law
    if (this.#remote === undefined) return
    this.#parts.leg()?.agree({
      index: 0,
      codec: law,
      payloadTypes: { send: payloadTypes[law], receive: payloadTypes[law] },
      telephoneEvent: undefined,
      remote: this.#remote,
      // Until somebody talks, and while we are held, silence means nothing.
      direction: this.#isTalking && !this.#isHeld ? 'sendrecv' : 'sendonly',
      isHeld: this.#isHeld,
      packetTime: 20,
      rtcpMux: false,
      crypto: undefined,
    })
  }

  async hold(isOn: boolean): Promise<boolean> {
    return (await this.#parts.link.ari.request(isOn ? 'POST' : 'DELETE', `${this.#path}/hold`)).ok
  }

  async refer(to: string): Promise<{ ok: boolean; status: number }> {
    const { link, trunk, channelId } = this.#parts
    const target = /^sips?:/i.test(to) ? to : await this.#neighbour(dialledForm(to, trunk.settings))
    if (target === undefined) return { ok: false, status: notImplemented }
    // Only a channel that stands alone can be sent elsewhere.
    await link.ari.request('POST', `${this.#bridge}/removeChannel`, { channel: channelId })
    const reply = await link.ari.request('POST', `${this.#path}/redirect`, { endpoint: `PJSIP/${target}` })
    this.#isReferring = reply.ok
    const isGone =
      reply.ok &&
      (await Promise.race([
        this.#gone.promise.then(() => true),
        new Promise<boolean>(resolve => setTimeout(resolve, referMs, false).unref()),
      ]))
    if (isGone) return { ok: true, status: 200 }
    this.#isReferring = false
    await link.ari.request('POST', `${this.#bridge}/addChannel`, { channel: channelId })
    return { ok: false, status: reply.ok ? 408 : notImplemented }
  }

  /** A number at the host of the remote party; undefined where it speaks no SIP, and cannot be asked to call anybody. */
  async #neighbour(number: string): Promise<string | undefined> {
    const query = { variable: 'CHANNEL(pjsip,remote_uri)' }
    const reply = await this.#parts.link.ari.request('GET', `${this.#path}/variable`, query)
    const { value } = (reply.body ?? {}) as { value?: unknown }
    const host = typeof value === 'string' ? /@([^>;?]+)/.exec(value)?.[1] : undefined
    return host === undefined ? undefined : `sip:${number}@${host}`
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.sound.close()
  }
}

/** Causes of the technology are SIP statuses where that is SIP. */
function statusOf(cause: number | undefined): number | null {
  return cause !== undefined && cause >= 300 && cause <= 699 ? cause : null
}

/** An address of the same network will do to choose ours by; a name is looked up elsewhere. */
function hostOf(url: string): string {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(host) === 0 ? '192.0.2.1' : host
}
