// The state of a member, an invitation or a hand-over, as a word with its colour.
import { Chip, toneOfState } from '../ui/index.ts'
import { t } from './texts.ts'

export const StateChip = ({ state }: { state: string }) => (
  <Chip tone={toneOfState(state)} dot>
    {t.of('state', state) ?? state.replaceAll('_', ' ')}
  </Chip>
)
