// The German texts of the page on which a password is set again.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  back: 'Zurück zur Anmeldung',
  title: 'Neues Passwort festlegen',
  forgot: 'Passwort vergessen?',
  forgotText: 'Wir senden Ihnen einen Link, mit dem Sie ein neues festlegen.',
  email: 'E-Mail',
  send: 'Link senden',
  sent: 'Wenn es ein Konto für {email} gibt, ist ein Link unterwegs. Er gilt dreißig Minuten.',
  newPassword: 'Neues Passwort',
  newPasswordHint:
    'Mindestens 15 Zeichen, mit Zwei-Faktor-Anmeldung 10. Mehrere zufällige Wörter sind leicht zu merken und schwer zu erraten.',
  set: 'Passwort festlegen',
  done: 'Ihr Passwort ist geändert, und Sie sind überall abgemeldet. Melden Sie sich mit dem neuen an.',
}
