// What problems of the server mean and what helps, in languages other than the server's English.
import { wordsOf } from '../words/words.ts'
import type { en } from './messages/en.ts'

const t = wordsOf<typeof en>('problems')

/** Undefined for one that is newer than this page. */
export const problemSaid = (code: string): string | undefined => t.of('said', code)
