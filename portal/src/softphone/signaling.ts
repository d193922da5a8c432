// The signaling connection of the softphone: the stream that reports the state of its calls, and the connection of the call it has.
// The browser offers, the server answers by the stream, for calls that are made and for those that are taken.
import type { CallCommand, ClientStreamOpenEvent, ClientTarget, NumberTarget } from '@tandem/sdk'
import { mayReturn, returnMs } from '../data/live_return.ts'
import { apiOf } from '../session/api.ts'
import type { Mode } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { describeMicrophoneFault, endingWords } from './endings.ts'
import { changeCall, changePhone, type Dialing, keepEnded, type PhoneCall, phoneMode, phoneState } from './store.ts'
import { t } from './texts.ts'

type IceServer = { urls: string; username?: string; credential?: string }
type Signaling = { mode: Mode; handset: string | null; isRung: boolean; stop: AbortController; ready: Promise<void> }
type Connection = { pc: RTCPeerConnection; track: MediaStreamTrack; audio: HTMLAudioElement; sdp: string }

let signaling: Signaling | undefined
/** What the line is to be; undefined while nobody wants one. */
let wanted: Pick<Signaling, 'mode' | 'isRung' | 'handset'> | undefined
/** What was said when the line was lost, until there is one again. */
let lostFault: string | undefined
let iceServers: readonly IceServer[] = []
let connection: Connection | undefined
/** Answers that were faster than the reply that names their call. */
const early = new Map<string, string>()

/** Asks the browser for the microphone, which is let go at once; answers what is in the way. */
export async function askForMicrophone(): Promise<string | null> {
  try {
    const track = await microphone()
    track.stop()
    return null
  } catch (error) {
    return describeMicrophoneFault(error)
  }
}

async function microphone(): Promise<MediaStreamTrack> {
  // Pages that are not secure have no devices at all.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (devices === undefined) throw new DOMException('not secure', 'SecurityError')
  const stream = await devices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
  return stream.getAudioTracks()[0] as MediaStreamTrack
}

/** Keeps the signaling connection as it should be: of this mode, for the person where they are called here, for the handset where there is one. */
export function settleLine(
  mode: Mode | undefined,
  { isRung, handset }: { isRung: boolean; handset: string | null },
): void {
  const isWanted = mode !== undefined && (isRung || handset !== null || phoneState().call !== undefined)
  wanted = isWanted ? { mode, isRung, handset } : undefined
  const fits =
    signaling !== undefined && signaling.mode === mode && signaling.handset === handset && signaling.isRung === isRung
  if (fits || (!isWanted && signaling === undefined)) return
  signaling?.stop.abort()
  signaling = undefined
  if (isWanted) openSignaling(mode, isRung, handset)
  else changePhone({ signaling: 'off', ringing: [] })
}

function openSignaling(mode: Mode, isRung: boolean, handset: string | null): Signaling {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const mine: Signaling = { mode, handset, isRung, stop: new AbortController(), ready }
  signaling = mine
  changePhone({ signaling: 'connecting', ringing: [] })
  void listen(mine, resolve)
  return mine
}

async function listen(mine: Signaling, isReady: () => void): Promise<void> {
  const { mode, handset, isRung, stop } = mine
  const isMine = () => signaling === mine
  let fault: unknown
  try {
    const stream = apiOf(mode).clientStream.open(
      { incoming: isRung, ...(handset === null ? {} : { number: handset }) },
      { signal: stop.signal, onRetry: () => isMine() && changePhone({ signaling: 'connecting' }) },
    )
    for await (const message of stream) {
      if (!isMine()) return
      if (message.event === 'ready') {
        iceServers = message.data.iceServers
        changePhone({ signaling: 'ready', ...(phoneState().fault === lostFault && { fault: null }) })
        lostFault = undefined
        isReady()
      } else hear(message)
    }
  } catch (error) {
    if (!isMine()) return
    lostFault = faultText(error)
    changePhone({ signaling: 'off', fault: lostFault })
    fault = error
  } finally {
    if (isMine()) {
      signaling = undefined
      if (mayReturn(fault)) setTimeout(returnIfWanted, returnMs)
    }
  }
}

