// What the screens of mail say; the other screens of mail say some of it as well.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('mails')
