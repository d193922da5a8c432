// What is wrong with a field, by the code that the server gives it.
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

const t = wordsOf<typeof en>('problems/fields')

/** @param said what the server says of it, in English: added where the code alone says too little */
export function fieldSaid(code: string, said: string): string | undefined {
  const part = t.of('part', code)
  return t.of('whole', code) ?? (part === undefined ? undefined : `${part} (${said})`)
}
