// What the screens of trunks say; what they share with carriers is said there.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('trunks')
