// The German texts of mail senders.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'E-Mail-Absender',
  about:
    'Adressen, von denen Ihre E-Mails kommen. Fügen Sie auch die Domain jeder Adresse hinzu, damit ihre E-Mails signiert werden und ankommen.',
  address: 'Adresse',
  name: 'Name',
  defaultFor: 'Standard für',
  replyTo: 'Antworten gehen an',
  createdAt: 'Hinzugefügt',
  removeText: 'Neue E-Mails kommen nicht mehr von dieser Adresse. Die schon wartenden behalten sie.',
  add: 'Absender hinzufügen',
  added: 'Sie können jetzt von {address} senden.',
  empty: 'Noch keine Absender',
  emptyText: 'Ihre E-Mails kommen von der Adresse dieser Installation.',
  addTitle: 'E-Mail-Absender hinzufügen',
  addAction: 'Hinzufügen',
  exampleName: 'Beispiel GmbH',
  editName: '{address} bearbeiten',
  editText:
    'Wartende E-Mails behalten, was sie haben. Wofür dieser Absender der Standard ist, sind es andere nicht mehr.',
  save: 'Speichern',
  saved: '{address} ist gespeichert.',
  transport: 'Mailserver',
  transportDefault: 'Der Standardserver',
  transportOff: '{name} (aus)',
  transportLive: 'Mailserver gelten im Live-Modus. Im Testmodus bleiben E-Mails im Postausgang.',
}
