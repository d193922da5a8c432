// What others may use of mail templates: declaring one, and its words with values.
export {
  builtInTemplate,
  type MailTemplate,
  mailTemplate,
  type TemplateData,
} from './declare.ts'
export { htmlOfText, pageOf } from './layout.ts'
export { type MailWords, wordsFor } from './render.ts'
export { type Stream, streams } from './rules.ts'
export { organizationName } from './store.ts'
