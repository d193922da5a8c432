// The German texts of the page on which an invitation is answered.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  title: 'Einladung annehmen',
  noToken:
    'Öffnen Sie den Link aus Ihrer Einladung. Er gilt in diesem Fenster, bis die Seite neu geladen wird; danach öffnen Sie ihn noch einmal.',
  loading: 'Wird geladen',
  over: 'Diese Einladung ist abgelaufen',
  overText:
    'Bitten Sie die Person, die Sie eingeladen hat, um eine neue. Wenn Sie schon geantwortet haben, melden Sie sich an.',
  retry: 'Erneut versuchen',
  join: '{organization} beitreten',
  invited: '{inviter} hat {email} eingeladen, als {role} beizutreten.',
  declined: 'Einladung abgelehnt',
  declinedText: 'Sie sind {organization} nicht beigetreten, und der Link gilt nicht mehr.',
  member: 'Sie sind schon Mitglied',
  memberText: '{email} ist Mitglied von {organization}. Mehr ist nicht zu tun.',
  home: 'Zur Startseite',
  logIn: 'Anmelden',
  otherAccount:
    'Sie sind als {account} angemeldet, die Einladung gilt aber für {email}. Melden Sie sich ab und fahren Sie mit jenem Konto fort.',
  logOut: 'Abmelden und fortfahren',
  hasAccount: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich an, um anzunehmen.',
  decline: 'Ablehnen',
  declineTitle: 'Einladung ablehnen?',
  declineText: 'Der Link gilt dann nicht mehr. Die Person, die Sie eingeladen hat, kann einen neuen senden.',
  accept: 'Annehmen',
  accepted: 'Geschafft. Melden Sie sich mit {email} und Ihrem Passwort an.',
  name: 'Ihr Name',
  password: 'Passwort',
  passwordHint: 'Mindestens 15 Zeichen. Mehrere zufällige Wörter sind leicht zu merken und schwer zu erraten.',
}
