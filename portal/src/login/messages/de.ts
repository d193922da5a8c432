// The German texts of the login.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  title: 'Anmelden',
  toLogin: 'Zur Anmeldung',
  back: 'Zurück',
  identifier: 'E-Mail oder Admin-ID',
  email: 'E-Mail',
  password: 'Passwort',
  logIn: 'Anmelden',
  logInAgainIn: 'Erneut versuchen in {seconds, number} s',
  withPasskey: 'Mit Passkey anmelden',
  withEmail: 'Anmeldelink per E-Mail senden',
  withProvider: 'Weiter mit Single Sign-on',
  withProviderOf: 'Weiter mit {organization}',
  forgot: 'Passwort vergessen?',
  signUp: 'Registrieren',
  help: 'Zum ersten Mal auf diesem Server? Beim ersten Start hat er Zugangsdaten ausgegeben. Ein Administrator kann Ihnen auch ein Konto oder ein neues Passwort geben.',
  linkTitle: 'Per E-Mail anmelden',
  linkSend: 'Link senden',
  linkSent:
    'Wenn {email} sich per E-Mail anmelden darf, ist ein Link unterwegs. Öffnen Sie ihn innerhalb von zehn Minuten in diesem Browser.',
  passkeyNone:
    'Es wurde kein Passkey verwendet. Wählen Sie einen, den Sie für diese Adresse erstellt haben, oder melden Sie sich mit Ihrem Passwort an.',
  'step.second_factor_required': 'Bestätigen Sie Ihre Identität',
  'step.second_factor_setup_required': 'Zwei-Faktor-Anmeldung einrichten',
  'step.password_change_required': 'Wählen Sie ein eigenes Passwort',
  stepOther: 'Noch ein Schritt',
  'stepText.second_factor_required':
    'Verwenden Sie Ihren Passkey oder geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.',
  'stepText.second_factor_setup_required':
    'Ihrer Organisation reicht ein Passwort allein nicht. Scannen Sie den Code mit einer Authenticator-App oder Ihrem Passwortmanager und geben Sie die sechs Ziffern ein, die dort erscheinen.',
  'stepText.password_change_required':
    'Das Passwort, mit dem Sie sich angemeldet haben, hat jemand anderes gesetzt. Es gilt nur einmal.',
  stepPasskeyNone:
    'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder geben Sie einen Wiederherstellungscode ein.',
  newPassword: 'Neues Passwort',
  newPasswordHint:
    'Mindestens 15 Zeichen, mit Zwei-Faktor-Anmeldung 10. Mehrere zufällige Wörter sind leicht zu merken und schwer zu erraten.',
  code: 'Code',
  codesTitle: 'Ihre Wiederherstellungscodes',
  codesText:
    'Die Zwei-Faktor-Anmeldung ist eingerichtet. Mit jedem dieser Codes melden Sie sich einmal an, wenn Sie die App nicht zur Hand haben.',
  codesHint: 'Auf Papier oder im Passwortmanager, nicht auf dem Telefon mit der App.',
  trust: 'Diesem Browser vertrauen',
  trustHint: 'Hier fragen wir eine Zeit lang nicht nach einem Code. Nicht für gemeinsam genutzte Computer.',
  continue: 'Weiter',
  usePasskey: 'Passkey verwenden',
  somebodyElse: 'Anderes Konto verwenden',
  ssoRequired: 'Ihre Organisation nutzt Single Sign-on. Melden Sie sich dort an.',
  ssoStartText: 'Der Identitätsanbieter Ihrer Organisation sagt, wer Sie sind.',
  otherWays: 'Andere Wege, sich anzumelden',
  'sso.off':
    'Single Sign-on ist ausgeschaltet. Melden Sie sich mit Ihrem Passwort an oder fragen Sie einen Administrator.',
  'sso.expired': 'Das hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginnen Sie von vorn.',
  'sso.unreachable':
    'Ihr Identitätsanbieter ist gerade nicht erreichbar. Versuchen Sie es in einer Minute erneut oder fragen Sie einen Administrator.',
  'sso.cancelled':
    'Ihr Identitätsanbieter hat Sie nicht angemeldet. Versuchen Sie es erneut oder fragen Sie einen Administrator, ob Sie Zugriff haben.',
  'sso.wrong_answer':
    'Single Sign-on ist nicht richtig eingerichtet. Bitten Sie einen Administrator, die Verbindung zu testen.',
  'sso.not_fresh':
    'Ihr Identitätsanbieter hat Ihre Identität nicht erneut geprüft. Melden Sie sich dort ab und versuchen Sie es noch einmal.',
  'sso.no_email':
    'Ihr Identitätsanbieter teilt Ihre E-Mail-Adresse nicht mit. Bitten Sie einen Administrator, die Verbindung zu testen.',
  'sso.not_verified': 'Ihr Identitätsanbieter hat Ihre E-Mail-Adresse nicht bestätigt. Fragen Sie einen Administrator.',
  'sso.other_domain':
    'Ihre E-Mail-Adresse gehört zu keiner Domain Ihrer Organisation. Melden Sie sich mit Ihrem Passwort an oder fragen Sie einen Administrator.',
  'sso.unknown_member':
    'Sie sind noch kein Mitglied dieser Organisation. Bitten Sie einen Administrator um eine Einladung.',
  'sso.conflict':
    'Ihr Konto ist beim Identitätsanbieter bereits mit einer anderen Person verknüpft. Fragen Sie einen Administrator.',
  'sso.disabled': 'Ihr Konto ist deaktiviert. Fragen Sie einen Administrator.',
}