/** The phone is still on, and nothing else has opened a line meanwhile. */
function returnIfWanted(): void {
  if (signaling === undefined && wanted !== undefined) openSignaling(wanted.mode, wanted.isRung, wanted.handset)
}

function hear(message: ClientStreamOpenEvent): void {
  if (message.event === 'end' || message.event === 'ready') return
  const { callId } = message.data
  const { call, ringing } = phoneState()
  const isOurs = call?.callId === callId
  switch (message.event) {
    case 'ringing': {
      const { from, callerName, leadId, identity } = message.data
      if (isOurs || ringing.some(one => one.callId === callId)) return
      const rings = {
        ...callOf('in', from.replace(/^client:/, ''), callerName, leadId),
        callId,
        isHandset: identity === phoneState().handset,
        phase: 'ringing' as const,
      }
      changePhone({ ringing: [...ringing, rings], note: null })
      return
    }
    case 'answer':
      if (isOurs) void accept(message.data.sdp)
      else early.set(callId, message.data.sdp)
      return
    case 'state':
      if (isOurs) follow(message.data.state)
      // Another window has it.
      else forget(callId)
      return
    case 'ended':
      early.delete(callId)
      forget(callId)
      if (isOurs) {
        const why = endingWords(message.data.cause)
        keepEnded(call, why, message.data.cause)
        over(why)
      }
  }
}

function follow(state: 'connecting' | 'taken' | 'answered' | 'talking'): void {
  const { call } = phoneState()
  const isThere =
    state === 'talking' || (state === 'answered' && (call?.direction === 'in' || call?.isHandset === true))
  if (isThere) changeCall({ phase: 'talking', sinceMs: call?.sinceMs ?? performance.now() })
  else if (state === 'answered') changeCall({ phase: 'calling' })
}

function forget(callId: string): void {
  const { ringing } = phoneState()
  if (ringing.some(call => call.callId === callId))
    changePhone({ ringing: ringing.filter(call => call.callId !== callId) })
}

function callOf(direction: 'in' | 'out', other: string, name: string | null, leadId: number | null): PhoneCall {
  const phase = direction === 'in' ? ('connecting' as const) : ('calling' as const)
  return {
    callId: undefined,
    direction,
    isHandset: false,
    other,
    name,
    leadId,
    recordId: leadId === null ? null : `lead:${leadId}`,
    phase,
    sinceMs: null,
    isMuted: false,
    isHeld: false,
  }
}

/** The microphone in a connection, and its offer with all candidates. */
async function connect(): Promise<Connection> {
  const track = await microphone()
  const pc = new RTCPeerConnection({ iceServers: [...iceServers] })
  const audio = new Audio()
  audio.autoplay = true
  pc.ontrack = event => {
    audio.srcObject = new MediaStream([event.track])
  }
  pc.addTrack(track)
  await pc.setLocalDescription()
  await new Promise<void>(resolve => {
    const look = () => pc.iceGatheringState === 'complete' && resolve()
    pc.addEventListener('icegatheringstatechange', look)
    look()
    // A STUN server that does not answer must not keep a call waiting.
    setTimeout(resolve, 2_000)
  })
  return { pc, track, audio, sdp: pc.localDescription?.sdp ?? '' }
}

async function accept(sdp: string): Promise<void> {
  await connection?.pc.setRemoteDescription({ type: 'answer', sdp }).catch(() => over(t('noConnection')))
}

/** Lets go of what the call had. */
function over(note: string): void {
  connection?.pc.close()
  connection?.track.stop()
  connection = undefined
  changePhone({ call: undefined, note })
}

