// Lists of words in query parameters: filters by several values, and sort. One reader for both: commas between, blanks and the
// case of letters mean nothing, and what is refused is refused in the same words. The validator knows the schemas by `x-words`
// and `x-sort`.
import { Type } from 'typebox'

/** A filter by one or more of these words. */
export function WordList(words: readonly string[], description: string) {
  return Type.Unsafe<string>({
    type: 'string',
    maxLength: 200,
    'x-words': words,
    description: `${description} One or more, with commas between, of: ${words.join(', ')}.`,
  })
}

/** The order of a list, by one or more of these columns. */
export function SortBy(columns: readonly string[], standard: string, more = '') {
  return Type.Unsafe<string>({
    type: 'string',
    maxLength: 100,
    default: standard,
    'x-sort': columns,
    description: `One or more, with commas between, of: ${columns.join(', ')}; a leading - turns one around.${more}`,
  })
}

export type SortKey<Column extends string> = { column: Column; descending: boolean }

function split(list: string): string[] {
  return list.split(',').map(word => word.trim())
}

function known<Word extends string>(word: string, words: readonly Word[]): Word | undefined {
  return words.find(candidate => candidate.toLowerCase() === word.toLowerCase())
}

/** What is wrong with a list of words, to be said of its field. */
export function wordsFault(list: string, words: readonly string[]): string | undefined {
  if (split(list).every(word => known(word, words) !== undefined)) return undefined
  return `must be one or more, with commas between, of: ${words.join(', ')}`
}

/** The words of a list without faults, each once, in their own order. */
export function wordsOf<Word extends string>(list: string, words: readonly Word[]): Word[] {
  const asked = new Set(split(list).map(word => known(word, words)))
  return words.filter(word => asked.has(word))
}

/** What is wrong with a sort, to be said of its field. */
export function sortFault(sort: string, columns: readonly string[]): string | undefined {
  const keys = sortOf(sort, columns)
  if (!keys.every(({ column }) => columns.includes(column)))
    return `must be one or more, with commas between, of: ${columns.join(', ')}; a leading - turns one around`
  return new Set(keys.map(({ column }) => column)).size === keys.length ? undefined : 'must name each column once'
}

/** The keys of a sort without faults: `-created_at,name`. */
export function sortOf<Column extends string>(sort: string, columns: readonly Column[]): SortKey<Column>[] {
  return split(sort).map(text => {
    const descending = text.startsWith('-')
    const name = descending ? text.slice(1) : text
    return { column: known(name, columns) ?? (name as Column), descending }
  })
}
