// The German texts of mail templates.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'E-Mail-Vorlagen',
  about:
    'E-Mails in Ihren eigenen Worten, geschrieben in Liquid. Wo Sie keine Vorlage haben, gilt die mitgelieferte weiter unten.',
  key: 'Schlüssel',
  exampleFilter: 'einladung',
  exampleKey: 'termin',
  language: 'Sprache',
  exampleLanguage: 'de-AT',
  allLanguages: 'Alle',
  subject: 'Betreff',
  text: 'Text',
  changedAt: 'Geändert',
  createOne: 'Vorlage erstellen',
  created: '{key} wurde erstellt.',
  empty: 'Noch keine eigenen Vorlagen',
  emptyText:
    'Alle E-Mails verwenden den mitgelieferten Text. Passen Sie unten einen an, oder erstellen Sie eine Vorlage für eigene E-Mails.',
  builtIn: 'Mitgelieferte Vorlagen',
  customize: 'Anpassen',
  customizeKey: '{key} anpassen',
  deleteText:
    'E-Mails mit diesem Schlüssel verwenden wieder den mitgelieferten Text, sofern es einen gibt. E-Mails, die schon warten, behalten Ihren.',
  createTitle: 'E-Mail-Vorlage erstellen',
  editTitle: '{key} bearbeiten',
  saved: 'Die Vorlage wurde gespeichert. E-Mails, die schon warten, behalten den alten Text.',
  formText:
    'In Liquid geschrieben: {field} setzt einen Wert ein, {condition} entscheidet. Daneben sehen Sie die E-Mail, wie sie gesendet würde.',
  create: 'Erstellen',
  save: 'Speichern',
  keyHint: 'Der Schlüssel einer mitgelieferten E-Mail oder ein neuer.',
  languageHint: 'Leer gilt sie für alle Sprachen ohne eigene Vorlage.',
  htmlHint: 'Wird aus dem Text erzeugt, wenn leer.',
  sample: 'Beispielwerte',
  sampleHint: 'JSON, nur für die Vorschau.',
  notJson: 'Die Beispielwerte sind kein gültiges JSON. Schreiben Sie sie so: {example}',
  firstSubject: 'Hallo {name}',
  firstText: 'Guten Tag {name},',
}
