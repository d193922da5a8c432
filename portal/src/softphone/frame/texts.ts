// What the phone says on every screen, before it is opened.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('softphone/frame')
