// What tags say in lists.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('nouns/tagging')
