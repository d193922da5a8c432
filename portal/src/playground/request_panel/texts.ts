// What is said of the request.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('playground/request_panel')
