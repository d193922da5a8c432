// The German texts of forms.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  cancel: 'Abbrechen',
  empty: 'Formular leeren',
  done: 'Fertig',
  typed: 'was Sie eingegeben haben',
  secretUnstored: 'das Geheimnis, das nur dieses eine Mal gezeigt wird',
  discardTitle: 'Eingaben verwerfen?',
  discardText: 'Sie sind noch nicht gespeichert.',
  discardDo: 'Verwerfen',
  discardNot: 'Weiter bearbeiten',
  unclearNumber: 'Das kann man auf zwei Arten lesen. Schreiben Sie {whole} oder {decimal}.',
  secretStored: 'Ich habe es sicher aufbewahrt',
  secretHint: 'Bewahren Sie es in einem Secret-Manager oder in der Umgebung Ihres Programms auf, nie im Quellcode.',
  secretHeld: 'Bestätigen Sie, dass Sie es aufbewahrt haben. Es wird nicht noch einmal angezeigt.',
  secretCopy: 'Geheimnis kopieren',
  files: 'Dateien',
  filesAdd: 'Dateien anhängen',
  filesChoose: 'Dateien zum Anhängen',
  filesRemove: '{name} entfernen',
  filesEmpty: '{name} ist leer.',
  filesTooMany: '{name} ist eine zu viel: Höchstens {count, number} gehen mit.',
  filesLarge: '{name} ist größer als {size}. Teilen Sie stattdessen einen Link dazu.',
  filesLargeAll: 'Mit {name} sind die Dateien größer als {size}. Teilen Sie stattdessen einen Link dazu.',
}
