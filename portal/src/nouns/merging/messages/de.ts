// The German texts of merging records.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  done: '{count, number} {many} sind jetzt eins: {name}.',
  title: '{count, number} {many} zusammenführen',
  text: 'Wählen Sie, welcher Datensatz bleibt und welcher Wert in abweichenden Feldern gilt.',
  attached:
    '{count, plural, one {Notizen, Aufgaben, Dateien und Tags des anderen kommen mit, und der Zeitverlauf zeigt, was über die Nummern beider lief.} other {Notizen, Aufgaben, Dateien und Tags der anderen kommen mit, und der Zeitverlauf zeigt, was über die Nummern aller lief.}}',
  references:
    '{count, plural, one {Datensätze, die auf den anderen verweisen, verweisen dann auf den, der bleibt.} other {Datensätze, die auf die anderen verweisen, verweisen dann auf den, der bleibt.}}',
  trash:
    '{count, plural, one {Der andere kommt in den Papierkorb, und seine Adresse führt zu dem, der bleibt.} other {Die anderen # {many} kommen in den Papierkorb, und ihre Adressen führen zu dem, der bleibt.}}',
  final: 'Eine Zusammenführung lässt sich nicht rückgängig machen.',
  table: '{many} im Vergleich',
  caption: 'Werte, die bleiben, nach Feld',
  same: 'Alle Felder haben dieselben Werte.',
  sameFields: '{count, plural, one {# Feld ist gleich} other {# Felder sind gleich}}',
  created: 'erstellt <time></time>',
  keepNamed: '<hidden>{name}:</hidden> diesen behalten',
  valueOf: '{field} von {name}:',
  allKept: '{count, plural, one {der eine Eintrag bleibt} other {alle # bleiben}}',
  firstKept: 'die ersten {count, number} bleiben, {left, number} passen nicht',
  empty: 'Leer',
  leaveOut: '{name} weglassen',
}
