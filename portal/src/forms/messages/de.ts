// The German texts of forms.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  cancel: 'Abbrechen',
  empty: 'Formular leeren',
  done: 'Fertig',
  typed: 'was Sie eingegeben haben',
  discardTitle: 'Eingaben verwerfen?',
  discardText: 'Sie sind noch nicht gespeichert.',
  discardDo: 'Verwerfen',
  discardNot: 'Weiter bearbeiten',
  unclearNumber: 'Das kann man auf zwei Arten lesen. Schreiben Sie {whole} oder {decimal}.',
  secretStored: 'Ich habe es sicher aufbewahrt',
  secretHint: 'Bewahren Sie es in einem Secret-Manager oder in der Umgebung Ihres Programms auf, nie im Quellcode.',
  secretHeld: 'Bestätigen Sie, dass Sie es aufbewahrt haben. Es wird nicht noch einmal angezeigt.',
  secretCopy: 'Geheimnis kopieren',
}
