// The phone of the person who is logged in, as every screen sees it: whether it is on, and what call it has.
// A phone that is off holds no connection.
import { useSyncExternalStore } from 'react'
import { guardReloads } from '../navigation/reload_guard.ts'
import { type Mode, sessionState } from '../session/session.ts'
import { t } from './frame/texts.ts'
import { guessedOutcome, type Outcome } from './outcomes.ts'

export type PhoneCall = {
  /** Undefined until the server has named it. */
  callId: string | undefined
  direction: 'in' | 'out'
  /** It is a handset that calls or is called, and so a phone of somebody else: it is answered as soon as sound flows. */
  isHandset: boolean
  /** A number, SIP address or identity. */
  other: string
  name: string | null
  leadId: number | null
  /** Of whom it is with, as notes name the record, where that is known: `lead:12`, `con_…`. */
  recordId: string | null
  phase: 'ringing' | 'calling' | 'connecting' | 'talking'
  /** By the clock of the page, when the other one was there. */
  sinceMs: number | null
  isMuted: boolean
  isHeld: boolean
}

/** A call that is over, of which it is not said yet what came of it. */
export type EndedCall = {
  callId: string
  mode: Mode
  /** Who had it. */
  userId: number
  direction: 'in' | 'out'
  other: string
  name: string | null
  leadId: number | null
  recordId: string | null
  /** From when the other one was there; null where nobody was. */
  talkedMs: number | null
  /** Why it ended, in words. */
  why: string
  guess: Outcome | null
}

export type PhoneState = {
  isOn: boolean
  signaling: 'off' | 'connecting' | 'ready'
  /** The handset of the simulator this page is too. */
  handset: string | null
  /** The browser asks for the microphone at this moment. */
  isAsking: boolean
  call: PhoneCall | undefined
  /** Calls that wait for a word on what came of them, the oldest first. */
  ended: readonly EndedCall[]
  /** A number can be typed; `asked`: somebody wants to type it now. */
  isDialing: boolean | 'asked'
  /** Calls that ring. */
  ringing: readonly PhoneCall[]
  fault: string | null
  /** Said once, such as why the last call ended. */
  note: string | null
}

export type Dialing = {
  to: string
  name?: string | null
  leadId?: number | null
  recordId?: string
  handset?: string
}

const leftAtKey = 'tandem.phone_left_at'
const reloadMs = 15_000
const off: PhoneState = {
  isOn: false,
  signaling: 'off',
  handset: null,
  isAsking: false,
  isDialing: false,
  call: undefined,
  ended: [],
  ringing: [],
  fault: null,
  note: null,
}

let state: PhoneState = { ...off, isOn: wasOnBeforeReload() }
guardReloads(() => (state.call === undefined ? undefined : t('yourCall')), 'beside')
const watchers = new Set<() => void>()

/** A phone that was on stays on through a reload of its tab; another tab, or another day, begins with none. */
function wasOnBeforeReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (entry?.type !== 'reload') return false
  try {
    const leftAt = Number(localStorage.getItem(leftAtKey) ?? Number.NaN)
    localStorage.removeItem(leftAtKey)
    return Date.now() - leftAt < reloadMs
  } catch {
    return false
  }
}

window.addEventListener('pagehide', () => {
  if (!state.isOn) return
  try {
    localStorage.setItem(leftAtKey, String(Date.now()))
  } catch {
    // Without storage it is off after a reload.
  }
})

export function phoneState(): PhoneState {
  return state
}

export function changePhone(patch: Partial<PhoneState>): void {
  state = { ...state, ...patch }
  for (const watcher of watchers) watcher()
}

export function changeCall(patch: Partial<PhoneCall>): void {
  if (state.call !== undefined) changePhone({ call: { ...state.call, ...patch } })
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function usePhone(): PhoneState {
  return useSyncExternalStore(subscribe, phoneState)
}

/** The mode the person is in; the phone belongs to it. */
export function phoneMode(): Mode | undefined {
  const session = sessionState()
  return session.status === 'in' ? session.mode : undefined
}

export function resetPhone(): void {
  changePhone({ ...off, handset: state.handset, ended: state.ended })
}

/** Numbers belong to people outside; colleagues and phones of one's own are not asked about. */
const isNumber = (other: string) => /^\+?\d/.test(other)

/** Keeps a call that is over until it is said what came of it. @param why in words @param cause undefined where this phone ended it */
export function keepEnded(call: PhoneCall, why: string, cause?: string): void {
  const session = sessionState()
  if (session.status !== 'in' || call.callId === undefined || call.isHandset || !isNumber(call.other)) return
  if (state.ended.some(({ callId }) => callId === call.callId)) return
  const { callId, direction, other, name, leadId, recordId, sinceMs } = call
  const talkedMs = sinceMs === null ? null : performance.now() - sinceMs
  const guess = guessedOutcome(cause, talkedMs !== null)
  const { mode, user } = session
  const ended = { callId, mode, userId: user.id, direction, other, name, leadId, recordId, talkedMs, why, guess }
  changePhone({ ended: [...state.ended, ended] })
}

export function forgetEnded(callId: string): void {
  changePhone({ ended: state.ended.filter(one => one.callId !== callId) })
}

/** Lets a number be typed, on any screen. */
export function openDialer(): void {
  changePhone({ isDialing: 'asked', note: null })
}

/** Makes this page the handset of a number of the simulator, or ends that. */
export function setHandset(handset: string | null): void {
  if (state.handset !== handset) changePhone({ handset })
}
