// What is said of problems with carriers, trunks and calls; `problems/words.ts` finds which of these it is.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('problems/calls')
