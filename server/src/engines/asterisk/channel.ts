// A channel of an Asterisk with its sound: the far side in one bridge with a channel of external media, which sends its sound here and
// takes ours. How it came to be, dialled or come in, is told in outgoing.ts and incoming.ts.
import { isIP } from 'node:net'
import type { AudioStream, G711Law, RunningClock } from '@tandem/sip'
import { allowedRanges } from '../../kernel/egress.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { dialledForm } from '../../modules/voice/trunks/index.ts'
import type { FarCall, TrunkLeg } from '../trunks/leg.ts'
import type { AsteriskTrunk } from '../trunks/line.ts'
import { type CallSound, openSound } from '../trunks/sound.ts'
import { type AriChannel, type AriEvent, part } from './ari.ts'
import type { AriLink } from './link.ts'

/** What ends a call by an Asterisk; stored before there is anything of it. */
export type StoredChannel = { asterisk: { channelId: string } }

// An Asterisk 22 takes an id for used that another one begins with.
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

/** What is to be deleted of a call, the far side first. */
export function pathsOf(channelId: string, q850?: number): string[] {
  return [
    `/channels/${part(channelId)}${reasonOf(q850)}`,
    `/channels/${part(mediaIdOf(channelId))}`,
    `/bridges/${part(bridgeIdOf(channelId))}`,
  ]
}

/** Why it ended, as far as it was told: Q.850 and SIP status. */
export type ChannelEnd = { q850: number | null; sipStatus: number | null; isLost: boolean }

export type ChannelHooks = {
  ringing(isEarlyMedia: boolean): void
  answered(): void
  /** The far side is gone; once. */
  ended(end: ChannelEnd): void
}

