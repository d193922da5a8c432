// Was Probleme des Servers bedeuten und was hilft, für Menschen. Wo das Portal eigene Sätze hat, stehen sie in ui/messages.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'said.malformed_json': 'Die Anfrage ist kein gültiges JSON.',
  'said.validation_failed': 'Einige Angaben fehlen oder stimmen nicht. Bitte prüfen Sie die Felder.',
  'said.invalid_cursor': 'Die Liste lässt sich von hier aus nicht fortsetzen. Beginnen Sie wieder am Anfang.',
  'said.invalid_idempotency_key': 'Der Idempotency-Key muss 1 bis 255 druckbare ASCII-Zeichen haben.',
  'said.invalid_if_match': 'Der If-Match-Header muss das ETag der letzten Antwort sein, unverändert.',
  'said.bad_request': 'Die Anfrage ist kein gültiges HTTP.',
  'said.request_timeout':
    'Die Anfrage kam nicht innerhalb von 10 Sekunden vollständig an. Versuchen Sie es noch einmal.',
  'said.headers_too_large': 'Die Header sind zu groß: höchstens 8 KiB und 64 Stück.',
  'said.uri_too_long': 'Ein Teil der Adresse ist zu lang.',
  'said.unsupported_media_type': 'Die Anfrage ist nicht als JSON gekennzeichnet (Content-Type: application/json).',
  'said.route_not_found': 'Unter dieser Adresse gibt es keinen Endpunkt.',
  'said.method_not_allowed': 'Diese Adresse gibt es, aber nicht mit dieser Methode.',
  'said.range_not_satisfiable': 'So weit reicht die Datei nicht. Fordern Sie einen Bereich innerhalb ihrer Länge an.',
  'said.missing_credentials': 'Die Anfrage enthält weder API-Schlüssel noch Zugriffstoken.',
  'said.invalid_api_key':
    'Diesen API-Schlüssel gibt es nicht. Kopieren Sie ihn noch einmal vollständig, oder erstellen Sie einen neuen.',
  'said.key_revoked': 'Dieser API-Schlüssel wurde widerrufen oder ersetzt. Nehmen Sie seinen Nachfolger.',
  'said.key_expired': 'Dieser API-Schlüssel ist abgelaufen. Erstellen Sie einen neuen.',
  'said.invalid_token': 'Das Zugriffstoken ist ungültig. Melden Sie sich noch einmal an.',
  'said.token_expired': 'Das Zugriffstoken ist abgelaufen. Melden Sie sich noch einmal an.',
  'said.token_revoked': 'Diese Sitzung wurde beendet. Melden Sie sich noch einmal an.',
  'said.person_required': 'Das darf nur eine angemeldete Person, kein API-Schlüssel.',
  'said.step_up_required': 'Dafür müssen Sie noch einmal zeigen, dass Sie es sind.',
  'said.operator_reads_only': 'Als Betreiber mit Leserechten können Sie Organisationen ansehen, aber nicht ändern.',
  'said.insufficient_scope': 'Ihre Rolle dürfte das, aber der Schlüssel oder das Token hat diesen Scope nicht.',
  'said.cross_site_request':
    'Diese Anfrage kam nicht von einer Seite des Portals. Öffnen Sie das Portal unter seiner eigenen Adresse.',
  'said.too_many_streams': 'Sie haben schon 20 Live-Verbindungen offen. Schließen Sie Tabs, die Sie nicht brauchen.',
  'said.idempotency_mismatch':
    'Dieser Idempotency-Key gehört zu einer anderen Anfrage. Nehmen Sie für jede Anfrage einen neuen.',
  'said.count_mismatch':
    'Der Filter trifft inzwischen eine andere Zahl von Datensätzen. Sehen Sie sich die Liste noch einmal an.',
  'said.live_mode_required': 'Das geht nur im Live-Modus. Wechseln Sie oben den Modus.',
  'said.scope_not_held':
    'Niemand kann mehr Rechte vergeben, als er selbst hat. Lassen Sie die genannten weg, oder bitten Sie einen Admin.',
  'said.invalid_transition': 'Dieser Schritt ist vom jetzigen Stand aus nicht möglich.',
  'said.record_not_found': 'Diesen Datensatz gibt es nicht, er liegt im Papierkorb, oder Sie sehen ihn nicht.',
  'said.duplicate_record': 'Diesen Datensatz gibt es schon, und Dubletten sind gesperrt.',
  'said.invalid_callback_url':
    'An diese Adresse darf nichts gesendet werden. Nehmen Sie eine öffentliche https-Adresse.',
  'said.invalid_refresh_token': 'Ihre Sitzung ist abgelaufen. Melden Sie sich noch einmal an.',
  'said.membership_required':
    'Sie sind kein Mitglied dieser Organisation. Bitten Sie einen ihrer Admins um eine Einladung.',
  'said.login_by_mail_required':
    'Für dieses Konto gab es zu viele falsche Passwörter. Melden Sie sich per Passkey oder E-Mail-Link an.',
  'said.second_factor_required': 'Das Passwort stimmt. Es fehlt noch der zweite Faktor.',
  'said.second_factor_setup_required': 'Ihre Organisation verlangt einen zweiten Faktor. Richten Sie jetzt einen ein.',
  'said.password_change_required': 'Dieses Passwort gilt für eine Anmeldung. Wählen Sie jetzt ein eigenes.',
  'said.passkeys_unavailable': 'Passkeys brauchen https und einen Hostnamen, und dieser Server kennt keinen eigenen.',
  'said.factor_limit_reached':
    'Ein Konto hat höchstens zehn zweite Faktoren. Entfernen Sie einen, den Sie nicht mehr brauchen.',
  'said.factor_required': 'Fügen Sie zuerst einen zweiten Faktor hinzu.',
  'said.account_shared':
    'Die Person gehört auch zu anderen Organisationen. Nur sie selbst kann ändern, wie sie sich anmeldet.',
  'said.weak_password': 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes mit mindestens 10 Zeichen.',
  'said.invitation_for_other_address':
    'Die Einladung gilt für eine andere E-Mail-Adresse als die, mit der Sie angemeldet sind.',
  'said.invitation_needs_login':
    'Zu dieser Adresse gibt es ein Konto. Melden Sie sich damit an, und nehmen Sie die Einladung dann an.',
  'said.invitation_decided': 'Diese Einladung wurde schon beantwortet oder zurückgezogen.',
  'said.already_invited':
    'Diese Adresse ist schon eingeladen. Senden Sie die Einladung noch einmal, oder ziehen Sie sie zurück.',
  'said.resend_limit_reached': 'Die Einladung wurde schon fünfmal gesendet. Geben Sie den Link auf anderem Weg weiter.',
  'said.already_member': 'Die Person ist schon Mitglied.',
  'said.role_in_use': 'Mitglieder oder offene Einladungen haben diese Rolle. Geben Sie ihnen zuerst eine andere.',
  'said.role_limit_reached': 'Mehr als 50 eigene Rollen sind nicht möglich. Löschen Sie eine, die niemand hat.',
  'said.role_name_taken': 'Eine andere Rolle heißt schon so. Wählen Sie einen anderen Namen.',
  'said.team_in_use': 'Das Team hat noch Mitglieder. Nehmen Sie sie zuerst heraus.',
  'said.team_limit_reached': 'Die Höchstzahl ist erreicht: 200 Teams, 200 Mitglieder je Team, 20 Teams je Person.',
  'said.team_name_taken': 'Ein anderes Team heißt schon so. Wählen Sie einen anderen Namen.',
  'said.last_owner': 'Der Person gehört die Organisation. Übergeben Sie sie zuerst an einen anderen Admin.',
  'said.not_owner': 'Das darf nur, wem die Organisation gehört.',
  'said.transfer_open':
    'Eine Übergabe läuft schon oder ist noch keine 72 Stunden her. Brechen Sie sie ab, oder warten Sie.',
  'said.transfer_not_open': 'Diese Übergabe wurde schon beantwortet, ist zu alt oder gilt jemand anderem.',
  'said.hand_over_running':
    'Was der Person gehörte, wird noch übergeben. Versuchen Sie es in einer Minute noch einmal.',
  'said.no_second_factor': 'Die Person hat keinen zweiten Faktor. Es gibt nichts zurückzusetzen.',
  'said.owner_required': 'Das darf nur, wem die Organisation gehört.',
  'said.organization_state_conflict': 'Das geht im jetzigen Zustand der Organisation nicht.',
  'said.closed_by_operator': 'Der Betreiber dieses Servers schließt die Organisation. Wenden Sie sich an ihn.',
  'said.export_under_way': 'Ein Archiv wird schon erstellt. Warten Sie, bis es fertig ist.',
  'said.export_not_ready': 'Das Archiv ist noch nicht fertig, misslungen oder nicht mehr da. Fordern Sie ein neues an.',
  'said.not_operator': 'Dieses Konto betreibt diesen Server nicht, oder es fehlt ihm ein zweiter Faktor.',
  'said.last_operator':
    'Es muss mindestens ein Betreiber mit vollen Rechten bleiben. Bestimmen Sie zuerst einen anderen.',
  'said.no_such_account': 'Zu dieser E-Mail-Adresse gibt es kein Konto. Laden Sie die Person zuerst ein.',
  'said.sign_up_closed':
    'Auf diesem Server legen nur Betreiber Organisationen an. Wenden Sie sich an sie, oder lassen Sie sich einladen.',
  'said.organization_code_refused':
    'Der Code fehlt, ist falsch, verbraucht oder zu alt. Prüfen Sie ihn, oder bitten Sie um einen neuen.',
  'said.sign_up_throttled':
    'Aus diesem Netz gab es schon fünf Registrierungen in einer Stunde. Versuchen Sie es später noch einmal.',
  'said.too_many_organizations': 'Ihnen gehören schon drei Organisationen. Mehr können Sie nicht selbst anlegen.',
  'said.email_not_verified':
    'Ihre E-Mail-Adresse ist noch nicht bestätigt. Setzen Sie das Passwort per E-Mail zurück, das bestätigt sie.',
  'said.address_not_allowed':
    'Ihre Organisation erlaubt die Anmeldung nur aus bestimmten Netzen, und dieses gehört nicht dazu.',
  'said.would_lock_out':
    'Damit würden Sie sich selbst aussperren. Nehmen Sie zuerst Ihre eigene Adresse auf, oder fügen Sie einen zweiten Faktor hinzu.',
  'said.domain_exists': 'Diese Domain gibt es in Ihrer Organisation schon.',
  'said.domain_taken': 'Eine andere Organisation auf diesem Server hat diese Domain bestätigt.',
  'said.domain_not_verified':
    'Noch keine Domain Ihrer Organisation ist bestätigt. Fügen Sie eine hinzu, und bestätigen Sie sie im DNS.',
  'said.too_many_domains': 'Mehr als 50 Domains sind nicht möglich. Entfernen Sie eine, die niemand braucht.',
  'said.sso_required': 'Ihre Organisation lässt nur die Anmeldung über ihren Identitätsanbieter zu.',
  'said.sso_misconfigured':
    'Der Identitätsanbieter antwortet anders als eingetragen oder gar nicht. Führen Sie den Test aus: Er zeigt, was falsch ist.',
  'said.sso_state_not_allowed': 'Eine Verbindung wird erst getestet, dann eingeschaltet und dann erzwungen.',
  'said.sso_connection_active': 'Eine andere Verbindung ist aktiv. Schalten Sie sie zuerst aus.',
  'said.too_many_connections':
    'Mehr als 10 Identitätsanbieter sind nicht möglich. Löschen Sie einen, den niemand braucht.',
  'said.sso_session': 'Diese Anmeldung gilt nur für die Organisation, deren Identitätsanbieter sie vorgenommen hat.',
  'said.too_many_audit_streams':
    'Mehr als 5 Weiterleitungen sind nicht möglich. Löschen Sie eine, die niemand braucht.',
  'said.too_many_keys':
    'Mehr als 50 gültige API-Schlüssel je Modus sind nicht möglich. Widerrufen Sie einen, den nichts mehr verwendet.',
  'said.key_not_active': 'Dieser API-Schlüssel ist widerrufen oder abgelaufen. Erstellen Sie einen neuen.',
  'said.redirect_uri_not_allowed':
    'Weiterleitungsadressen brauchen https, http auf dem eigenen Rechner oder das Schema einer App.',
  'said.too_many_apps': 'Mehr als 100 Apps sind nicht möglich. Löschen Sie eine, die niemand braucht.',
  'said.too_many_secrets': 'Eine App hat höchstens zwei Secrets je Modus. Löschen Sie zuerst das alte.',
  'said.app_has_no_secrets': 'Eine öffentliche App kann kein Secret geheim halten. Sie verwendet PKCE.',
  'said.app_not_allowed': 'Diese App gehört einer anderen Organisation, und Ihr Admin hat sie nicht freigegeben.',
  'said.authorization_request_over':
    'Diese Anfrage ist beantwortet, abgelaufen oder in einem anderen Browser offen. Beginnen Sie in der App von vorn.',
  'said.invalid_request': 'Ein Parameter der OAuth-Anfrage fehlt, steht doppelt oder passt nicht zu den anderen.',
  'said.invalid_client': 'Den Client gibt es nicht, er ist gesperrt, oder er weist sich falsch aus.',
  'said.invalid_grant':
    'Der Code oder das Token ist verbraucht, abgelaufen, widerrufen oder gehört einem anderen Client.',
  'said.unauthorized_client': 'Diese Art von App darf diesen Weg nicht gehen. Registrieren Sie eine passende.',
  'said.unsupported_grant_type': 'Diesen grant_type hat der Server nicht.',
  'said.unsupported_response_type': 'Der response_type muss code sein.',
  'said.unsupported_token_type': 'Das ist kein Token dieses Servers.',
  'said.invalid_scope': 'Ein Scope ist unbekannt oder mehr, als die App haben darf.',
  'said.invalid_target': 'Die angegebene resource schützt dieser Server nicht.',
  'said.invalid_request_uri': 'Die request_uri ist abgelaufen, verbraucht oder von einem anderen Client.',
  'said.access_denied': 'Die Person oder ihr Admin hat das nicht erlaubt.',
  'said.login_required': 'Dieser Server fragt jedes Mal. Senden Sie die Person ohne prompt=none.',
  'said.authorization_pending': 'Die Person am Gerät hat noch nicht geantwortet.',
  'said.slow_down': 'Das Gerät fragt zu oft. Warten Sie zwischen zwei Fragen fünf Sekunden länger.',
  'said.expired_token':
    'Innerhalb von 10 Minuten hat niemand geantwortet. Lassen Sie das Gerät einen neuen Code zeigen.',
  'said.invalid_client_metadata': 'Der Client sagt etwas von sich, was nicht sein kann.',
  'said.invalid_redirect_uri': 'Eine der Weiterleitungsadressen ist nicht erlaubt.',
  'said.temporarily_unavailable':
    'Zu viele Anfragen, oder der Server kennt seine eigene Adresse nicht. Versuchen Sie es später noch einmal.',
  'said.server_error': 'Der Server hat einen Fehler gemacht. Versuchen Sie es noch einmal.',
  'said.file_unreachable':
    'Der Speicher der Datei antwortet nicht, oder die Datei ist nicht mehr da. Versuchen Sie es später noch einmal.',
  'said.tag_not_found': 'Diesen Tag gibt es nicht mehr. Legen Sie ihn zuerst an.',
  'said.csv_unreadable':
    'In der Datei sind keine Spalten zu erkennen. Speichern Sie die Tabelle als CSV, mit Überschriften in der ersten Zeile.',
  'said.import_state': 'Der Import läuft oder ist vorbei und nimmt das nicht mehr an.',
  'said.import_unmapped': 'Einem Pflichtfeld ist noch keine Spalte zugeordnet.',
  'said.import_file_gone': 'Die Datei ist nicht mehr da: Sie wird 30 Tage aufbewahrt. Laden Sie sie noch einmal hoch.',
  'said.batch_not_revertible':
    'Zusammenführungen lassen sich nicht auf einmal zurücknehmen, und was noch läuft, auch nicht.',
  'said.batch_over': 'Diese Änderung ist schon fertig. Nehmen Sie sie stattdessen zurück.',
  'said.lead_not_found': 'Den Lead, aus dem die Rechnung entstehen soll, gibt es nicht.',
  'said.invoice_locked':
    'Eine ausgestellte Rechnung behält Positionen, Beträge und Kunden. Stornieren Sie sie, und schreiben Sie eine neue.',
  'said.empty_invoice': 'Eine Rechnung ohne Positionen und Betrag lässt sich nicht ausstellen.',
  'said.invoice_has_payments':
    'Eine Rechnung mit Zahlungen lässt sich nicht stornieren. Erstatten Sie zuerst die Zahlungen.',
  'said.overpayment': 'Die Zahlung ist höher als der offene Betrag.',
  'said.currency_mismatch': 'Die Zahlung hat eine andere Währung als die Rechnung.',
  'said.sender_not_owned': 'Dieser Absender gehört nicht Ihrer Organisation. Nehmen Sie eine Ihrer Nummern.',
  'said.sender_not_capable': 'Diese Nummer kann das nicht. Nehmen Sie eine, die es kann.',
  'said.body_too_long': 'Der Text braucht mehr als 10 Segmente. Kürzen Sie ihn, oder senden Sie ihn in Teilen.',
  'said.no_route':
    'Kein Carrier und kein Trunk führt zu diesem Ziel. Fügen Sie einen hinzu, oder ergänzen Sie eine Route.',
  'said.sender_queue_full':
    'Bei diesem Absender wartet mehr, als er in zehn Stunden senden kann. Warten Sie, oder nehmen Sie weitere Absender.',
  'said.recipient_opted_out':
    'Die Person hat sich von diesem Absender abgemeldet. Sie bekommt erst wieder SMS, wenn sie sich anmeldet.',
  'said.invalid_schedule': 'Die Sendezeit muss zwischen 5 Minuten und 35 Tagen in der Zukunft liegen.',
  'said.not_cancelable': 'Diese Nachricht ist schon beim Carrier oder am Ziel. Nur wartende lassen sich stoppen.',
  'said.duplicate_suppressed': 'Derselbe Text ging gerade erst an diese Person. Ändern Sie ihn, oder warten Sie.',
  'said.carrier_queue_overflow':
    'Der Carrier hat gedrosselt, bis die Gültigkeit ablief. Senden Sie später noch einmal.',
  'said.validity_expired': 'Die Nachricht kam nicht innerhalb ihrer Gültigkeit an.',
  'said.submit_unconfirmed': 'Die Verbindung brach vor der Antwort ab. Fragen Sie nach, bevor Sie noch einmal senden.',
  'said.service_not_found': 'Diesen Nachrichtendienst gibt es nicht.',
  'said.service_without_senders': 'Keine Nummer dieses Nachrichtendienstes erreicht die Person. Fügen Sie eine hinzu.',
  'said.sender_in_service':
    'Diese Nummer gehört schon zu einem anderen Nachrichtendienst. Nehmen Sie sie dort zuerst heraus.',
  'said.invalid_from_number':
    'Von diesem Absender kann nichts gesendet werden. Nehmen Sie eine Nummer mit + und Landesvorwahl.',
  'said.number_taken': 'Diese Nummer oder Absenderkennung haben Sie schon.',
  'said.number_held': 'Eine andere Organisation auf diesem Server hat diese Nummer bestätigt.',
  'said.number_verification_unneeded': 'Diese Nummer ist bestätigt oder braucht keine Bestätigung.',
  'said.number_verification_limited':
    'Für diese Nummer wurden zu viele Codes angefordert. Geben Sie den letzten ein, oder warten Sie.',
  'said.number_verification_unavailable':
    'Dieser Server erreicht die Nummer nicht. Versuchen Sie den anderen Weg, oder fragen Sie den Betreiber.',
  'said.number_verification_expired':
    'Der Code ist abgelaufen oder wurde zu oft falsch eingegeben. Fordern Sie einen neuen an.',
  'said.number_verification_wrong_code': 'Das ist nicht der zuletzt gesendete Code.',
  'said.handset_not_in_use':
    'Im Live-Modus hat Ihre Organisation einen eigenen Carrier oder Trunk. Nehmen Sie ein echtes Telefon oder den Testmodus.',
  'said.mail_not_waiting': 'Diese E-Mail ist schon unterwegs und lässt sich nicht mehr zurückholen.',
  'said.mail_not_repeatable': 'Diese E-Mail lässt sich nicht noch einmal senden. Schreiben Sie eine neue.',
  'said.mail_too_large': 'Mit Anhängen ist die E-Mail größer als 10 MB. Senden Sie weniger oder einen Link.',
  'said.mail_suppressed':
    'Alle Empfänger stehen auf der Sperrliste. Nehmen Sie eine Adresse nur heraus, wenn die Person darum bittet.',
  'said.mail_rate_reached':
    'Heute sind keine weiteren E-Mails möglich. Warten Sie bis Mitternacht (UTC), oder fragen Sie den Betreiber.',
  'said.mail_expired':
    'Die E-Mail konnte nicht rechtzeitig gesendet werden. Prüfen Sie den Mailserver, und senden Sie sie noch einmal.',
  'said.mail_no_unsubscribe':
    'Werbemails brauchen einen Abmeldelink, und dieser Server kennt seine eigene Adresse nicht.',
  'said.mail_deferred': 'Der nächste Mailserver nimmt gerade nichts an. Es wird von selbst wieder versucht.',
  'said.mail_refused':
    'Der nächste Mailserver hat die E-Mail endgültig abgelehnt. Prüfen Sie Adresse, Absender und Domain.',
  'said.mail_bounced': 'Diese Adresse nimmt keine E-Mails an und steht jetzt auf der Sperrliste.',
  'said.mail_bounced_for_now': 'Die E-Mail kam diesmal nicht an. Senden Sie sie später noch einmal.',
  'said.mail_complained': 'Die Person hat die E-Mail als unerwünscht gemeldet. Senden Sie ihr nichts mehr.',
  'said.mail_unconfirmed': 'Die Verbindung brach vor der Antwort ab. Fragen Sie nach, bevor Sie noch einmal senden.',
  'said.mail_unreadable': 'Das ist keine vollständige E-Mail.',
  'said.mail_already_ignored': 'Diese E-Mail wurde schon beiseitegelegt.',
  'said.mail_template_not_found': 'Diese E-Mail-Vorlage gibt es nicht.',
  'said.mail_template_exists': 'Für diese Vorlage und Sprache haben Sie schon eigene Texte.',
  'said.template_invalid': 'Die Vorlage enthält einen Fehler. Die genannte Zeile zeigt, wo.',
  'said.mail_suppression_exists': 'Diese Adresse steht schon auf der Sperrliste.',
  'said.mail_sender_exists': 'Von dieser Adresse senden Sie schon.',
  'said.mail_domain_exists': 'Diese Domain gibt es in Ihrer Organisation schon.',
  'said.mail_domain_not_verified':
    'Der DKIM-Eintrag dieser Domain steht noch nicht im DNS. Tragen Sie ihn ein, und prüfen Sie dann noch einmal.',
  'said.mail_unsigned': 'Die E-Mail konnte nicht signiert werden. Löschen Sie die Domain, und fügen Sie sie neu hinzu.',
  'said.mail_live_only': 'Im Testmodus bleiben alle E-Mails im Postausgang. Wechseln Sie in den Live-Modus.',
  'said.mail_transport_unusable': 'Die Zugangsdaten des Mailservers sind nicht lesbar. Geben Sie sie noch einmal ein.',
  'said.conversation_answered': 'Inzwischen hat jemand geantwortet. Es wurde nichts gesendet: Lesen Sie erst das Neue.',
  'said.conversation_not_reachable': 'Von dieser Person ist keine passende Nummer oder Adresse bekannt.',
  'said.conversation_has_record': 'Diese Unterhaltung gehört schon zu einem Lead oder Kontakt.',
  'said.carriers_live_only': 'Im Testmodus gehen alle SMS an den Simulator. Fügen Sie den Carrier im Live-Modus hinzu.',
  'said.too_many_carriers': 'Mehr als 50 Carrier sind nicht möglich. Löschen Sie einen, den niemand braucht.',
  'said.carrier_queue_full':
    'Die Warteschlange des Carriers war gerade voll. Die Nachricht wird von selbst wieder übergeben.',
  'said.carrier_rejected_sender':
    'Der Carrier akzeptiert diesen Absender nicht. Registrieren Sie ihn dort, oder nehmen Sie einen anderen.',
  'said.message_rejected': 'Der Carrier hat die Nachricht endgültig abgelehnt.',
  'said.carrier_throttled': 'Der Carrier nahm gerade nichts mehr an. Die Nachricht wird von selbst wieder übergeben.',
  'said.handset_unreachable': 'Das Telefon ist aus oder ohne Empfang. Senden Sie später noch einmal.',
  'said.blocked_by_carrier': 'Die Person oder der Carrier sperrt diesen Absender.',
  'said.unknown_subscriber': 'Diese Nummer ist nicht vergeben.',
  'said.landline_or_unsupported': 'Diese Nummer kann keine SMS empfangen. Rufen Sie an.',
  'said.filtered_as_spam':
    'Ein Filter des Carriers hat Inhalt oder Menge abgelehnt. Ändern Sie den Text, oder registrieren Sie den Absender.',
  'said.carrier_unknown_error': 'Der Carrier nannte einen unbekannten Code.',
  'said.carrier_link_down': 'Es gab keine Verbindung zum Carrier, bis die Gültigkeit ablief.',
  'said.trunks_live_only': 'Im Testmodus gehen alle Anrufe an den Simulator. Fügen Sie den Trunk im Live-Modus hinzu.',
  'said.too_many_trunks': 'Mehr als 50 Trunks sind nicht möglich. Löschen Sie einen, den niemand braucht.',
  'said.invalid_to_number': 'Diese Nummer ist nicht erreichbar. Schreiben Sie sie mit + und Landesvorwahl.',
  'said.destination_not_allowed': 'Die Zielregeln erlauben dieses Land oder diese Vorwahl nicht.',
  'said.destination_premium':
    'Das ist eine Sondernummer (etwa Premium oder Satellit), und die Zielregeln sperren solche.',
  'said.daily_spend_exceeded': 'Das würde mehr kosten, als die Zielregeln für heute erlauben.',
  'said.concurrent_calls_exceeded': 'Mehr Anrufe zugleich erlauben die Zielregeln nicht. Warten Sie, bis einer endet.',
  'said.daily_calls_exceeded': 'Mehr Anrufe am Tag erlauben die Zielregeln nicht.',
  'said.too_many_sip_credentials':
    'Mehr als 1.000 SIP-Zugänge sind nicht möglich. Entfernen Sie einen, den niemand braucht.',
  'said.sip_username_taken': 'Diesen Benutzernamen hat schon ein anderer SIP-Zugang.',
  'said.call_not_active': 'Dieser Anruf ist beendet.',
  'said.command_not_allowed': 'Das geht in diesem Stand des Anrufs nicht.',
  'said.cps_queue_full':
    'Es warten mehr Anrufe, als die Trunks in fünf Minuten wählen können. Versuchen Sie es später noch einmal.',
  'said.callee_busy': 'Es ist besetzt. Rufen Sie später noch einmal an.',
  'said.callee_no_answer': 'Niemand hat abgenommen. Rufen Sie später noch einmal an.',
  'said.callee_not_registered': 'Dieses Telefon ist in keinem Browser eingeschaltet.',
  'said.callee_declined': 'Der Anruf wurde abgelehnt.',
  'said.number_unallocated': 'Diese Nummer gibt es nicht.',
  'said.no_circuit': 'Der Carrier hatte keine freie Leitung. Rufen Sie später noch einmal an.',
  'said.trunk_rejected': 'Der Carrier lehnt den Anruf ab. Prüfen Sie Konto und Zugangsdaten des Trunks.',
  'said.address_of_trunk':
    'Diese SIP-Adresse führt zu einem Trunk dieses Servers. Wählen Sie stattdessen die Telefonnummer.',
  'said.codec_mismatch': 'Die Gegenseite kann keinen der angebotenen Codecs. Erlauben Sie am Trunk einen weiteren.',
  'said.network_failure':
    'Der Carrier war nicht erreichbar oder hat den Anruf verloren. Rufen Sie später noch einmal an.',
  'said.dial_expired': 'Der Anruf wartete länger als 5 Minuten. Rufen Sie noch einmal an.',
  'said.media_timeout': '30 Sekunden lang kam kein Ton an.',
  'said.node_lost': 'Der Prozess, der den Anruf führte, ist beendet. Rufen Sie noch einmal an.',
  'said.caller_id_not_allowed': 'Mit dieser Nummer dürfen Sie nicht anrufen. Nehmen Sie eine Ihrer Nummern.',
  'said.invalid_instructions': 'Die Anweisungen für den Anruf enthalten Fehler.',
  'said.instructions_failed':
    'Die Anweisungen des Anrufs scheiterten an einem Fehler des Servers. Rufen Sie noch einmal an.',
  'said.instruction_fetch_failed':
    'Die Adresse mit den Anweisungen antwortete nicht rechtzeitig oder ohne Anweisungen.',
  'said.invalid_offer': 'Die Verbindungsdaten des Browsers sind nicht brauchbar.',
  'said.call_taken': 'Ein anderer Browser hat den Anruf angenommen.',
  'said.participant_left': 'Dieser Anruf ist nicht mehr in der Konferenz.',
  'said.recording_not_ready': 'Die Aufnahme wird noch gemacht oder gespeichert.',
  'said.recording_has_no_media': 'Von dieser Aufnahme gibt es keine Datei.',
  'said.recording_unreachable': 'Der Speicher der Aufnahme antwortet nicht. Versuchen Sie es später noch einmal.',
  'said.recording_write_failed': 'Die Aufnahme konnte nicht gespeichert werden. Wenden Sie sich an den Betreiber.',
  'said.recording_lost': 'Die Datei der Aufnahme ging verloren und lässt sich nicht wiederherstellen.',
  'said.invalid_webhook_url':
    'An diese Adresse darf nichts gesendet werden. Nehmen Sie eine öffentliche https-Adresse.',
  'said.webhook_limit_reached':
    'Mehr als 100 Webhooks je Modus sind nicht möglich. Löschen Sie einen, den niemand braucht.',
  'said.webhook_listener_limit_reached':
    'Mehr als 20 Listener je Modus sind nicht möglich. Beenden Sie einen, den niemand braucht.',
  'said.webhook_event_not_forwarded': 'Dieses Ereignis ging noch nicht an diesen Listener.',
  'said.webhook_listener_ended': 'Dieser Listener ist beendet. Starten Sie ihn neu.',
  'said.webhook_disabled': 'Dieser Webhook ist ausgeschaltet. Schalten Sie ihn zuerst ein.',
  'said.environment_limit_reached':
    'Mehr als 200 Umgebungen sind nicht möglich. Löschen Sie eine, die niemand braucht.',
  'said.collection_limit_reached': 'Mehr als 300 Sammlungen sind nicht möglich. Löschen Sie eine, die niemand braucht.',
  'said.collection_full':
    'Eine Sammlung fasst 300 Anfragen, 50 Ordner und 2 Millionen Zeichen. Nehmen Sie eine weitere.',
}
