// The state of a conference, as a word with its colour.
import type { Conference } from '@tandem/sdk'
import { Chip } from '../ui/index.ts'
import { stateWords } from './conference_words.ts'

export function StateChip({ state }: Pick<Conference, 'state'>) {
  const { word, tone } = stateWords[state]
  return (
    <Chip tone={tone} dot>
      {word}
    </Chip>
  )
}
