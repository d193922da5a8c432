// The state of a domain or an identity provider, as a word with its colour.
import { Chip, toneOfState } from '../ui/index.ts'
import { t } from './texts.ts'

export const Status = ({ status }: { status: string }) => (
  <Chip tone={toneOfState(status)} dot>
    {t.of('status', status) ?? status.replaceAll('_', ' ')}
  </Chip>
)
