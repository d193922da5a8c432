// What a person's own account says.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('account')
