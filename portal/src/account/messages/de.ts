// The German texts of a person's own account.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  language: 'Sprache',
  languageHint: 'Für das Portal und für E-Mails an Sie.',
  languageBrowser: 'Wie mein Browser ({language})',
  languageSaved: 'Das Portal spricht ab jetzt {language}.',
}
