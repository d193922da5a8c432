// What the page says on which a password is set again.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('reset')
