// The German texts of mail suppressions.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'gesperrte Adressen',
  about:
    'Adressen, die keine E-Mails erhalten. Rückläufer, Beschwerden und der Abmeldelink in Marketing-E-Mails fügen sie automatisch hinzu.',
  address: 'Adresse',
  reason: 'Grund',
  'reason.hard_bounce': 'Adresse nimmt keine E-Mails an',
  'reason.complaint': 'Als Spam gemeldet',
  'reason.unsubscribe': 'Abgemeldet',
  'reason.manual': 'Von Hand oder über die API hinzugefügt',
  stream: 'Gilt für',
  allMail: 'Alle E-Mails',
  note: 'Notiz',
  createdAt: 'Seit',
  suppress: 'Adresse sperren',
  suppressed: '{address} erhält keine E-Mails mehr.',
  empty: 'Keine gesperrten Adressen',
  emptyText: 'Hier erscheinen Adressen, die nicht erreichbar sind, sich beschweren oder abmelden.',
  suppressText: 'Sie erhält keine E-Mails mehr, auch keine, die schon warten.',
  suppressAction: 'Sperren',
  exampleNote: 'Telefonisch gewünscht',
  removeAddress: '{address} entfernen',
  remove: 'Entfernen',
  removeTitle: '{address} aus dieser Liste entfernen?',
  removeText:
    'Die Adresse kann wieder E-Mails erhalten. Entfernen Sie sie nur, wenn die Person es wünscht oder die Adresse wieder funktioniert.',
  removed: '{address} kann wieder E-Mails erhalten.',
}
