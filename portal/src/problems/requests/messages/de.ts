// The German texts of problems with requests as such.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.malformed_json': 'Fehlerhaftes JSON',
  'cause.malformed_json': 'Der Body ist kein gültiges JSON.',
  'fix.malformed_json': 'Senden Sie ein JSON-Objekt, als UTF-8 codiert.',
  'title.validation_failed': 'Ungültige Eingabe',
  'cause.validation_failed': 'Ein oder mehrere Felder fehlen, sind unbekannt oder haben nicht die dokumentierte Form.',
  'fix.validation_failed': 'Korrigieren Sie jedes Feld in `details`. Dort steht auch, was es annimmt.',
  'title.invalid_cursor': 'Ungültiger Cursor',
  'cause.invalid_cursor':
    'Der Cursor stammt nicht von diesem Endpunkt oder gehört zu anderen Filtern oder einer anderen Sortierung.',
  'fix.invalid_cursor':
    'Beginnen Sie ohne `cursor` von vorn, und verwenden Sie dann mit denselben Filtern den Cursor der letzten Antwort.',
  'title.invalid_idempotency_key': 'Ungültiger Idempotency-Key',
  'cause.invalid_idempotency_key':
    'Der Header ist leer, länger als 255 Zeichen, kein druckbares ASCII oder doppelt gesendet.',
  'fix.invalid_idempotency_key':
    'Senden Sie einen Idempotency-Key aus 1 bis 255 druckbaren ASCII-Zeichen, zum Beispiel eine UUID.',
  'title.invalid_if_match': 'Ungültiges If-Match',
  'cause.invalid_if_match': 'Der Header If-Match enthält kein ETag dieser API.',
  'fix.invalid_if_match': 'Senden Sie das ETag der letzten Antwort unverändert, zum Beispiel "3".',
  'title.bad_request': 'Fehlerhafte Anfrage',
  'cause.bad_request': 'Die Anfrage ist kein gültiges HTTP.',
  'fix.bad_request': 'Senden Sie eine korrekte HTTP/1.1-Anfrage.',
  'title.request_timeout': 'Anfrage zu langsam',
  'cause.request_timeout': 'Die Anfrage kam nicht innerhalb von 10 Sekunden vollständig an.',
  'fix.request_timeout': 'Senden Sie Header und Body ohne lange Pausen, und versuchen Sie es erneut.',
  'title.payload_too_large': 'Body zu groß',
  'cause.payload_too_large':
    'Der Body ist größer, als dieser Endpunkt annimmt (64 KiB, wenn nichts anderes angegeben ist).',
  'fix.payload_too_large': 'Senden Sie weniger in einer Anfrage.',
  'title.headers_too_large': 'Header zu groß',
  'cause.headers_too_large': 'Die Header sind zusammen größer als 8 KiB, oder es sind mehr als 64.',
  'fix.headers_too_large': 'Senden Sie weniger oder kürzere Header.',
  'title.uri_too_long': 'Adresse zu lang',
  'cause.uri_too_long': 'Ein Teil des Pfads ist zu lang.',
  'fix.uri_too_long': 'Prüfen Sie die Adresse der Anfrage.',
  'title.unsupported_media_type': 'Inhaltstyp nicht unterstützt',
  'cause.unsupported_media_type': 'Der Body ist nicht als JSON gekennzeichnet.',
  'fix.unsupported_media_type': 'Senden Sie den Header Content-Type: application/json.',
  'title.route_not_found': 'Kein solcher Endpunkt',
  'cause.route_not_found': 'Kein Endpunkt hat diesen Pfad.',
  'fix.route_not_found': 'Suchen Sie den Pfad im Katalog: GET /v2/catalog.',
  'title.method_not_allowed': 'Methode nicht erlaubt',
  'cause.method_not_allowed': 'Den Pfad gibt es, aber nicht mit dieser Methode.',
  'fix.method_not_allowed': 'Verwenden Sie eine der Methoden im Header Allow.',
  'title.range_not_satisfiable': 'Kein solcher Abschnitt',
  'cause.range_not_satisfiable': 'Der Header Range verlangt Bytes hinter dem Ende der Datei.',
  'fix.range_not_satisfiable':
    'Verlangen Sie Bytes unterhalb der Länge, die Content-Range nennt, oder lassen Sie Range für die ganze Datei weg.',
  'title.not_found': 'Nicht gefunden',
  'cause.not_found': 'In diesem Mandanten und Modus gibt es keinen solchen Datensatz.',
  'fix.not_found':
    'Prüfen Sie die ID, und ob der Schlüssel oder das Token zur richtigen Organisation und zum richtigen Modus (live oder test) gehört.',
  'title.missing_credentials': 'Zugangsdaten fehlen',
  'cause.missing_credentials': 'Die Anfrage hat keinen Authorization-Header mit einem Bearer-Token.',
  'fix.missing_credentials': "Senden Sie Authorization: Bearer '<API-Schlüssel oder Zugriffstoken>'.",
  'title.invalid_api_key': 'Unbekannter API-Schlüssel',
  'cause.invalid_api_key': 'Der API-Schlüssel ist fehlerhaft oder existiert nicht.',
  'fix.invalid_api_key':
    'Kopieren Sie den Schlüssel noch einmal vollständig. Ist er verloren, erstellen Sie einen neuen.',
  'title.key_revoked': 'API-Schlüssel widerrufen',
  'cause.key_revoked': 'Der API-Schlüssel wurde widerrufen, oder eine Erneuerung hat ihn ersetzt.',
  'fix.key_revoked': 'Verwenden Sie den Schlüssel, der ihn ersetzt hat, oder erstellen Sie einen neuen.',
  'title.key_expired': 'API-Schlüssel abgelaufen',
  'cause.key_expired': 'Das Ablaufdatum des API-Schlüssels ist überschritten.',
  'fix.key_expired': 'Erstellen oder erneuern Sie einen Schlüssel.',
  'title.invalid_token': 'Ungültiges Zugriffstoken',
  'cause.invalid_token':
    'Das Zugriffstoken ist fehlerhaft, wurde verändert, stammt von einem anderen Aussteller oder ist nicht von diesem Server signiert.',
  'fix.invalid_token': 'Melden Sie sich neu an, und senden Sie das neue Zugriffstoken unverändert.',
  'title.token_expired': 'Zugriffstoken abgelaufen',
  'cause.token_expired': 'Das Zugriffstoken galt eine Stunde, und die ist vorbei.',
  'fix.token_expired': 'Holen Sie ein neues mit POST /v1/api/auth/refresh, oder melden Sie sich neu an.',
  'title.token_revoked': 'Sitzung beendet',
  'cause.token_revoked':
    'Die Sitzung dieses Tokens wurde abgemeldet, oder das Benutzerkonto wurde geändert oder deaktiviert.',
  'fix.token_revoked': 'Melden Sie sich neu an.',
  'title.person_required': 'Nur für Personen',
  'cause.person_required':
    'Ein API-Schlüssel oder ein daraus erzeugtes Token hat etwas verlangt, das nur angemeldete Personen bekommen.',
  'fix.person_required':
    'Melden Sie sich mit POST /v1/api/auth/login an, und senden Sie das Zugriffstoken dieser Anmeldung.',
  'title.step_up_required': 'Neue Bestätigung nötig',
  'cause.step_up_required':
    'Das verlangt einen Nachweis, wer Sie sind, der höchstens fünfzehn Minuten alt ist, mit dem zweiten Faktor, wo das Konto einen hat.',
  'fix.step_up_required':
    'Weisen Sie sich mit POST /v2/auth/step-up aus, und senden Sie die Anfrage noch einmal mit demselben Zugriffstoken. Das Portal fragt von selbst danach.',
  'title.operator_reads_only': 'Betreiberkonto nur für Support',
  'cause.operator_reads_only': 'Dieses Betreiberkonto kann Organisationen ansehen, aber nichts ändern.',
  'fix.operator_reads_only':
    'Lassen Sie es einen Betreiber mit vollen Rechten tun. Die Kommandozeile kann einen anlegen: accounts make-operator.',
  'title.organization_suspended': 'Organisation gesperrt',
  'cause.organization_suspended':
    'Der Betreiber dieser Installation hat die Organisation gesperrt: Ihre Mitglieder können sich anmelden, das eigene Konto und das Prüfprotokoll lesen und exportieren. Sonst geschieht nichts, nichts wird gesendet, und Anrufe werden abgewiesen.',
  'fix.organization_suspended':
    'Fragen Sie den Betreiber, warum, und was die Sperre beendet. GET /v2/organization zeigt den Grund.',
  'title.organization_closing': 'Organisation wird geschlossen',
  'cause.organization_closing':
    'Die Organisation wird geschlossen: Bis zum Stichtag lässt sich alles lesen und exportieren, aber nichts ändern oder senden.',
  'fix.organization_closing':
    'Der Inhaber der Organisation oder der Betreiber kann das zurücknehmen: POST /v2/organization/reopen.',
  'title.insufficient_role': 'Rolle reicht nicht',
  'cause.insufficient_role': 'Der Rolle fehlt die Berechtigung, die dieser Endpunkt braucht.',
  'fix.insufficient_role':
    'Bitten Sie einen Administrator um eine Rolle mit der Berechtigung, die in der Meldung steht.',
  'title.insufficient_scope': 'Scope fehlt',
  'cause.insufficient_scope': 'Die Rolle würde reichen, aber der Schlüssel oder das Token hat diesen Scope nicht.',
  'fix.insufficient_scope':
    'Erstellen Sie einen Schlüssel, dessen Scopes die Berechtigung enthalten, die in der Meldung steht.',
  'title.cross_site_request': 'Anfrage von einer anderen Website',
  'cause.cross_site_request':
    'Diese Adresse ist nur für Seiten des Portals da, und die Anfrage kam von keiner von ihnen.',
  'fix.cross_site_request':
    'Verwenden Sie das Portal unter seiner eigenen Adresse. Programme melden sich mit POST /v1/api/auth/login an.',
  'title.rate_limited': 'Zu viele Anfragen',
  'cause.rate_limited':
    'Das Rate-Limit des API-Schlüssels, aller Schlüssel derselben Person, der Person selbst oder der IP-Adresse ist ausgeschöpft.',
  'fix.rate_limited':
    'Warten Sie so viele Sekunden, wie der Header Retry-After nennt, und verteilen Sie Ihre Anfragen.',
  'title.too_many_streams': 'Zu viele Streams',
  'cause.too_many_streams':
    'Es sind schon 20 Ereignis-Streams des Benutzers offen, oder so viele, wie der Server annimmt.',
  'fix.too_many_streams':
    'Schließen Sie Streams, die niemand liest, lassen Sie einen Stream mehrere Leser bedienen, und versuchen Sie es nach den Sekunden in Retry-After erneut.',
  'title.internal_error': 'Interner Fehler',
  'cause.internal_error':
    'Auf dem Server ist ein Fehler aufgetreten. Es wurde nichts geändert, sofern späteres Lesen nichts anderes zeigt.',
  'fix.internal_error':
    'Versuchen Sie es mit demselben Idempotency-Key erneut. Bleibt der Fehler, melden Sie die Anfrage-ID.',
  'title.unavailable': 'Nicht verfügbar',
  'cause.unavailable':
    'Der Server startet, wird beendet, ist überlastet oder erreicht seine Datenbank nicht. Die Anfrage kann trotzdem ausgeführt worden sein.',
  'fix.unavailable': 'Versuchen Sie es nach den Sekunden in Retry-After mit demselben Idempotency-Key erneut.',
  'title.idempotency_mismatch': 'Idempotency-Key schon verwendet',
  'cause.idempotency_mismatch':
    'Dieser Idempotency-Key wurde für eine Anfrage mit anderer Methode, anderem Pfad, anderem Body oder anderen Zugangsdaten verwendet.',
  'fix.idempotency_mismatch':
    'Verwenden Sie für eine neue Anfrage einen neuen Schlüssel. Wer die frühere Antwort noch einmal möchte, wiederholt die Anfrage Byte für Byte.',
  'title.version_mismatch': 'Inzwischen geändert',
  'cause.version_mismatch': 'Der Datensatz hat nicht mehr die Version, die If-Match nennt.',
  'fix.version_mismatch':
    'Lesen Sie den Datensatz neu, wenden Sie die Änderung darauf an, und senden Sie das neue ETag.',
  'title.count_mismatch': 'Andere Anzahl als erwartet',
  'cause.count_mismatch': 'Der Filter findet eine andere Anzahl von Datensätzen, als die Anfrage erwartet.',
  'fix.count_mismatch':
    'Rufen Sie die Liste noch einmal ab, prüfen Sie die Datensätze, und senden Sie die neue Anzahl.',
  'title.live_mode_required': 'Live-Modus nötig',
  'cause.live_mode_required':
    'Die Anfrage kam aus dem Testmodus. Sie ändert aber etwas, das Live- und Testmodus teilen, oder gibt Live-Zugangsdaten heraus.',
  'fix.live_mode_required':
    'Senden Sie sie mit einem Live-Schlüssel oder dem Zugriffstoken einer Anmeldung ohne `mode: test`. Im Portal wechseln Sie in den Live-Modus.',
  'title.scope_not_held': 'Fehlende Rechte',
  'cause.scope_not_held':
    'Niemand kann mehr weitergeben, als er selbst hat: einen Scope eines Schlüssels, eine längere Gültigkeit, eine Rolle, ein fremdes Benutzerkonto.',
  'fix.scope_not_held':
    'Lassen Sie weg, was `details` nennt, oder lassen Sie es einen Administrator tun: angemeldet oder mit einem Schlüssel, der alle Administratorrechte hat.',
  'title.invalid_transition': 'Statuswechsel nicht möglich',
  'cause.invalid_transition': 'Der Datensatz kann nicht von seinem jetzigen Status in den gewünschten wechseln.',
  'fix.invalid_transition': 'Verwenden Sie einen der Status, die in der Meldung stehen.',
  'title.record_not_found': 'Kein solcher Datensatz',
  'cause.record_not_found':
    'Der Datensatz, zu dem etwas hinzugefügt werden soll, existiert nicht, liegt im Papierkorb oder ist für Sie nicht sichtbar.',
  'fix.record_not_found': 'Prüfen Sie die ID: `cmp_…`, `con_…`, und bei Zahlen als IDs die Art des Datensatzes davor.',
  'title.duplicate_record': 'Doppelter Datensatz',
  'cause.duplicate_record':
    'Es gibt schon einen Datensatz, der in einem Feld aus `details` übereinstimmt, und Duplikate sind gesperrt.',
  'fix.duplicate_record':
    'Verwenden Sie den Datensatz, den `details` nennt, oder lassen Sie Duplikate mit X-Duplicate-Mode: warn zu.',
  'title.invalid_callback_url': 'Callback-Adresse abgelehnt',
  'cause.invalid_callback_url': 'Die callbackUrl führt zu einer Adresse, die Callbacks nicht erreichen dürfen.',
  'fix.invalid_callback_url':
    'Verwenden Sie eine öffentliche https-Adresse. Der Betreiber kann private Bereiche mit TANDEM_EGRESS_ALLOW erlauben.',
}
