// The German texts of the kit.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  cancel: 'Abbrechen',
  reload: 'Seite neu laden',
  partFailed: 'Ein Teil der Seite konnte nicht geladen werden.',
  close: 'Schließen',
  dismiss: 'Ausblenden',
  notices: 'Benachrichtigungen',
  optional: '(optional)',
  typeToConfirm: 'Zur Bestätigung {word} eingeben',
  copied: 'Kopiert',
  copyNamed: '{name} kopieren',
  copyRefused: 'Ihr Browser hat das Kopieren blockiert. Markieren Sie den Text und kopieren Sie ihn selbst.',
  inspect: 'Details anzeigen',
  inspectId: 'Details zu {id} anzeigen',
  retry: 'Erneut versuchen',
  loadFailed: 'Das konnte nicht geladen werden',
  notAllowed: 'Sie haben hierauf keinen Zugriff',
  requestId: 'Anfrage {id}',
  filteredTitle: 'Keine Treffer für diese Filter',
  filteredText: 'Entfernen Sie einen Filter oder setzen Sie alle zurück.',
  clearFilters: 'Filter zurücksetzen',
  showing: '{count, number} angezeigt',
  showingAll: 'Alle {count, number} angezeigt',
  showOlder: 'Ältere anzeigen',
  showMore: 'Mehr anzeigen',
  showNew: '{count, number} neue anzeigen',
  rateLimited:
    '{seconds, plural, one {Das war sehr viel auf einmal. Versuchen Sie es in einer Sekunde erneut.} other {Das war sehr viel auf einmal. Versuchen Sie es in # Sekunden erneut.}}',
  'problem.unexpected': 'Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.',
  'problem.network_error': 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'problem.timeout': 'Der Server braucht zu lange für eine Antwort. Versuchen Sie es gleich noch einmal.',
  'problem.unexpected_reply': 'Die Antwort des Servers war unverständlich. Versuchen Sie es gleich noch einmal.',
  'problem.internal_error':
    'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es erneut und wenden Sie sich an Ihren Administrator, wenn es wieder passiert.',
  'problem.unavailable': 'Der Server ist ausgelastet oder startet gerade neu. Versuchen Sie es gleich noch einmal.',
  'problem.rate_limited': 'Das war sehr viel auf einmal. Versuchen Sie es gleich noch einmal.',
  'problem.insufficient_role':
    'Ihre Rolle erlaubt das nicht. Bitten Sie einen Administrator Ihrer Organisation um Zugriff.',
  'problem.not_found': 'Das gibt es nicht mehr, oder es gehört zu einer anderen Organisation oder einem anderen Modus.',
  'problem.version_mismatch':
    'Jemand hat das in der Zwischenzeit geändert. Sehen Sie sich den aktuellen Stand an und versuchen Sie es dann erneut.',
  'problem.payload_too_large': 'Das ist zu groß. Senden Sie weniger auf einmal.',
  'problem.organization_suspended':
    'Ihre Organisation ist gesperrt. Sie können Ihre Daten weiterhin ansehen und exportieren.',
  'problem.organization_closing':
    'Ihre Organisation wird geschlossen. Sie können Ihre Daten weiterhin ansehen und exportieren.',
  loading: 'Wird geladen …',
  freeText: 'Wird so übernommen, wie Sie es eingegeben haben',
  noMatch: 'Keine Treffer',
  'problem.invalid_credentials': 'E-Mail oder Passwort ist falsch.',
  'problem.wrong_password': 'Das ist nicht Ihr aktuelles Passwort.',
  'problem.login_throttled': 'Zu viele Fehlversuche. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  'problem.invalid_second_factor':
    'Der Code ist falsch oder abgelaufen. Warten Sie auf den nächsten oder verwenden Sie einen Wiederherstellungscode.',
  'problem.challenge_expired': 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  'problem.link_expired': 'Dieser Link ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
  'problem.passkey_refused':
    'Der Passkey hat nicht funktioniert. Versuchen Sie es erneut oder melden Sie sich anders an.',
  'problem.invitation_expired': 'Diese Einladung ist abgelaufen oder wurde schon beantwortet.',
  'problem.email_taken': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  'problem.last_admin':
    'Eine Organisation braucht mindestens einen aktiven Administrator. Machen Sie zuerst jemand anderen zum Administrator.',
  tooMuch: 'Das war viel auf einmal',
  busy: 'Der Server ist ausgelastet',
  goesOnIn:
    '{seconds, plural, one {Es geht in # Sekunde von selbst weiter.} other {Es geht in # Sekunden von selbst weiter.}}',
  goingOn: 'Es geht weiter …',
  mayBeOld: 'Was Sie sehen, kann veraltet sein.',
}
