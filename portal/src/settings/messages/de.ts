// The German texts of the page of all settings.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  title: 'Einstellungen',
  about: 'Alles, was Sie einrichten können, an einem Ort.',
  find: 'Einstellung suchen',
  example: 'Passwort, Zeitzone, Abmeldungen …',
  none: 'Keine Einstellung passt zu „{text}“',
  noneText: 'Versuchen Sie ein anderes Wort, zum Beispiel „Team“ oder „Mail“.',
  'group.you': 'Ihr Konto',
  'group.people': 'Personen',
  'group.organization': 'Organisation',
  'group.security': 'Sicherheit',
  'group.phone': 'Telefon und Textnachrichten',
  'group.mail': 'Mail',
  'group.programs': 'Apps und Programme',
}
