// What the screens of domains say, those of mail and of the organization.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

export const t = wordsOf<typeof en>('mail_domains')
