// The German texts of mail servers.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'Mailserver',
  about:
    'Die Server, über die Ihre E-Mails hinausgehen. Ohne eigenen gilt der Mailserver dieser Installation, und ohne den bleiben sie im Postausgang.',
  name: 'Name',
  kind: 'Art',
  'kind.smtp': 'Mailserver',
  'kind.smtp_oauth': 'Mailserver mit OAuth',
  'kind.outbox': 'Postausgang',
  host: 'Host',
  use: 'Verwendung',
  default: 'Standard',
  off: 'aus',
  test: 'Testen',
  removeText: 'E-Mails, die darauf warten, gehen über den Standardserver oder bleiben im Postausgang.',
  add: 'Mailserver hinzufügen',
  added: '{name} ist eingerichtet. Testen Sie ihn, bevor Sie ihn brauchen.',
  empty: 'Noch keine Mailserver',
  emptyText: 'E-Mails gehen über den dieser Installation oder bleiben im Postausgang.',
  testText: 'Verbindet sich und meldet sich an. Geben Sie eine Adresse an, um eine kurze Test-E-Mail zu erhalten.',
  sendTo: 'Test-E-Mail senden an',
  addAction: 'Hinzufügen',
  exampleName: 'Mailserver der Firma',
  port: 'Port',
  encryption: 'Verschlüsselung',
  user: 'Benutzername',
  password: 'Passwort',
  tokenUrl: 'Token-URL',
  clientId: 'Client-ID',
  clientSecret: 'Client-Secret',
  scope: 'Scope',
  editName: '{name} bearbeiten',
  editText:
    'Wenn Sie Host oder Port ändern, geben Sie das Passwort noch einmal ein: Das bisherige geht nicht an einen anderen Server.',
  editTextOauth:
    'Wenn Sie Host, Port oder Token-URL ändern, geben Sie das Client-Secret noch einmal ein: Das bisherige geht nicht an einen anderen Server.',
  save: 'Speichern',
  saved: '{name} ist gespeichert.',
  'secret.kept': 'Leer lassen, um es beizubehalten.',
  'secret.again': 'Noch einmal eingeben, denn der Server ist ein anderer.',
  isDefault: 'Standardserver',
  isDefaultHint: 'E-Mails gehen darüber hinaus, wenn ihr Absender keinen anderen hat.',
  enabled: 'In Verwendung',
  enabledHint:
    'Ist er aus, gehen E-Mails über den Standardserver oder den dieser Installation oder bleiben im Postausgang.',
}
