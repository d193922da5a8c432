// What stands on a record: its timeline, notes, tasks and files.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('nouns/attached')
