// Kinds of apps, in words.
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'
export const kinds = byLanguage(() =>
  (['confidential', 'public', 'machine'] as const).map(value => ({ value, label: t(`kind.${value}`) })),
)
