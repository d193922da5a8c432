// What the page of all settings says.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('settings')
