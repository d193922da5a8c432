// What the login says, and what stands around it for who is not logged in.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('login')