/** Opens the connection of a call and sends its SDP to the server; what goes wrong is shown. */
async function begin(call: PhoneCall, send: (sdp: string) => Promise<string>): Promise<void> {
  changePhone({ call, fault: null, note: null, isDialing: false })
  try {
    const made = await connect()
    if (phoneState().call !== call) {
      made.pc.close()
      made.track.stop()
      return
    }
    connection = made
    const callId = await send(made.sdp)
    changeCall({ callId })
    const sdp = early.get(callId)
    early.delete(callId)
    if (sdp !== undefined) await accept(sdp)
  } catch (error) {
    over('')
    changePhone({ note: null, fault: describeMicrophoneFault(error) })
  }
}

export async function dialOut({ to, name = null, leadId = null, recordId, handset }: Dialing): Promise<void> {
  const mode = signaling?.mode ?? phoneMode()
  if (mode === undefined) return
  const { isOn, handset: ringsFor } = phoneState()
  // Who only calls needs the signaling connection as well: the answer comes by it.
  const open = signaling ?? openSignaling(mode, isOn, ringsFor)
  const call: PhoneCall = {
    ...callOf('out', to, name, leadId),
    isHandset: handset !== undefined,
    ...(recordId !== undefined && { recordId }),
  }
  await begin(call, async sdp => {
    await open.ready
    const { callId } = await apiOf(mode).clientCalls.create({
      to,
      sdp,
      ...(leadId === null ? {} : { leadId }),
      ...(handset === undefined ? {} : { number: handset }),
    })
    return callId
  })
}

export async function takeCall(call: PhoneCall): Promise<void> {
  const { callId } = call
  if (signaling === undefined || callId === undefined) return
  const { mode } = signaling
  changePhone({ ringing: phoneState().ringing.filter(one => one.callId !== callId) })
  await begin({ ...call, phase: 'connecting' }, async sdp => {
    await apiOf(mode).clientCalls.answer({ callId, sdp })
    return callId
  })
}

export async function refuseCall({ callId }: PhoneCall): Promise<void> {
  if (signaling === undefined || callId === undefined) return
  forget(callId)
  await apiOf(signaling.mode)
    .clientCalls.reject({ callId, reason: 'declined' })
    .catch(() => {})
}

export async function hangUp(): Promise<void> {
  const { call } = phoneState()
  const mine = connection
  // The server hears of it first: a connection that closes is a call that ends.
  connection = undefined
  mine?.track.stop()
  if (call !== undefined) keepEnded(call, t('ended.normal'))
  changePhone({ call: undefined, note: t('ended.normal') })
  if (signaling !== undefined && call?.callId !== undefined)
    await apiOf(signaling.mode)
      .clientCalls.hangup({ callId: call.callId })
      .catch(() => {})
  mine?.pc.close()
}

/** The page goes: so does its call. */
export function dropCall(): void {
  connection?.pc.close()
}

export function setMuted(isMuted: boolean): void {
  if (connection !== undefined) connection.track.enabled = !isMuted
  changeCall({ isMuted })
}

export function pressKey(key: string): void {
  const sender = connection?.pc.getSenders()[0]
  if (sender?.dtmf?.canInsertDTMF === true) sender.dtmf.insertDTMF(sender.dtmf.toneBuffer + key, 160, 80)
}

/** The other one hears music, or us again. @throws Error with what the server says */
export async function setHeld(isHeld: boolean): Promise<void> {
  await command(isHeld ? { verb: 'hold', leg: 'peer' } : { verb: 'resume', leg: 'peer' })
  changeCall({ isHeld })
}

/** The other one is handed to a number; this phone is free once it answers. */
export async function transferTo(number: string): Promise<void> {
  const to: ClientTarget | NumberTarget = number.startsWith('client:')
    ? { type: 'client', identity: number.slice('client:'.length) }
    : { type: 'number', number }
  await command({ verb: 'transfer', to, leg: 'peer', mode: 'attended' })
}

async function command(body: CallCommand): Promise<void> {
  const { call } = phoneState()
  if (signaling === undefined || call?.callId === undefined) return
  await apiOf(signaling.mode).calls.command({ ...body, callId: call.callId })
}
