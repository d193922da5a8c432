// What is said of wrong fields by the code of the fault.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('problems/fields')
