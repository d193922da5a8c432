// The state of a conference, as a word with its colour.
import type { Conference } from '@tandem/sdk'
import { Chip } from '../ui/index.ts'
import { stateText, stateTones } from './conference_words.ts'

export function StateChip({ state }: Pick<Conference, 'state'>) {
  return (
    <Chip tone={stateTones[state]} dot>
      {stateText(state)}
    </Chip>
  )
}
