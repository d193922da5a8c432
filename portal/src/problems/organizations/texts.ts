// What is said of problems with organizations and how people log in to them; `problems/words.ts` finds which of these it is.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('problems/organizations')
