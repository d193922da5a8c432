// The German texts of phones.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'Telefone',
  about:
    'Tischtelefone und Softphones, die sich per SIP registrieren. Untereinander rufen sie sich beim Namen, Rufnummern über Ihre Trunks.',
  name: 'Name',
  displayName: 'Anzeigename',
  registered: 'Registriert',
  phones: 'Telefone',
  address: 'Adresse',
  callerId: 'Anrufernummer',
  createdAt: 'Hinzugefügt',
  id: 'ID',
  create: 'Telefon erstellen',
  empty: 'Noch keine Telefone',
  emptyText:
    'Fügen Sie eines hinzu, und geben Sie Benutzername und Passwort in ein Tischtelefon oder Softphone ein. Im Testmodus ruft es den Simulator an.',
  notRegistered: 'Nicht registriert',
  registeredCount: '{count, number} registriert',
  phoneAt: '{phone} unter {address}',
  aPhone: 'Ein Telefon',
  copyAddress: 'Adresse von {name} kopieren',
  saved: '{name} wurde gespeichert.',
  actions: 'Aktionen für {name}',
  edit: 'Bearbeiten',
  editName: '{name} bearbeiten',
  renew: 'Neues Passwort',
  delete: 'Löschen',
  deleteTitle: '{name} löschen?',
  deleteText:
    'Das Passwort gilt nicht mehr, und damit registrierte Telefone klingeln nicht mehr. Laufende Anrufe gehen weiter.',
  deleted: '{name} wurde gelöscht.',
  renewTitle: 'Neues Passwort für {name} erstellen?',
  renewText: 'Telefone mit dem alten Passwort können weder anrufen noch sich registrieren, bis Sie das neue eingeben.',
  renewAction: 'Passwort erstellen',
  createText:
    'Erstellt Benutzername und Passwort für ein Tischtelefon oder Softphone. Das Passwort sehen Sie nur einmal.',
  editText: 'Gilt ab dem nächsten Anruf. Benutzername und Passwort bleiben gleich.',
  createAction: 'Telefon erstellen',
  save: 'Speichern',
  exampleUsername: 'empfang',
  nameHint: 'Kleinbuchstaben und Ziffern. Andere Telefone Ihrer Organisation wählen ihn: empfang oder 101.',
  exampleName: 'Empfang',
  displayNameHint: 'Was Angerufene neben der Nummer sehen.',
  callerIdHint: 'Eine Ihrer Nummern, die anrufen kann. Ohne sie erreicht das Telefon nur andere Telefone.',
  copyNamed: '{name} kopieren',
  passwordOf: 'Passwort von {name}',
  passwordText:
    'Geben Sie es jetzt ins Telefon ein. Es wird nicht gespeichert und kann nicht noch einmal angezeigt werden.',
  passwordHint: 'Im Telefon. Geht es verloren, erstellen Sie im Menü der Zeile ein neues.',
  server: 'Server',
  user: 'Benutzername',
  domain: 'Domain',
  transport: 'Transport',
  transportTls: '{transports} (TLS auf Port {port})',
  unreachable:
    'Telefone an anderen Geräten erreichen diesen Server nicht: {domain} meint nur den Server selbst. Starten Sie ihn mit TANDEM_SIP_DOMAIN, dem Namen oder der Adresse, unter der Telefone ihn erreichen.',
}
