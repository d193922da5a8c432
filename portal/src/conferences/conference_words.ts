// What states and reasons of conferences are called in plain words.
import type { Conference } from '@tandem/sdk'
import type { Tone } from '../ui/index.ts'

export type Participant = Conference['participants'][number]

export const stateWords: Readonly<Record<Conference['state'], { word: string; tone: Tone }>> = {
  init: { word: 'waiting', tone: 'info' },
  active: { word: 'active', tone: 'ok' },
  ended: { word: 'ended', tone: 'neutral' },
}

export const endWords: Readonly<Record<NonNullable<Conference['endReason']>, string>> = {
  empty: 'The last one left',
  host_left: 'Its host left',
  node_lost: 'The process that held it failed',
}

export const leftWords: Readonly<Record<NonNullable<Participant['leftReason']>, string>> = {
  left: 'Left',
  key: 'Pressed the key to leave',
  timeout: 'Time limit',
  removed: 'Removed',
  ended: 'The conference ended',
  hangup: 'Hung up',
  node_lost: 'The process that held it failed',
}

/** Who a participant is: the remote party of the call. */
export function partyOf({ direction, from, to }: Pick<Participant, 'direction' | 'from' | 'to'>): string {
  return direction === 'inbound' ? from : to
}
