// What other parts of voice use of legs.

export { createDigits, type Digits } from './digits.ts'
export { createHeldLeg, type HeldLeg, type Holding, type TransferRequest } from './held_leg.ts'
export { bridge, createLegMedia, frameMs, frameOctets, type LegMedia, pipe } from './media.ts'
export { createPlayer, type Player } from './player.ts'
export { conferenceTones, endless, toneClip } from './tones.ts'
export { aborted, orAborted } from './waiting.ts'
