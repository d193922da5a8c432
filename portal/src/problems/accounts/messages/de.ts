// The German texts of problems with accounts, members and logins.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.invalid_credentials': 'Anmeldung abgelehnt',
  'cause.invalid_credentials': 'Das Konto existiert nicht, das Passwort ist falsch, oder das Konto ist deaktiviert.',
  'fix.invalid_credentials':
    'Prüfen Sie E-Mail-Adresse (oder Administratorkennung) und Passwort, oder fragen Sie einen Administrator.',
  'title.invalid_refresh_token': 'Refresh-Token abgelehnt',
  'cause.invalid_refresh_token': 'Das Refresh-Token ist unbekannt, abgelaufen, widerrufen oder schon verwendet.',
  'fix.invalid_refresh_token': 'Melden Sie sich neu an.',
  'title.membership_required': 'Kein Mitglied',
  'cause.membership_required':
    'Die Person ist kein Mitglied der genannten Organisation oder darf sich dort nicht mehr anmelden.',
  'fix.membership_required':
    'Nennen Sie eine Organisation aus GET /v2/users/me/organizations, oder bitten Sie einen Administrator der Organisation um eine Einladung.',
  'title.switch_needs_login': 'Neue Anmeldung nötig',
  'cause.switch_needs_login':
    'Die Organisation verlangt mehr, als diese Anmeldung gezeigt hat: einen zweiten Faktor oder eine Anmeldung, die nicht so lange her ist.',
  'fix.switch_needs_login':
    'Melden Sie sich bei ihr an: POST /v1/api/auth/login mit ihrer organizationId fragt nach dem, was fehlt.',
  'title.wrong_password': 'Falsches Passwort',
  'cause.wrong_password': 'Das Passwort gehört nicht zu dem Konto, dessen Sitzung anfragt.',
  'fix.wrong_password':
    'Geben Sie das aktuelle Passwort noch einmal ein, oder setzen Sie es über die Anmeldeseite zurück.',
  'title.login_throttled': 'Zu viele fehlgeschlagene Anmeldungen',
  'cause.login_throttled':
    'Zu oft sind Anmeldungen fehlgeschlagen: für dieses Konto, von Orten, von denen es sich sonst nicht anmeldet, oder von dieser Adresse.',
  'fix.login_throttled':
    'Warten Sie so viele Sekunden, wie der Header Retry-After nennt, oder melden Sie sich von einem Ort oder Browser aus an, der in den letzten 30 Tagen dafür verwendet wurde.',
  'title.initial_password_expired': 'Erstes Passwort abgelaufen',
  'cause.initial_password_expired':
    'Das Passwort hat der Server oder ein Admin erzeugt, und die Person hat innerhalb von sieben Tagen kein eigenes festgelegt.',
  'fix.initial_password_expired':
    'Bitten Sie einen Admin um ein anderes (Mitglieder, Passwort festlegen), oder legen Sie per E-Mail eines fest: POST /v2/auth/password-resets. Auf dem Rechner zeigt `tandem reset-password` einen Link an.',
  'title.login_by_mail_required': 'Keine Passwörter von hier',
  'cause.login_by_mail_required':
    'Für dieses Konto kamen hundert falsche Passwörter in Folge von Orten, von denen es sich sonst nicht anmeldet. Von dort wird deshalb keines mehr geprüft.',
  'fix.login_by_mail_required':
    'Melden Sie sich mit einem Passkey oder über den Link einer E-Mail an, von einem Ort oder Browser der letzten 30 Tage, oder legen Sie per E-Mail ein anderes Passwort fest.',
  'title.second_factor_required': 'Zweiter Faktor nötig',
  'cause.second_factor_required': 'Das Passwort war richtig, und das Konto verlangt einen zweiten Faktor.',
  'fix.second_factor_required':
    'Senden Sie `challengeToken` aus dieser Antwort mit einem Code der App, einem Wiederherstellungscode oder der `assertion` eines Passkeys an POST /v1/api/auth/login/verify.',
  'title.second_factor_setup_required': 'Zweiter Faktor einzurichten',
  'cause.second_factor_setup_required':
    'Das Passwort war richtig, aber die Organisation verlangt einen zweiten Faktor, und das Konto hat keinen.',
  'fix.second_factor_setup_required':
    'Geben Sie `setup.secret` aus dieser Antwort in eine App ein, die Codes erzeugt, und senden Sie ihren Code mit `challengeToken` an POST /v1/api/auth/login/verify.',
  'title.invalid_second_factor': 'Zweiter Faktor abgelehnt',
  'cause.invalid_second_factor': 'Der Code ist falsch, zu alt oder schon verwendet.',
  'fix.invalid_second_factor':
    'Warten Sie auf den nächsten Code der App, und senden Sie diesen. Jeder gilt einmal. Auch ein Wiederherstellungscode ist möglich.',
  'title.challenge_expired': 'Anmeldung hat zu lange gedauert',
  'cause.challenge_expired':
    'Die Anmeldung wurde vor mehr als fünf Minuten, anderswo oder mit einem anderen Passwort begonnen, oder sie ist schon beendet.',
  'fix.challenge_expired': 'Melden Sie sich noch einmal mit dem Passwort an.',
  'title.password_change_required': 'Eigenes Passwort nötig',
  'cause.password_change_required': 'Das Passwort hat jemand anderes festgelegt. Es gilt für eine Anmeldung.',
  'fix.password_change_required':
    'Senden Sie `challengeToken` aus dieser Antwort mit einem `newPassword` an POST /v1/api/auth/login/verify.',
  'title.passkey_refused': 'Passkey abgelehnt',
  'cause.passkey_refused':
    'Der Passkey ist nicht bekannt, könnte eine Kopie sein, wurde auf einer anderen Seite erstellt oder verwendet oder hat nicht geprüft, wer ihn verwendet. Oder die Optionen waren älter als fünf Minuten oder schon verwendet.',
  'fix.passkey_refused':
    'Fordern Sie neue Optionen an, und lassen Sie den Browser darauf antworten. Wird der Passkey wieder abgelehnt, melden Sie sich mit dem Passwort an.',
  'title.passkeys_unavailable': 'Passkeys hier nicht möglich',
  'cause.passkeys_unavailable':
    'Passkeys sind an einen Hostnamen gebunden und brauchen https. Dieser Server kennt keinen eigenen.',
  'fix.passkeys_unavailable':
    'Setzen Sie TANDEM_PUBLIC_URL auf eine https-Adresse mit Hostnamen. Auf einem einzelnen Rechner öffnen Sie das Portal unter http://localhost statt unter einer IP-Adresse.',
  'title.factor_limit_reached': 'Zu viele zweite Faktoren',
  'cause.factor_limit_reached': 'Ein Konto hat höchstens zehn zweite Faktoren.',
  'fix.factor_limit_reached': 'Entfernen Sie einen, der nicht mehr verwendet wird.',
  'title.factor_required': 'Kein zweiter Faktor',
  'cause.factor_required': 'Das Konto hat keinen zweiten Faktor, Wiederherstellungscodes würden also nichts ersetzen.',
  'fix.factor_required': 'Fügen Sie zuerst einen zweiten Faktor hinzu.',
  'title.link_expired': 'Link abgelaufen',
  'cause.link_expired':
    'Der Link ist zu alt, wurde schon verwendet, ist unvollständig oder gehört zu einem anderen Konto oder Browser.',
  'fix.link_expired':
    'Fordern Sie eine neue E-Mail an, und öffnen Sie ihren Link sofort, im selben Browser und mit demselben Konto.',
  'title.email_taken': 'E-Mail-Adresse vergeben',
  'cause.email_taken': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
  'fix.email_taken': 'Verwenden Sie eine andere E-Mail-Adresse, oder laden Sie die Person ein.',
  'title.account_shared': 'Konto mehrerer Organisationen',
  'cause.account_shared':
    'Die Person ist auch Mitglied anderer Organisationen. Deshalb kann nur sie selbst ändern, wie sie sich anmeldet.',
  'fix.account_shared':
    'Lassen Sie die Person das in ihrem Konto ändern, oder setzen Sie ihr Passwort per E-Mail zurück.',
  'title.last_admin': 'Letzter Administrator',
  'cause.last_admin': 'Nach der Änderung hätte die Organisation keinen aktiven Administrator mehr.',
  'fix.last_admin': 'Machen Sie zuerst jemand anderen zum Administrator. Eine aus Admin abgeleitete Rolle zählt nicht.',
  'title.weak_password': 'Passwort zu schwach',
  'cause.weak_password':
    'Das Passwort gehört zu den häufigsten, steht in einer Liste bekannt gewordener Passwörter oder enthält die E-Mail-Adresse.',
  'fix.weak_password': 'Wählen Sie ein anderes Passwort mit mindestens 10 Zeichen.',
  'title.invitation_expired': 'Einladung nicht mehr gültig',
  'cause.invitation_expired':
    'Die Einladung wurde schon beantwortet oder zurückgenommen, ist älter als sieben Tage, die einladende Person darf nicht mehr einladen, oder ihr Link ist unvollständig.',
  'fix.invitation_expired': 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  'title.invitation_for_other_address': 'Einladung für jemand anderen',
  'cause.invitation_for_other_address': 'Die Einladung gilt für eine andere Adresse als die des angemeldeten Kontos.',
  'fix.invitation_for_other_address':
    'Melden Sie sich ab, und antworten Sie mit dem Konto dieser Adresse, oder bitten Sie um eine Einladung an Ihre eigene.',
  'title.invitation_needs_login': 'Konto vorhanden',
  'cause.invitation_needs_login':
    'Zur Adresse der Einladung gibt es schon ein Konto, und niemand ist damit angemeldet.',
  'fix.invitation_needs_login':
    'Melden Sie sich mit diesem Konto an, und nehmen Sie die Einladung mit dessen Zugriffstoken noch einmal an.',
  'title.invitation_decided': 'Einladung schon beantwortet',
  'cause.invitation_decided': 'Die Einladung wurde schon angenommen, abgelehnt oder zurückgenommen.',
  'fix.invitation_decided': 'Erstellen Sie eine neue.',
  'title.already_invited': 'Schon eingeladen',
  'cause.already_invited': 'Zu dieser Adresse gibt es eine Einladung, die noch nicht beantwortet ist.',
  'fix.already_invited':
    "Senden Sie sie mit POST /v2/invitations/'{invitationId}'/resend noch einmal, oder nehmen Sie sie zurück, und erstellen Sie eine neue.",
  'title.resend_limit_reached': 'Zu oft erneut gesendet',
  'cause.resend_limit_reached': 'Die E-Mail der Einladung wurde schon fünfmal erneut gesendet.',
  'fix.resend_limit_reached':
    'Geben Sie der Person den Link auf anderem Weg, oder nehmen Sie die Einladung zurück, und erstellen Sie eine neue.',
  'title.already_member': 'Schon Mitglied',
  'cause.already_member': 'Die Person ist schon Mitglied der Organisation.',
  'fix.already_member': "Ändern Sie ihre Rechte mit PATCH /v1/api/users/'{id}'.",
  'title.role_in_use': 'Rolle wird verwendet',
  'cause.role_in_use': 'Mitglieder oder offene Einladungen haben diese Rolle.',
  'fix.role_in_use': 'Geben Sie ihnen zuerst eine andere Rolle. GET /v1/api/users?roleId= listet die Mitglieder auf.',
  'title.role_limit_reached': 'Zu viele Rollen',
  'cause.role_limit_reached': 'Die Organisation hat 50 eigene Rollen. Mehr sind nicht möglich.',
  'fix.role_limit_reached': 'Löschen Sie eine, die niemand hat, oder ändern Sie eine.',
  'title.role_name_taken': 'Name der Rolle vergeben',
  'cause.role_name_taken': 'Eine andere eigene Rolle der Organisation oder eine der mitgelieferten heißt schon so.',
  'fix.role_name_taken': 'Wählen Sie einen anderen Namen.',
  'title.team_in_use': 'Team hat Mitglieder',
  'cause.team_in_use': 'Das Team hat Mitglieder, und manche von ihnen sehen dadurch vielleicht Datensätze.',
  'fix.team_in_use': 'Entfernen Sie sie zuerst aus dem Team.',
  'title.team_limit_reached': 'Zu viele Teams',
  'cause.team_limit_reached':
    'Die Organisation hat 200 Teams, das Team 200 Mitglieder, oder die Person ist in 20 Teams. Mehr sind nicht möglich.',
  'fix.team_limit_reached': 'Löschen Sie ein Team, oder entfernen Sie jemanden aus einem.',
  'title.team_name_taken': 'Name des Teams vergeben',
  'cause.team_name_taken': 'Ein anderes Team der Organisation heißt schon so.',
  'fix.team_name_taken': 'Wählen Sie einen anderen Namen.',
  'title.last_owner': 'Inhaber der Organisation',
  'cause.last_owner':
    'Der Person gehört die Organisation. Deshalb kann sie weder austreten noch entfernt, deaktiviert oder unter Admin herabgestuft werden.',
  'fix.last_owner': 'Übertragen Sie die Inhaberschaft zuerst einem anderen Administrator.',
  'title.not_owner': 'Nicht Inhaber',
  'cause.not_owner': 'Das darf nur der Inhaber der Organisation.',
  'fix.not_owner': 'Wenden Sie sich an den Inhaber. GET /v2/organization nennt ihn.',
  'title.transfer_open': 'Übertragung der Inhaberschaft offen',
  'cause.transfer_open':
    'Die Inhaberschaft wurde jemandem angeboten und die Antwort steht aus, oder sie hat in den letzten 72 Stunden gewechselt oder wurde zurückgenommen: So lange darf nichts die Person aussperren, die sie angeboten hat.',
  'fix.transfer_open': 'Brechen Sie die Übertragung ab, oder warten Sie, bis die 72 Stunden vorbei sind.',
  'title.transfer_not_open': 'Keine solche Übertragung',
  'cause.transfer_not_open':
    'Es gibt keine Übertragung der Inhaberschaft, die Sie beantworten, abbrechen oder zurücknehmen können: Sie ist schon beantwortet, zu alt oder für jemand anderen.',
  'fix.transfer_not_open': 'Sehen Sie sie sich mit GET /v2/organization/transfer an.',
  'title.hand_over_running': 'Übergabe läuft',
  'cause.hand_over_running': 'Was die Person bei ihrem Austritt hatte, wird noch an jemand anderen übergeben.',
  'fix.hand_over_running':
    'Versuchen Sie es in einer Minute erneut. GET /v2/hand-overs zeigt, wie weit die Übergabe ist.',
  'title.account_protected': 'Konto des Inhabers oder eines Betreibers',
  'cause.account_protected':
    'Der Person gehört die Organisation, sie kann sie noch zurücknehmen, oder sie betreibt die Installation. Niemand sonst legt fest, wie sie sich anmeldet.',
  'fix.account_protected':
    'Die Person ändert es selbst in ihrem Konto oder setzt ihr Passwort per E-Mail zurück; am Server hilft tandem accounts.',
  'title.no_second_factor': 'Kein zweiter Faktor zum Zurücksetzen',
  'cause.no_second_factor': 'Die Person hat keinen zweiten Faktor, der sich zurücksetzen ließe.',
  'fix.no_second_factor': 'Sie müssen nichts tun.',
}
