// What the notice says that undoes a change of many. Lists show it, and need no other texts of imports.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('imports/notice')
