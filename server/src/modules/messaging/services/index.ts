// What the rest of messaging may use of services: their keywords, and whether there is one.
export { defaultKeywords, type LanguageKeywords } from './keyword_table.ts'
export { type KeywordMatch, matchKeyword } from './rules.ts'
export { holdService } from './store.ts'
