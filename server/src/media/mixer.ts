// A conference: in each frame every leg hears the sum of all others, never itself. Legs may be muted, held, or coach one other
// leg that alone hears them. Frames of G.711 in and out, of either law; anyone who only listens shares one encoding.
import type { G711Law } from '@tandem/sip'
import { decodeG711, encodeG711 } from '@tandem/sip'
import type { FrameSource } from './audio.ts'
import { frameSamples, saturate } from './audio.ts'

export type MixerLegOptions = {
  law: G711Law
  /** What the leg says: asked once in each `mix`. */
  source: FrameSource
  isMuted?: boolean
}

export type MixerLeg = {
  /** What the leg hears, made by the last `mix`; false where all others are silent, or it is held. Once for each `mix`. */
  readonly next: FrameSource
  /** Not heard, and still hearing. */
  setMuted(isMuted: boolean): void
  /** Neither heard nor hearing: anyone who holds a leg plays to it by other means. */
  setHeld(isHeld: boolean): void
  /** Only this one of the same mixer hears it from now on; null: all do. */
  setCoach(of: MixerLeg | null): void
  setLaw(law: G711Law): void
  /** Its own frame of the last `mix`, as samples; null where there was none. Not to be kept or changed. */
  readonly heard: Int16Array | null
  leave(): void
}

export type Mixer = {
  join(options: MixerLegOptions): MixerLeg
  /** One frame for all. To be called every 20 ms. */
  mix(): void
  /** The sum of all that is said to everybody in the last `mix`, for a recording; false where nobody spoke. */
  read(into: Int16Array): boolean
  readonly size: number
}

type Member = {
  law: G711Law
  source: FrameSource
  isMuted: boolean
  isHeld: boolean
  coached: Member | null
  /** Of this frame. */
  said: Int16Array<ArrayBuffer>
  hasSaid: boolean
  out: Buffer<ArrayBuffer>
  /** Where its frame is: its own, or the one that listeners share. */
  ready: Buffer | null
}

export function createMixer(): Mixer {
  const members = new Set<Member>()
  const memberOf = new WeakMap<MixerLeg, Member>()
  const total = new Int32Array(frameSamples)
  const own = new Int32Array(frameSamples)
  const mixed = new Int16Array(frameSamples)
  const octets = Buffer.alloc(frameSamples)
  const shared: Record<G711Law, Buffer<ArrayBuffer>> = {
    PCMU: Buffer.alloc(frameSamples),
    PCMA: Buffer.alloc(frameSamples),
  }
  const isShared: Record<G711Law, boolean> = { PCMU: false, PCMA: false }
  let speakers = 0
  let hasCoaches = false

  function join({ law, source, isMuted = false }: MixerLegOptions): MixerLeg {
    const member: Member = {
      law,
      source,
      isMuted,
      isHeld: false,
      coached: null,
      said: new Int16Array(frameSamples),
      hasSaid: false,
      out: Buffer.alloc(frameSamples),
      ready: null,
    }
    members.add(member)
    const leg: MixerLeg = {
      next: into => take(member, into),
      setMuted: to => {
        member.isMuted = to
      },
      setHeld: to => {
        member.isHeld = to
      },
      setCoach: of => {
        member.coached = of === null ? null : (memberOf.get(of) ?? null)
      },
      setLaw: to => {
        member.law = to
        member.ready = null
      },
      get heard() {
        return member.hasSaid ? member.said : null
      },
      leave: () => leave(member),
    }
    memberOf.set(leg, member)
    return leg
  }

  function leave(member: Member): void {
    members.delete(member)
    member.ready = null
    // Anyone who coached one that is gone must not be heard by all of a sudden.
    for (const other of members) {
      if (other.coached !== member) continue
      other.coached = null
      other.isMuted = true
    }
  }

  function take(member: Member, into: Buffer): boolean {
    if (member.ready === null) return false
    into.set(member.ready)
    member.ready = null
    return true
  }

  function mix(): void {
    total.fill(0)
    speakers = 0
    hasCoaches = false
    isShared.PCMU = false
    isShared.PCMA = false
    for (const member of members) listen(member)
    for (const member of members) {
      if (!member.isHeld) speak(member)
      else member.ready = null
    }
  }

  function listen(member: Member): void {
    if (member.coached !== null) hasCoaches = true
    // It is asked in any case: what comes from a leg that may not speak is not to be heard later.
    member.hasSaid = member.source(octets)
    if (!member.hasSaid) return
    const { said } = member
    decodeG711(member.law, octets, said)
    if (!isPublic(member)) return
    speakers += 1
    for (let i = 0; i < frameSamples; i++) total[i] = total[i]! + said[i]!
  }

  /** Heard by all others. */
  function isPublic(member: Member): boolean {
    return member.hasSaid && !member.isMuted && !member.isHeld && member.coached === null
  }

  function isCoaching(coach: Member, member: Member): boolean {
    return coach.coached === member && coach.hasSaid && !coach.isMuted && !coach.isHeld
  }

  function speak(member: Member): void {
    const isSpeaking = isPublic(member)
    const coaches = coachesOf(member)
    const others = speakers - (isSpeaking ? 1 : 0) + coaches.length
    if (others === 0) {
      member.ready = null
      return
    }
    if (!isSpeaking && coaches.length === 0) {
      member.ready = sharedFrame(member.law)
      return
    }
    own.set(total)
    if (isSpeaking) for (let i = 0; i < frameSamples; i++) own[i] = own[i]! - member.said[i]!
    for (const { said } of coaches) for (let i = 0; i < frameSamples; i++) own[i] = own[i]! + said[i]!
    member.ready = encode(own, member.law, member.out)
  }

  const none: Member[] = []

  /** Looked for only where anybody coaches: almost never. */
  function coachesOf(member: Member): Member[] {
    return hasCoaches ? [...members].filter(coach => isCoaching(coach, member)) : none
  }

  function sharedFrame(law: G711Law): Buffer {
    if (!isShared[law]) encode(total, law, shared[law])
    isShared[law] = true
    return shared[law]
  }

  function encode(sums: Int32Array, law: G711Law, into: Buffer<ArrayBuffer>): Buffer {
    for (let i = 0; i < frameSamples; i++) mixed[i] = saturate(sums[i]!)
    return encodeG711(law, mixed, into)
  }

  return {
    join,
    mix,
    read(into) {
      for (let i = 0; i < frameSamples; i++) into[i] = saturate(total[i]!)
      return speakers > 0
    },
    get size() {
      return members.size
    },
  }
}
