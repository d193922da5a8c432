// What states and reasons of conferences are called in plain words.
import type { Conference } from '@tandem/sdk'
import type { Tone } from '../ui/index.ts'
import { t } from './texts.ts'

export type Participant = Conference['participants'][number]

export const stateTones: Readonly<Record<Conference['state'], Tone>> = { init: 'info', active: 'ok', ended: 'neutral' }

export const stateText = (state: Conference['state']) => t(`state.${state}`)
export const endText = (reason: NonNullable<Conference['endReason']>) => t(`end.${reason}`)
export const leftText = (reason: NonNullable<Participant['leftReason']>) => t(`left.${reason}`)
