// Whether an app is active, as a word with its colour.
import type { App } from '@tandem/sdk'
import { Chip, toneOfState } from '../ui/index.ts'
import { t } from './texts.ts'

export function AppStatus({ status }: Pick<App, 'status'>) {
  return (
    <Chip tone={toneOfState(status)} dot>
      {t(`status.${status}`)}
    </Chip>
  )
}
