// The German texts of mail domains.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'E-Mail-Domains',
  about: 'Domains, von denen Sie E-Mails senden. Jede hat einen DKIM-Schlüssel, mit dem ihre E-Mails signiert werden.',
  domain: 'Domain',
  state: 'Status',
  checked: 'Zuletzt geprüft',
  dns: 'DNS',
  removeText: 'E-Mails von dieser Domain werden nicht mehr signiert. Entfernen Sie auch ihre Einträge aus dem DNS.',
  add: 'Domain hinzufügen',
  added: '{domain} hat einen Schlüssel. Übernehmen Sie jetzt die Einträge in Ihr DNS.',
  empty: 'Noch keine Domains',
  emptyText: 'Ihre E-Mails gehen unsigniert hinaus, und viele Postfächer halten sie für Spam.',
  dnsText:
    'Übernehmen Sie diese Einträge in das DNS der Domain und prüfen Sie sie dann. Es kann Stunden dauern, bis sie überall sichtbar sind.',
  recordFor: 'Eintrag: {of}',
  'purpose.dkim': 'DKIM-Signatur',
  'purpose.dmarc': 'DMARC-Richtlinie',
  'purpose.bounces': 'Rückläufer',
  required: 'erforderlich',
  recommended: 'empfohlen',
  found: 'gefunden',
  notFound: 'nicht gefunden',
  addTitle: 'E-Mail-Domain hinzufügen',
  addText: 'Sie erhält einen Schlüssel, mit dem ihre E-Mails von da an signiert werden.',
  record: 'Eintrag',
  records: 'Einträge',
  recordOf: 'DNS-Eintrag von {domain}',
  recordsOf: 'DNS-Einträge von {domain}',
  close: 'Schließen',
  lookUp: 'Jetzt prüfen',
  recordName: 'Name ({of})',
  recordValue: 'Wert ({of})',
  addAction: 'Hinzufügen',
}
