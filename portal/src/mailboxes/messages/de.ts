// The German texts of mailboxes.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'Postfächer',
  about:
    'Gemeinsame Postfächer wie vertrieb@, gelesen über IMAP. Neue E-Mails werden Leads und Kontakten zugeordnet oder warten im Posteingang; das Postfach selbst bleibt unberührt.',
  name: 'Name',
  user: 'Benutzer',
  userAt: '{user} bei {host}',
  state: 'Status',
  readAt: 'Zuletzt gelesen',
  test: 'Testen',
  add: 'Postfach hinzufügen',
  added: '{name} wird ab jetzt gelesen. Testen Sie am besten gleich die Verbindung.',
  empty: 'Noch keine Postfächer',
  emptyText:
    'Bis Sie eines hinzufügen, gehen E-Mails nur über die Adressen unten ein, sofern der Betreiber eine Domain dafür festgelegt hat.',
  emptyTest: 'Keine Postfächer im Testmodus',
  emptyTestText: 'Der Testmodus verbindet sich mit keinem Server. Richten Sie Postfächer im Live-Modus ein.',
  edit: 'Bearbeiten',
  editName: '{name} bearbeiten',
  stop: 'Anhalten',
  stopName: '{name} anhalten',
  start: 'Starten',
  startName: '{name} starten',
  removeText: 'Es wird nicht mehr gelesen. Bereits empfangene E-Mails bleiben.',
  addresses: 'Adressen dieses Servers',
  noDomain:
    'Der Betreiber hat keine Domain für eingehende E-Mails festgelegt (<code>TANDEM_MAIL_DOMAIN</code>). Antworten gehen an den Absender einer E-Mail und erscheinen hier nur, wenn dessen Postfach gelesen wird.',
  forwardTo: 'Gemeinsames Postfach weiterleiten an',
  copyAddress: 'Ihre Bcc-Adresse',
  copyText:
    '<address></address> Setzen Sie sie ins Bcc, wenn Sie aus einem anderen Programm schreiben, und Ihre E-Mail erscheint in der Timeline. Geben Sie sie nicht weiter.',
  'smtp.encrypted': 'E-Mails für {domain} werden angenommen, verschlüsselt, wo der Absender es kann.',
  'smtp.plain':
    'E-Mails für {domain} werden angenommen. Es gibt kein Zertifikat, die Verbindungen sind also nicht verschlüsselt.',
  'smtp.none':
    'Es werden keine E-Mails angenommen (TANDEM_MAIL_PORT). Ein Mailserver für {domain} muss sie über HTTP übergeben.',
  dnsRecord: 'DNS-Eintrag',
  testText: 'Verbindet sich, meldet sich an und öffnet den Ordner. Es wird nichts gelesen.',
  mails: '{count, plural, one {Der Ordner enthält # E-Mail.} other {Der Ordner enthält # E-Mails.}}',
  addText:
    'Ab jetzt eingehende E-Mails werden gelesen und sind für andere sichtbar. Verwenden Sie ein gemeinsames Postfach, kein persönliches.',
  addAction: 'Hinzufügen',
  editText: 'Wenn Sie Server, Benutzer oder Ordner ändern, wird ab jetzt dort gelesen.',
  save: 'Speichern',
  exampleName: 'Vertrieb',
  server: 'IMAP-Server',
  port: 'Port',
  encryption: 'Verschlüsselung',
  password: 'Passwort',
  passwordHint: 'Leer bleibt das bisherige Passwort.',
  folder: 'Ordner',
  checker: 'Vertrauenswürdiger Prüfserver',
  checkerHint: 'Der Server, dessen Authentication-Results Sie vertrauen, etwa mx.example.com.',
}
