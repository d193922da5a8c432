// What permissions allow, as sentences. The English ones are the server's own.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

const t = wordsOf<typeof en>('rights')

/** @param said what the server says of it, in English: for one that is newer than this page */
export const allowsText = (permission: string, said = permission): string => t.of('right', permission) ?? said
