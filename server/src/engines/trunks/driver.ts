// The port to a kind of trunk: how calls go out by one, come in by it, and how one is watched. The engine (engine.ts) says which
// trunk takes which call, limits calls per second, and goes to the next trunk; drivers do the talking with remote parties.
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { CallRef, EngineCall, EngineHost, HangupCause } from '../../modules/voice/engine/index.ts'
import type {
  FinalResponse,
  KindSettings,
  RoutedTrunk,
  TrunkCounters,
  TrunkKindName,
  TrunkState,
} from '../../modules/voice/trunks/index.ts'
import type { TrunkLeg } from './leg.ts'
import type { TrunkLoad } from './load.ts'

/** A trunk as calls take it. */
export type HeldTrunk = RoutedTrunk &
  KindSettings & {
    readonly key: string
    readonly scope: Scope
    /** Of the costs of its routes. */
    readonly currency: string
    readonly counters: TrunkCounters
    readonly load: TrunkLoad
    state: TrunkState
  }

export type SipTrunk = Extract<HeldTrunk, { kind: 'sip' }>
export type AsteriskTrunk = Extract<HeldTrunk, { kind: 'asterisk' }>

/** The trunks this process can call by. */
export type HeldTrunks = {
  all(): HeldTrunk[]
  ofTenant(tenantId: number): HeldTrunk[]
  /** Whether trunks of the tenant were taken up, also where their settings cannot be read. */
  knows(tenantId: number): boolean
  find(tenantId: number, id: string): HeldTrunk | undefined
  withKey(key: string): HeldTrunk | undefined
}

/**
 * What one try came to: the call stands or stood, or it was refused, with the final response that says whether another may try.
 * `disconnected` resolves when the remote party has confirmed the end, or cannot: until then the call must be known after a crash.
 */
export type Outcome = { type: 'over'; disconnected?: Promise<void> } | { type: 'refused'; response: FinalResponse }

/** One try of a call by one trunk. */
export type Attempt = {
  leg: TrunkLeg
  ref: CallRef
  /** Stores again what can end the remote party. */
  store(stored: object): Promise<void>
  /** There is something to end now; it is ended at once where that was asked before. */
  made(remote: { end(q850: number | undefined): void }): void
  /** Ringing is over. */
  answered(): void
}

/** A call as it would be dialled. */
export type Plan = {
  /** What ends the remote party after a crash, before anything of it is there. */
  readonly stored: object
  /** To be called once, when that is stored. */
  dial(attempt: Attempt): Promise<Outcome>
}

/** A trunk that this process looks after as far as its kind needs that. */
export type Kept = {
  /** Of all processes this one watches it from now on, and takes what comes in where only one can. */
  lead(): void
  /** Another process does so now. */
  abandon(): void
  /** Resolves once calls can go by it, or it is known why not; left out where they can at once. */
  readonly ready?: Promise<void>
  /** No new calls; those under way go on. `next` is the same trunk with other settings, which is in its place by now. */
  close(next?: HeldTrunk): Promise<void>
}

export type Keeping = {
  changed(state: TrunkState, lastError: string | null): void
  onError(error: unknown): void
}

export type TrunkDriver = {
  readonly kind: TrunkKindName
  start(trunks: HeldTrunks, host: EngineHost): void
  /** Opens what the first trunk of this kind needs; nothing when it is open. */
  open(): Promise<void>
  readonly isOpen: boolean
  keep(trunk: HeldTrunk, keeping: Keeping): Kept
  /** A call by a trunk, or without one to a SIP address; undefined for what cannot be dialled. */
  plan(call: EngineCall, trunk: HeldTrunk | null): Plan | undefined
  /** Whether it is to be open although there is no trunk of its kind. */
  isWanted?(): Promise<boolean>
  /** Whether this address is one of the tenants' own phones, which this driver reaches. */
  inside?(to: string): boolean
  /** Calls to such addresses: plans, or why there is none; undefined while the driver is not open. */
  planInside?(tx: Tx, scope: Scope, calls: readonly EngineCall[]): Promise<(Plan | HangupCause | undefined)[]>
  /** Whether `stored` is of this driver. */
  owns(stored: object): boolean
  /** Ends what a process that is gone had. */
  endStored(ref: CallRef, stored: object, trunkId: string | null): Promise<void>
  /** A call is over. */
  forget(callId: string): void
  close(): Promise<void>
}
