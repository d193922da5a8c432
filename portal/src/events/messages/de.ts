// The German texts of events.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  events: 'Ereignisse',
  about: 'Alles, was geschehen ist, neueste zuerst, wie Webhooks es bekommen.',
  event: 'Ereignis',
  aboutTerm: 'Betrifft',
  stateAfter: 'Zustand danach',
  sequence: 'Reihenfolge',
  when: 'Wann',
  refused: 'Sie haben keinen Zugriff auf Ereignisse',
  refusedText:
    'Dafür ist die Berechtigung events:read nötig, die der Rolle {role} fehlt. Ein Administrator kann Ihnen eine geben, die sie hat. Nachrichten und Anrufe zeigen trotzdem den Verlauf jedes Datensatzes.',
  openMessages: 'Nachrichten öffnen',
  'all.lead': 'Alles zu Leads',
  'all.invoice': 'Alles zu Rechnungen',
  'all.message': 'Alles zu Nachrichten',
  'all.call': 'Alles zu Anrufen',
  'all.webhook': 'Alles zu Webhooks',
  filters: 'Ereignisse filtern',
  kind: 'Art',
  all: 'Alle',
  hint: 'msg_… oder lead:12',
  from: 'Von',
  before: 'Vor',
  none: 'Noch ist nichts geschehen',
  noneText: 'Erstellen Sie einen Lead oder senden Sie eine Nachricht. Die Ereignisse dazu erscheinen sofort hier.',
  sendSms: 'SMS senden',
  openEvent: '{type} zu {id} öffnen',
}
