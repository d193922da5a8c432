// The German texts of opt-outs.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'Abmeldungen',
  about:
    'Personen, die keine SMS mehr erhalten möchten. Ein STOP trägt sie automatisch ein, ein START wieder aus, und SMS an sie werden abgelehnt.',
  recipient: 'Empfänger',
  service: 'Dienst',
  scope: 'Erhält nichts von',
  source: 'Grund',
  byHand: 'Von Hand oder über die API hinzugefügt',
  byWord: 'Das Wort <word></word>',
  createdAt: 'Seit',
  id: 'ID',
  create: 'Abmeldung erstellen',
  createText: 'Die Person erhält keine SMS mehr, wie nach einem STOP, aber ohne Antwort.',
  createAction: 'Erstellen',
  added: '{name} erhält von dort keine SMS mehr.',
  empty: 'Niemand hat sich abgemeldet',
  emptyText:
    'Wer einem Ihrer Absender mit STOP antwortet, erscheint hier innerhalb einer Sekunde. Probieren Sie es mit dem Testhandy aus.',
  from: 'Erhält keine SMS mehr von',
  services: 'SMS-Dienste',
  senders: 'Absender ohne Dienst',
  choose: 'Ein Dienst oder ein Absender',
  scopeHint:
    'Die Absender eines Dienstes teilen sich die Abmeldungen, jeder von ihnen steht also für den ganzen Dienst.',
  remove: 'Entfernen',
  removeName: 'Abmeldung von {name} entfernen',
  removeTitle: 'Abmeldung von {name} entfernen?',
  removeText:
    'Die Person kann wieder SMS erhalten. Entfernen Sie die Abmeldung nur, wenn sie es wünscht: Viele Länder verlangen ihre Einwilligung. Ein START von ihrem Telefon bewirkt dasselbe.',
  removed: '{name} kann wieder SMS erhalten.',
}
