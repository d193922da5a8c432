// The German texts of problems with mails and conversations.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.mail_not_waiting': 'E-Mail wartet nicht',
  'cause.mail_not_waiting':
    'Nur eine wartende E-Mail lässt sich zurücknehmen. Diese ist unterwegs oder schon abgeschlossen.',
  'fix.mail_not_waiting': "Sehen Sie mit GET /v2/mails/'{mailId}' nach ihrem Status.",
  'title.mail_not_repeatable': 'E-Mail lässt sich nicht wiederholen',
  'cause.mail_not_repeatable':
    'Eine E-Mail, die wartet, unterwegs ist oder gesendet wurde, wird nicht noch einmal gesendet. Ebenso eine, deren Text nicht aufbewahrt wird.',
  'fix.mail_not_repeatable':
    'Senden Sie eine neue E-Mail, oder fordern Sie einen neuen Link an, wenn sie einen enthielt.',
  'title.mail_too_large': 'E-Mail zu groß',
  'cause.mail_too_large':
    'Mit ihren Anhängen ist die E-Mail größer als 10 MB, oder größer, als der Mailserver annimmt.',
  'fix.mail_too_large': 'Senden Sie weniger in einer E-Mail, oder einen Link zur Datei.',
  'title.mail_suppressed': 'Empfänger gesperrt',
  'cause.mail_suppressed': 'Alle Empfänger der E-Mail stehen auf der Sperrliste.',
  'fix.mail_suppressed':
    'GET /v2/mail/suppressions?address=… zeigt den Grund. Entfernen Sie die Sperre nur, wenn der Empfänger darum gebeten hat.',
  'title.mail_rate_reached': 'Zu viele E-Mails heute',
  'cause.mail_rate_reached': 'Die Organisation hat so viele E-Mails gesendet, wie sie an einem Tag darf.',
  'fix.mail_rate_reached':
    'Warten Sie bis Mitternacht UTC, oder bitten Sie den Betreiber, TANDEM_MAIL_PER_DAY zu erhöhen.',
  'title.mail_expired': 'E-Mail verfallen',
  'cause.mail_expired':
    'Die E-Mail konnte nicht gesendet werden, solange sie von Nutzen war: 30 Minuten bei Sicherheitsmails, sonst 48 Stunden.',
  'fix.mail_expired':
    'Sehen Sie nach, was ihre Versuche ergaben, korrigieren Sie den Mailserver, und senden Sie sie noch einmal.',
  'title.mail_no_unsubscribe': 'Kein Abmeldelink möglich',
  'cause.mail_no_unsubscribe':
    'Eine Marketing-E-Mail enthält einen Abmeldelink, aber es ist nicht festgelegt, unter welcher Adresse dieser Server erreichbar ist.',
  'fix.mail_no_unsubscribe':
    'Lassen Sie den Betreiber TANDEM_PUBLIC_URL setzen, und senden Sie die E-Mail dann noch einmal.',
  'title.mail_deferred': 'E-Mail verzögert',
  'cause.mail_deferred':
    'Der nächste Server kann die E-Mail gerade nicht annehmen (Antwort 4yz oder keine Verbindung).',
  'fix.mail_deferred':
    'Sie müssen nichts tun: Nach 1, 5 und 15 Minuten und nach 1, 2, 4, 8 und 12 Stunden folgt ein neuer Versuch.',
  'title.mail_refused': 'E-Mail abgewiesen',
  'cause.mail_refused': 'Der nächste Server hat die E-Mail endgültig abgewiesen (Antwort 5yz).',
  'fix.mail_refused': 'Seine Antwort steht beim Versuch: Korrigieren Sie die Adresse, den Absender oder die Domain.',
  'title.mail_bounced': 'E-Mail zurückgekommen',
  'cause.mail_bounced':
    'Ein Bericht meldet, dass die Adresse keine E-Mails annimmt (5.x.x). Sie steht jetzt auf der Sperrliste.',
  'fix.mail_bounced':
    "Korrigieren Sie die Adresse. Funktioniert sie wieder, entfernen Sie die Sperre mit DELETE /v2/mail/suppressions/'{suppressionId}'.",
  'title.mail_bounced_for_now': 'E-Mail vorerst zurückgekommen',
  'cause.mail_bounced_for_now':
    'Ein Bericht meldet, dass die E-Mail aus einem vielleicht vorübergehenden Grund aufgegeben wurde (4.x.x).',
  'fix.mail_bounced_for_now':
    "Senden Sie sie später mit POST /v2/mails/'{mailId}'/retry noch einmal. Nach fünf innerhalb von 7 Tagen kommt die Adresse auf die Sperrliste.",
  'title.mail_complained': 'Empfänger hat sich beschwert',
  'cause.mail_complained':
    'Der Empfänger hat die E-Mail als unerwünscht gemeldet. Die Adresse steht jetzt auf der Sperrliste.',
  'fix.mail_complained': 'Senden Sie dorthin nichts mehr, außer ihr Inhaber bittet darum.',
  'title.mail_unconfirmed': 'E-Mail unbestätigt',
  'cause.mail_unconfirmed': 'Die E-Mail wurde übergeben, und die Verbindung endete vor der Antwort.',
  'fix.mail_unconfirmed':
    "Fragen Sie den Empfänger, ob sie ankam. POST /v2/mails/'{mailId}'/retry sendet sie mit derselben Message-ID noch einmal.",
  'title.mail_unreadable': 'Keine E-Mail',
  'cause.mail_unreadable': 'Die Bytes enthalten keines der Felder, mit denen eine E-Mail beginnt, etwa From oder Date.',
  'fix.mail_unreadable': 'Übergeben Sie eine E-Mail so, wie sie ankam, mit ihrem Kopf nach RFC 5322.',
  'title.mail_already_ignored': 'E-Mail wird schon ignoriert',
  'cause.mail_already_ignored': 'Die E-Mail wurde schon beiseitegelegt.',
  'fix.mail_already_ignored': 'Ordnen Sie sie einem Lead oder Kontakt zu, um sie zurückzuholen.',
  'title.mail_template_not_found': 'Keine solche Vorlage',
  'cause.mail_template_not_found':
    'Weder der Server noch die Organisation hat eine E-Mail-Vorlage mit diesem Schlüssel.',
  'fix.mail_template_not_found':
    'GET /v2/mail/templates und GET /v2/mail/templates/built-in listen sie auf. Oder senden Sie stattdessen Betreff und Text.',
  'title.mail_template_exists': 'Vorlage schon vorhanden',
  'cause.mail_template_exists':
    'Die Organisation hat zu diesem Schlüssel und dieser Sprache schon eine eigene Vorlage.',
  'fix.mail_template_exists': "Ändern Sie diese mit PATCH /v2/mail/templates/'{templateId}'.",
  'title.template_invalid': 'Vorlage funktioniert nicht',
  'cause.template_invalid':
    'Das Liquid einer E-Mail-Vorlage lässt sich nicht ausfüllen. Die Details nennen Teil, Zeile und Abhilfe.',
  'fix.template_invalid':
    'Korrigieren Sie die genannte Zeile. POST /v2/mail/templates/preview probiert sie aus, ohne zu senden.',
  'title.mail_suppression_exists': 'Adresse schon gesperrt',
  'cause.mail_suppression_exists': 'Die Adresse steht schon auf der Sperrliste.',
  'fix.mail_suppression_exists':
    'Sie müssen nichts tun. GET /v2/mail/suppressions?address=… zeigt, warum und seit wann.',
  'title.mail_sender_exists': 'Absender schon vorhanden',
  'cause.mail_sender_exists': 'Die Organisation sendet schon von dieser Adresse.',
  'fix.mail_sender_exists': "Ändern Sie den vorhandenen Absender mit PATCH /v2/mail/senders/'{senderId}'.",
  'title.mail_domain_exists': 'E-Mail-Domain schon vorhanden',
  'cause.mail_domain_exists': 'Die Organisation hat diese Domain schon.',
  'fix.mail_domain_exists': 'Verwenden Sie ihre Einträge: GET /v2/mail/domains zeigt sie.',
  'title.mail_domain_not_verified': 'Domain nicht bestätigt',
  'cause.mail_domain_not_verified':
    'Im DNS fehlt der DKIM-Schlüssel der Domain. Niemand könnte prüfen, was damit signiert ist.',
  'fix.mail_domain_not_verified':
    "Kopieren Sie die Einträge aus GET /v2/mail/domains/'{domainId}' ins DNS, und rufen Sie dann POST /v2/mail/domains/'{domainId}'/verify auf.",
  'title.mail_unsigned': 'E-Mail nicht signiert',
  'cause.mail_unsigned':
    'Die E-Mail ließ sich nicht mit dem Schlüssel ihrer Domain signieren und wird ohne Signatur nicht gesendet.',
  'fix.mail_unsigned':
    'Löschen Sie die Domain, und fügen Sie sie neu hinzu: Dieser Server kann ihren Schlüssel nicht lesen.',
  'title.mail_live_only': 'E-Mails des Testmodus bleiben hier',
  'cause.mail_live_only': 'Im Testmodus bleibt jede E-Mail im Postausgang, und kein Mailserver wird angesprochen.',
  'fix.mail_live_only': 'Tun Sie es im Live-Modus.',
  'title.mail_transport_unusable': 'Mailserver nicht verwendbar',
  'cause.mail_transport_unusable': 'Dieser Server kann die Einstellungen des Mailservers nicht lesen.',
  'fix.mail_transport_unusable':
    "Geben Sie sein Passwort oder Secret mit PATCH /v2/mail/transports/'{transportId}' noch einmal ein.",
  'title.conversation_answered': 'Inzwischen beantwortet',
  'cause.conversation_answered':
    'Jemand hat die Unterhaltung nach dem Eintrag aus lastSeenItemId beantwortet. Es wurde nichts gesendet.',
  'fix.conversation_answered':
    'Lesen Sie, was neu ist, und senden Sie dann noch einmal mit der ID des neuesten Eintrags als lastSeenItemId.',
  'title.conversation_not_reachable': 'Nicht erreichbar',
  'cause.conversation_not_reachable':
    'Von dieser Person ist nichts bekannt, worüber sich das senden ließe: keine Telefonnummer oder keine E-Mail-Adresse.',
  'fix.conversation_not_reachable':
    'Ordnen Sie die Unterhaltung einem Lead oder Kontakt zu, der eine hat, oder tragen Sie im Datensatz eine ein.',
  'title.conversation_has_record': 'Schon zugeordnet',
  'cause.conversation_has_record': 'Die Unterhaltung gehört schon zu einem Lead oder Kontakt.',
  'fix.conversation_has_record':
    'Führen Sie die beiden Datensätze zusammen, wenn es dieselbe Person ist. Ihre Unterhaltungen werden dann eine.',
}
