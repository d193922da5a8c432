// What the screens of carriers say, and those of trunks with them.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('carriers')
