// What screens are found by in the palette and on the page of all settings. It is a folder of its own: the frame does without these texts.
import type { ScreenAction, ScreenEntry } from '../screen.ts'
import { t } from './texts.ts'

/** What it is good for. */
export const hintOf = ({ id }: ScreenEntry): string => t.of('hint', id) ?? ''

/** What else it is looked for by, beside its name and hint. */
export const otherWordsOf = ({ id }: ScreenEntry): string => t.of('words', id) ?? ''

export const actionName = ({ id }: ScreenAction): string => t(`action.${id}`)
