// The German texts of problems with organizations and how people log in to them.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.owner_required': 'Nur für den Inhaber',
  'cause.owner_required': 'Das darf nur der Inhaber der Organisation, und die Anfrage kam von einem anderen Mitglied.',
  'fix.owner_required': 'Lassen Sie es den Inhaber tun: `ownerUserId` aus GET /v2/organization nennt ihn.',
  'title.organization_state_conflict': 'In diesem Zustand nicht möglich',
  'cause.organization_state_conflict': 'Die Organisation ist in einem Zustand, in dem das nicht möglich ist.',
  'fix.organization_state_conflict': 'Prüfen Sie ihren Zustand, und tun Sie, was in der Meldung steht.',
  'title.closed_by_operator': 'Vom Betreiber geschlossen',
  'cause.closed_by_operator': 'Der Betreiber der Installation schließt die Organisation.',
  'fix.closed_by_operator': 'Bitten Sie den Betreiber, sie wieder zu öffnen.',
  'title.export_under_way': 'Export läuft schon',
  'cause.export_under_way': 'Ein Archiv der Organisation wird schon erstellt.',
  'fix.export_under_way': 'Warten Sie, bis es fertig ist: GET /v2/organization/exports.',
  'title.export_not_ready': 'Export nicht bereit',
  'cause.export_not_ready':
    'Das Archiv ist noch nicht fertig, konnte nicht erstellt werden oder ist nach Ablauf seiner Aufbewahrung gelöscht.',
  'fix.export_not_ready': 'Warten Sie, bis sein Status ready ist, oder fordern Sie ein neues an.',
  'title.not_operator': 'Kein Betreiberkonto',
  'cause.not_operator': 'Das Konto betreibt diese Installation nicht oder hat keinen zweiten Faktor.',
  'fix.not_operator':
    'Lassen Sie es von einem Betreiber oder über die Kommandozeile (accounts make-operator) dazu machen, und fügen Sie einen zweiten Faktor hinzu.',
  'title.last_operator': 'Letzter Betreiber',
  'cause.last_operator': 'Nach der Änderung hätte die Installation keinen Betreiber mehr, der handeln kann.',
  'fix.last_operator':
    'Machen Sie zuerst ein anderes Konto zum Betreiber mit vollen Rechten. Den letzten entfernt nur die Kommandozeile.',
  'title.no_such_account': 'Kein solches Konto',
  'cause.no_such_account': 'Zu dieser E-Mail-Adresse gibt es kein Konto.',
  'fix.no_such_account': 'Laden Sie die Person zuerst in eine Organisation ein, oder prüfen Sie die Adresse.',
  'title.sign_up_closed': 'Registrierung geschlossen',
  'cause.sign_up_closed': 'Auf diesem Server erstellen nur Betreiber Organisationen (`TANDEM_SIGN_UP`).',
  'fix.sign_up_closed':
    'Bitten Sie die Betreiber des Servers um eine Organisation oder einen Administrator um eine Einladung in eine bestehende.',
  'title.organization_code_refused': 'Code abgelehnt',
  'cause.organization_code_refused':
    'Ein Code ist nötig. Er wurde nicht gesendet, ist unbekannt, schon verwendet oder zu alt.',
  'fix.organization_code_refused':
    'Prüfen Sie die Schreibweise, oder bitten Sie die Betreiber des Servers um einen neuen.',
  'title.sign_up_throttled': 'Zu viele Registrierungen',
  'cause.sign_up_throttled': 'In der letzten Stunde haben sich aus diesem Netz fünf Personen registriert.',
  'fix.sign_up_throttled': 'Warten Sie so viele Sekunden, wie der Header Retry-After nennt.',
  'title.too_many_organizations': 'Zu viele Organisationen',
  'cause.too_many_organizations': 'Dem Konto gehören schon drei Organisationen. Mehr kann man nicht selbst erstellen.',
  'fix.too_many_organizations':
    'Schließen Sie eine davon, übertragen Sie sie jemand anderem, oder fragen Sie die Betreiber des Servers.',
  'title.email_not_verified': 'Adresse nicht bestätigt',
  'cause.email_not_verified': 'Bisher hat nichts gezeigt, dass die E-Mail-Adresse des Kontos dieser Person gehört.',
  'fix.email_not_verified':
    'Setzen Sie das Passwort per E-Mail zurück (POST /v2/auth/password-resets), oder bestätigen Sie eine andere Adresse: Beides weist es nach.',
  'title.address_not_allowed': 'Nicht von dieser Adresse',
  'cause.address_not_allowed':
    'Die Organisation lässt Anmeldungen nur von bestimmten Adressen zu, und diese gehört nicht dazu.',
  'fix.address_not_allowed': 'Melden Sie sich aus dem Netz der Organisation an, oder fragen Sie einen Administrator.',
  'title.would_lock_out': 'Würde Sie aussperren',
  'cause.would_lock_out': 'Mit der gewünschten Einstellung könnten Sie selbst sich nicht mehr anmelden.',
  'fix.would_lock_out': 'Fügen Sie zuerst Ihre aktuelle Adresse hinzu, oder Ihrem eigenen Konto einen zweiten Faktor.',
  'title.domain_exists': 'Domain schon vorhanden',
  'cause.domain_exists': 'Die Organisation hat diese Domain schon.',
  'fix.domain_exists': 'Verwenden Sie ihren DNS-Eintrag: GET /v2/organization/domains zeigt ihn.',
  'title.domain_taken': 'Domain einer anderen Organisation',
  'cause.domain_taken':
    'Eine andere Organisation auf diesem Server hat die Domain bestätigt, und nur eine kann sie nutzen.',
  'fix.domain_taken':
    'Die andere Organisation muss die Domain entfernen oder ihren Eintrag aus dem DNS nehmen. Letzteres wird erst nach drei Wochen bemerkt.',
  'title.domain_not_verified': 'Keine bestätigte Domain',
  'cause.domain_not_verified':
    'Keine Domain der Organisation ist bestätigt, deshalb gilt keine Adresse als ihre eigene.',
  'fix.domain_not_verified':
    'Fügen Sie eine Domain hinzu (POST /v2/organization/domains), tragen Sie ihren Eintrag ins DNS ein, und lassen Sie sie prüfen.',
  'title.too_many_domains': 'Zu viele Domains',
  'cause.too_many_domains': 'Eine Organisation hat höchstens 50 Domains.',
  'fix.too_many_domains': 'Entfernen Sie eine, die niemand verwendet, und fügen Sie dann die neue hinzu.',
  'title.sso_required': 'Single Sign-on nötig',
  'cause.sso_required': 'Die Organisation lässt ihre Mitglieder nur über ihren Identitätsanbieter herein.',
  'fix.sso_required': 'Öffnen Sie die Adresse in `ssoUrl` im Browser, oder fragen Sie einen Administrator.',
  'title.sso_misconfigured': 'Identitätsanbieter nicht erreichbar oder falsch',
  'cause.sso_misconfigured':
    'Die Antwort des Identitätsanbieters passt nicht zur Verbindung, oder er ist nicht erreichbar.',
  'fix.sso_misconfigured':
    'Vergleichen Sie Aussteller, Client-ID und Secret mit denen des Anbieters, und führen Sie den Test aus. Sein Protokoll zeigt, was falsch war.',
  'title.sso_state_not_allowed': 'In diesem Status nicht möglich',
  'cause.sso_state_not_allowed':
    'Vom Status der Verbindung führt kein Weg zum gewünschten: Sie wird zuerst getestet, dann eingeschaltet, dann erzwungen.',
  'fix.sso_state_not_allowed':
    "Führen Sie den Test der Verbindung aus (POST /v2/organization/sso-connections/'{connectionId}'/test), oder schalten Sie sie zuerst ein.",
  'title.sso_connection_active': 'Andere Verbindung in Verwendung',
  'cause.sso_connection_active':
    'Anmeldungen gehen an genau einen Identitätsanbieter, und eine andere Verbindung ist aktiv.',
  'fix.sso_connection_active': 'Schalten Sie zuerst die andere aus (PATCH mit `status: "disabled"`).',
  'title.too_many_connections': 'Zu viele Verbindungen',
  'cause.too_many_connections': 'Eine Organisation hat höchstens 10 Identitätsanbieter.',
  'fix.too_many_connections':
    'Löschen Sie eine Verbindung, die nicht verwendet wird, und fügen Sie dann die neue hinzu.',
  'title.sso_session': 'Sitzung über Single Sign-on',
  'cause.sso_session':
    'Die Sitzung hat der Identitätsanbieter einer Organisation eröffnet. Sie gilt nur für diese Organisation.',
  'fix.sso_session': 'Melden Sie sich bei der anderen Organisation auf deren Weg an.',
  'title.too_many_audit_streams': 'Zu viele Audit-Streams',
  'cause.too_many_audit_streams': 'Die Organisation hat 5 Streams ihres Prüfprotokolls. Mehr sind nicht möglich.',
  'fix.too_many_audit_streams': 'Löschen Sie einen, der nicht gebraucht wird.',
  'title.privacy_request_under_way': 'Anfrage läuft schon',
  'cause.privacy_request_under_way': 'Zu dieser Person läuft schon eine gleiche Anfrage.',
  'fix.privacy_request_under_way': 'Warten Sie, bis sie erledigt ist: GET /v2/privacy/requests listet sie auf.',
  'title.privacy_export_not_ready': 'Archiv nicht bereit',
  'cause.privacy_export_not_ready':
    'Das Archiv ist noch nicht fertig, konnte nicht erstellt werden, ist abgelaufen, oder die Anfrage war eine Löschung.',
  'fix.privacy_export_not_ready': 'Warten Sie, bis der Export erledigt ist, oder fordern Sie einen neuen an.',
  'title.legal_hold': 'Löschsperre',
  'cause.legal_hold': 'Eine Löschsperre bewahrt, was gelöscht werden sollte.',
  'fix.legal_hold': 'Heben Sie zuerst die Sperre auf: GET /v2/privacy/holds listet alle auf.',
  'title.hold_released': 'Sperre aufgehoben',
  'cause.hold_released': 'Die Löschsperre wurde schon aufgehoben.',
  'fix.hold_released': 'Setzen Sie eine neue, wenn sie gebraucht wird.',
  'title.too_many_keys': 'Zu viele API-Schlüssel',
  'cause.too_many_keys':
    'Ein Benutzer hat in jedem Modus höchstens 50 gültige API-Schlüssel. Erneuerte zählen mit, bis sie enden.',
  'fix.too_many_keys':
    "Widerrufen Sie Schlüssel, die nichts verwendet (DELETE /v2/auth/api-keys/'{keyId}'), und erstellen Sie dann den neuen.",
  'title.key_not_active': 'Schlüssel nicht aktiv',
  'cause.key_not_active':
    'Der API-Schlüssel ist widerrufen oder abgelaufen und lässt sich deshalb weder erneuern noch verwenden.',
  'fix.key_not_active': 'Erstellen Sie einen neuen Schlüssel.',
}
