// The German texts of the pages that links of emails open.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  incomplete: 'Der Link ist unvollständig. Öffnen Sie den ganzen Link aus der E-Mail noch einmal.',
  linkTitle: 'Per E-Mail anmelden',
  logIn: 'Anmelden',
  confirmTitle: 'Neue E-Mail-Adresse bestätigen',
  confirmText: 'Das wird die E-Mail-Adresse des Kontos, mit dem Sie angemeldet sind: {email}.',
  confirmLogIn: 'Melden Sie sich mit der bisherigen E-Mail-Adresse Ihres Kontos an.',
  confirm: 'Bestätigen',
  confirmed: 'Fertig. Melden Sie sich ab jetzt mit {email} an.',
  undoTitle: 'Änderung der E-Mail-Adresse rückgängig machen',
  undoText:
    'Ihr Konto bekommt wieder die E-Mail-Adresse, an die diese Nachricht ging, und Sie werden überall abgemeldet.',
  undo: 'Änderung rückgängig machen',
  undone:
    'Ihr Konto hat wieder die Adresse {email}, und Sie sind überall abgemeldet. Legen Sie jetzt ein neues Passwort fest.',
  undonePassword: 'Neues Passwort festlegen',
}