export type AsteriskCall = FarCall & {
  readonly sound: CallSound
  /** Begins to hear of the channel. */
  begin(hooks: ChannelHooks): void
  /** Asks whether the far side is there still. */
  look(): void
  /** Makes the channel of sound and the bridge; undefined when that went well, else why not. */
  connect(): Promise<string | undefined>
  /** Puts both into the bridge. */
  join(): Promise<string | undefined>
  /** From now on silence is told. */
  talk(): void
  /** Ends the far side and everything else of the call. */
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
/** Until a far side that was asked to call somebody else has done so and left. */
const referMs = 32_000
const mediaTimeout = 41
/** SIP status of what cannot be done this way. */
const notImplemented = 501

export async function openAsteriskCall({
  services,
  clock,
  link,
  trunk,
  channelId,
  leg,
}: CallParts): Promise<AsteriskCall> {
  const { ari } = link
  const { settings } = trunk
  const law = settings.codec as G711Law
  const path = `/channels/${part(channelId)}`
  const mediaId = mediaIdOf(channelId)
  const bridge = `/bridges/${part(bridgeIdOf(channelId))}`
  const started = Promise.withResolvers<void>()
  const mediaStarted = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let hooks: ChannelHooks | undefined
  let remote: AudioStream['remote']
  let isAnswered = false
  let isTalking = false
  let isHeld = false
  let isEnded = false
  let isReferring = false
  let q850: number | null = null
  let timer: NodeJS.Timeout | undefined
  let leave = () => {}

  const sound = await openSound({
    settings: { ...services.sip, advertise: settings.mediaAddress ?? services.sip.advertise },
    clock,
    toward: hostOf(settings.url),
    codecs: [law],
    srtp: 'off',
    allow: allowedRanges(services.egress.allow),
    signalling: () => hostOf(settings.url),
    nowMs: services.clock.now(),
    // Keys are told by events.
    onDigit() {},
    onSilence() {
      leg()?.tell({ type: 'ended', cause: 'media_timeout', by: 'system' })
      end(mediaTimeout)
    },
    sendInfo: async (digit, durationMs) =>
      (await ari.request('POST', `${path}/dtmf`, { dtmf: digit, duration: String(durationMs) })).ok,
  })

  function agree(): void {
    if (remote === undefined) return
    leg()?.agree({
      index: 0,
      codec: law,
      payloadTypes: { send: payloadTypes[law], receive: payloadTypes[law] },
      telephoneEvent: undefined,
      remote,
      // Until somebody talks, and while we are held, silence is nothing to be told.
      direction: isTalking && !isHeld ? 'sendrecv' : 'sendonly',
      isHeld,
      packetTime: 20,
      rtcpMux: false,
      crypto: undefined,
    })
  }

  function event(told: AriEvent): void {
    const { type, cause } = told
    if (type === 'StasisStart') started.resolve()
    else if (type === 'Dial') dialled(told.dialstatus)
    else if (type === 'ChannelStateChange') inState(told.channel?.state)
    else if (type === 'ChannelDtmfReceived') {
      if (told.digit !== undefined) leg()?.tell({ type: 'dtmf', digit: told.digit })
    } else if (type === 'ChannelHold' || type === 'ChannelUnhold') {
      isHeld = type === 'ChannelHold'
      agree()
    } else if (type === 'ChannelHangupRequest') q850 = cause ?? q850
    else if (type === 'StasisEnd')
      timer ??= setTimeout(() => ended({ q850, sipStatus: null, isLost: false }), causeWaitMs)
    else if (type === 'ChannelDestroyed')
      ended({ q850: cause ?? q850, sipStatus: statusOf(told.tech_cause), isLost: false })
  }

  function dialled(status: string | undefined): void {
    if (status === 'RINGING') ringing(false)
    else if (status === 'PROGRESS' || status === 'PROCEEDING') ringing(status === 'PROGRESS')
    else if (status === 'ANSWER') answered()
  }

  function inState(state: string | undefined): void {
    if (state === 'Ringing') ringing(false)
    else if (state === 'Up') answered()
  }

  function ringing(isEarly: boolean): void {
    if (!isAnswered && !isEnded) hooks?.ringing(isEarly)
  }

  function answered(): void {
    if (isAnswered || isEnded) return
    isAnswered = true
    hooks?.answered()
  }

  function ended(end: ChannelEnd): void {
    if (isEnded) return
    isEnded = true
    clearTimeout(timer)
    leave()
    started.resolve()
    mediaStarted.resolve()
    gone.resolve()
    // Who had it call somebody else hears first that it did.
    if (isReferring) setImmediate(() => hooks?.ended(end))
    else hooks?.ended(end)
    void link.end(pathsOf(channelId).slice(1))
  }

  /** Nobody told what happened while the connection was lost. */
  async function again(): Promise<void> {
    const reply = await ari.request('GET', path)
    if (isEnded) return
    // What is not there was never made, or is gone.
    if (reply.status === 404 && hooks !== undefined) ended({ q850: null, sipStatus: null, isLost: true })
    else if (reply.ok) {
      started.resolve()
      inState((reply.body as AriChannel).state)
    }
  }

  function end(cause: number | undefined): void {
    if (isEnded) return
    isEnded = true
    clearTimeout(timer)
    leave()
    started.resolve()
    mediaStarted.resolve()
    gone.resolve()
    void link.end(pathsOf(channelId, cause))
    hooks?.ended({ q850: cause ?? null, sipStatus: null, isLost: false })
  }

  async function connect(): Promise<string | undefined> {
    const { address, port } = sound.local
    const host = `${isIP(address.address) === 6 ? `[${address.address}]` : address.address}:${port}`
    const [made, joined] = await Promise.all([
      ari.request('POST', '/channels/externalMedia', {
        app: link.application,
        channelId: mediaId,
        external_host: host,
        format: formats[law],
      }),
      // Keys are told, and sound passes through it whatever the channels are.
      ari.request('POST', bridge, { type: 'mixing,dtmf_events,proxy_media' }),
    ])
    if (!made.ok) return `the channel of the sound could not be made: ${made.message}`
    if (!joined.ok) return `the bridge could not be made: ${joined.message}`
    const vars = (made.body as AriChannel).channelvars ?? {}
    const [from, at] = [vars['UNICASTRTP_LOCAL_ADDRESS'], Number(vars['UNICASTRTP_LOCAL_PORT'])]
    if (from === undefined || isIP(from) === 0 || !(at > 0)) return 'the Asterisk did not say where it takes sound'
    remote = { address: from, port: at, rtcpAddress: from, rtcpPort: at + 1 }
    await Promise.all([started.promise, mediaStarted.promise])
    return isEnded ? 'the call ended meanwhile' : undefined
  }

  async function join(): Promise<string | undefined> {
    const reply = await ari.request('POST', `${bridge}/addChannel`, { channel: `${channelId},${mediaId}` })
    if (!reply.ok) return `the channels could not be joined: ${reply.message}`
    agree()
    return undefined
  }

  /** A number at the host of the far side; undefined where it speaks no SIP, and cannot be asked to call anybody. */
  async function neighbour(number: string): Promise<string | undefined> {
    const reply = await ari.request('GET', `${path}/variable`, { variable: 'CHANNEL(pjsip,remote_uri)' })
    const { value } = (reply.body ?? {}) as { value?: unknown }
    const host = typeof value === 'string' ? /@([^>;?]+)/.exec(value)?.[1] : undefined
    return host === undefined ? undefined : `sip:${number}@${host}`
  }

  async function refer(to: string): Promise<{ ok: boolean; status: number }> {
    const target = /^sips?:/i.test(to) ? to : await neighbour(dialledForm(to, settings))
    if (target === undefined) return { ok: false, status: notImplemented }
    // Only a channel that stands alone can be sent elsewhere.
    await ari.request('POST', `${bridge}/removeChannel`, { channel: channelId })
    const reply = await ari.request('POST', `${path}/redirect`, { endpoint: `PJSIP/${target}` })
    isReferring = reply.ok
    const isGone =
      reply.ok &&
      (await Promise.race([
        gone.promise.then(() => true),
        new Promise<boolean>(resolve => setTimeout(resolve, referMs, false).unref()),
      ]))
    if (isGone) return { ok: true, status: 200 }
    isReferring = false
    await ari.request('POST', `${bridge}/addChannel`, { channel: channelId })
    return { ok: false, status: reply.ok ? 408 : notImplemented }
  }

  return {
    sound,
    get isEnded() {
      return isEnded
    },
    begin(given) {
      hooks = given
      const leaveChannel = link.listen(channelId, { event, again: () => void again() })
      const leaveMedia = link.listen(mediaId, {
        event(told) {
          if (told.type === 'StasisStart') mediaStarted.resolve()
        },
        again() {},
      })
      leave = () => {
        leaveChannel()
        leaveMedia()
      }
    },
    look: () => void again(),
    connect,
    join,
    talk() {
      isTalking = true
      agree()
    },
    async hold(isOn) {
      return (await ari.request(isOn ? 'POST' : 'DELETE', `${path}/hold`)).ok
    },
    refer,
    end,
    async close() {
      clearTimeout(timer)
      await sound.close()
    },
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
