// The German texts of problems with apps and OAuth.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.redirect_uri_not_allowed': 'Redirect-Adresse nicht erlaubt',
  'cause.redirect_uri_not_allowed':
    'Eine Redirect-Adresse muss https sein, http auf demselben Rechner (127.0.0.1, [::1], localhost) oder das Schema einer App, ohne Fragment, Benutzernamen und Platzhalter.',
  'fix.redirect_uri_not_allowed':
    'Korrigieren Sie die Adresse, die `details` nennt. Sie wird Zeichen für Zeichen verglichen. Nur der Port einer Loopback-Adresse ist frei.',
  'title.too_many_apps': 'Zu viele Apps',
  'cause.too_many_apps': 'Eine Organisation hat höchstens 100 Apps.',
  'fix.too_many_apps': 'Löschen Sie eine, die niemand verwendet, und registrieren Sie dann die neue.',
  'title.too_many_secrets': 'Zu viele Client-Secrets',
  'cause.too_many_secrets': 'Eine App hat in jedem Modus höchstens zwei Secrets, damit eines das andere ablösen kann.',
  'fix.too_many_secrets': 'Löschen Sie das Secret, das nicht mehr verwendet wird, und erstellen Sie dann das neue.',
  'title.app_has_no_secrets': 'App ohne Secrets',
  'cause.app_has_no_secrets': 'Eine öffentliche App läuft dort, wo andere sie lesen können. Ein Secret wäre keines.',
  'fix.app_has_no_secrets':
    'Verwenden Sie PKCE ohne Secret, oder registrieren Sie eine vertrauliche App oder eine Maschinen-App.',
  'title.app_not_allowed': 'App nicht erlaubt',
  'cause.app_not_allowed':
    'Die App gehört einer anderen Organisation, oder ein Administrator Ihrer Organisation hat sie nicht erlaubt oder blockiert.',
  'fix.app_not_allowed':
    "Bitten Sie einen Administrator, sie zu erlauben: im Portal unter Apps oder mit PUT /v2/auth/clients/'{clientId}'/policy.",
  'title.authorization_request_over': 'Anfrage nicht mehr gültig',
  'cause.authorization_request_over':
    'Die Autorisierungsanfrage wurde beantwortet, ist nach 15 Minuten abgelaufen oder wurde in einem anderen Browser geöffnet.',
  'fix.authorization_request_over': 'Gehen Sie zur App zurück, und beginnen Sie von vorn.',
  'title.invalid_request': 'OAuth: Anfrage nicht verstanden',
  'cause.invalid_request':
    'Ein Parameter der Anfrage an /oauth fehlt, steht doppelt oder passt nicht zu den anderen. `error_description` nennt ihn.',
  'fix.invalid_request':
    'Korrigieren Sie den Parameter. PKCE mit code_challenge_method=S256 ist immer nötig, und der Client weist sich nur auf eine Art aus.',
  'title.invalid_client': 'OAuth: Client nicht authentifiziert',
  'cause.invalid_client':
    'Der Client existiert nicht, ist ausgesetzt, oder sein Secret ist falsch. Oder er weist sich anders aus, als es seine Art vorsieht.',
  'fix.invalid_client':
    'Prüfen Sie client_id und Secret, und dass beide zum selben Modus gehören. Ein öffentlicher Client sendet seine client_id und kein Secret.',
  'title.invalid_grant': 'OAuth: Code oder Token nicht mehr gültig',
  'cause.invalid_grant':
    'Der Code, das Refresh-Token oder der Gerätecode wurde schon verwendet, ist abgelaufen, wurde widerrufen oder gehört zu einem anderen Client oder einer anderen Redirect-Adresse.',
  'fix.invalid_grant':
    'Fragen Sie die Person noch einmal. Codes gelten 60 Sekunden und einmal. Speichern Sie jedes neue Refresh-Token. Die Seite der App im Portal zeigt, welcher Fall es war.',
  'title.unauthorized_client': 'OAuth: Client nicht berechtigt',
  'cause.unauthorized_client': 'Diese Art von App ist für diesen Grant oder Response-Typ nicht vorgesehen.',
  'fix.unauthorized_client':
    'Registrieren Sie eine App der passenden Art: Maschinen-Apps handeln im eigenen Namen, öffentliche und vertrauliche für Personen.',
  'title.unsupported_grant_type': 'OAuth: unbekannter Grant-Typ',
  'cause.unsupported_grant_type': 'Diesen grant_type gibt es auf diesem Server nicht.',
  'fix.unsupported_grant_type':
    'Verwenden Sie authorization_code, refresh_token, client_credentials oder urn:ietf:params:oauth:grant-type:device_code.',
  'title.unsupported_response_type': 'OAuth: unbekannter Response-Typ',
  'cause.unsupported_response_type': 'Der response_type ist nicht code.',
  'fix.unsupported_response_type': 'Senden Sie response_type=code.',
  'title.unsupported_token_type': 'OAuth: Token anderer Art',
  'cause.unsupported_token_type':
    'Das Token, das widerrufen oder abgefragt werden sollte, ist keines von diesem Server.',
  'fix.unsupported_token_type': 'Senden Sie ein Zugriffs- oder Refresh-Token dieses Servers.',
  'title.invalid_scope': 'OAuth: Scope nicht möglich',
  'cause.invalid_scope':
    'Ein Scope ist unbekannt, oder er geht über das hinaus, womit die App registriert ist oder was zuvor erlaubt wurde.',
  'fix.invalid_scope':
    'Senden Sie Berechtigungen dieser API, durch Leerzeichen getrennt, und nur solche, mit denen die App registriert ist. Ihre Einstellungen stehen unter Apps.',
  'title.invalid_target': 'OAuth: Ressource eines anderen Servers',
  'cause.invalid_target': 'Diese Ressource schützt dieser Server nicht (RFC 8707).',
  'fix.invalid_target': 'Lassen Sie `resource` weg, oder senden Sie die aus GET /.well-known/oauth-protected-resource.',
  'title.invalid_request_uri': 'OAuth: vorab gesendete Anfrage abgelaufen',
  'cause.invalid_request_uri':
    'Die request_uri ist nach 60 Sekunden abgelaufen, wurde schon verwendet oder gehört zu einem anderen Client.',
  'fix.invalid_request_uri': 'Senden Sie die Anfrage noch einmal vorab, und leiten Sie die Person dann sofort weiter.',
  'title.access_denied': 'OAuth: Person hat abgelehnt',
  'cause.access_denied':
    'Die Person oder einer ihrer Administratoren hat dem Client nicht erlaubt, für sie zu handeln.',
  'fix.access_denied': 'Bieten Sie die Verbindung noch einmal an, mit weniger Scopes.',
  'title.login_required': 'OAuth: Person muss gefragt werden',
  'cause.login_required': 'Die Anfrage enthält prompt=none, aber dieser Server fragt jedes Mal.',
  'fix.login_required': 'Leiten Sie die Person ohne prompt=none weiter.',
  'title.authorization_pending': 'OAuth: noch keine Antwort',
  'cause.authorization_pending': 'Die Person am Gerät hat noch nicht geantwortet.',
  'fix.authorization_pending': 'Fragen Sie nach `interval` Sekunden noch einmal.',
  'title.slow_down': 'OAuth: zu oft gefragt',
  'cause.slow_down': 'Das Gerät fragt häufiger als alle 5 Sekunden.',
  'fix.slow_down': 'Warten Sie ab jetzt zwischen zwei Abfragen 5 Sekunden länger (RFC 8628 §3.5).',
  'title.expired_token': 'OAuth: Gerätecode abgelaufen',
  'cause.expired_token': 'Innerhalb von 10 Minuten hat niemand geantwortet.',
  'fix.expired_token': 'Lassen Sie das Gerät einen neuen Code anzeigen.',
  'title.invalid_client_metadata': 'OAuth: Registrierung nicht möglich',
  'cause.invalid_client_metadata':
    'Ein Client, der sich selbst registriert oder ein Dokument veröffentlicht, macht eine Angabe über sich, die nicht möglich ist.',
  'fix.invalid_client_metadata':
    'Korrigieren Sie das Feld, das `error_description` nennt. Solche Clients sind öffentlich: authorization_code und refresh_token, kein Secret.',
  'title.invalid_redirect_uri': 'OAuth: Redirect-Adresse nicht möglich',
  'cause.invalid_redirect_uri':
    'Eine Adresse in redirect_uris ist weder https noch http auf einer Loopback-Adresse noch das Schema einer App.',
  'fix.invalid_redirect_uri': 'Registrieren Sie eine andere Adresse. Sie wird Zeichen für Zeichen verglichen.',
  'title.temporarily_unavailable': 'OAuth: gerade nicht möglich',
  'cause.temporarily_unavailable':
    'Es waren zu viele Anfragen (429; die Limits stehen in docs/oauth.md), oder dieser Server kennt seine eigene Adresse nicht (503).',
  'fix.temporarily_unavailable': 'Warten Sie so lange, wie Retry-After angibt. Bei 503 setzen Sie TANDEM_PUBLIC_URL.',
  'title.server_error': 'OAuth: Fehler des Servers',
  'cause.server_error': 'Auf dem Server ist unter /oauth ein Fehler aufgetreten.',
  'fix.server_error': 'Versuchen Sie es erneut. Bleibt der Fehler, melden Sie die X-Request-Id der Antwort.',
}
