// The German texts of signing up.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  title: 'Registrieren',
  loading: 'Wird geladen',
  closed:
    'Neue Organisationen legen auf diesem Server seine Betreiber an. Fragen Sie dort nach, oder bitten Sie einen Administrator einer bestehenden Organisation um eine Einladung.',
  intro: 'Wir senden Ihnen einen Link. Er erstellt Ihr Konto und Ihre Organisation.',
  email: 'E-Mail',
  name: 'Ihr Name',
  organization: 'Name der Organisation',
  code: 'Registrierungscode',
  codeOptional: 'Registrierungscode, falls vorhanden',
  codeHint: 'Vom Betreiber dieses Servers. Jeder Code gilt für eine Organisation.',
  send: 'Link senden',
  sent: 'Wir haben eine E-Mail an {email} gesendet. Ihr Link gilt einen Tag.',
  choose: 'Passwort wählen',
  password: 'Passwort',
  passwordHint: 'Mindestens 15 Zeichen. Mehrere zufällige Wörter sind leicht zu merken und schwer zu erraten.',
  create: 'Organisation erstellen',
  ready: 'Ihre Organisation ist bereit',
  readyText: 'Melden Sie sich mit {email} und Ihrem Passwort an.',
}
