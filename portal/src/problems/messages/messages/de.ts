// The German texts of problems with messages and numbers.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.sender_not_owned': 'Fremder Absender',
  'cause.sender_not_owned': 'Der Absender ist weder eine Nummer noch eine Absenderkennung der Organisation.',
  'fix.sender_not_owned': 'Verwenden Sie eine Ihrer eigenen Nummern.',
  'title.sender_not_capable': 'Absender kann das nicht',
  'cause.sender_not_capable': 'Die Nummer ist für diesen Kanal nicht eingerichtet.',
  'fix.sender_not_capable': 'Verwenden Sie eine Nummer, die den Kanal unterstützt.',
  'title.body_too_long': 'Text zu lang',
  'cause.body_too_long': 'Der Text braucht mehr als 10 Segmente.',
  'fix.body_too_long': 'Kürzen Sie den Text, oder senden Sie ihn in Teilen.',
  'title.no_route': 'Keine Route',
  'cause.no_route': 'Kein Carrier nimmt SMS an dieses Ziel an, oder kein Trunk Anrufe dorthin.',
  'fix.no_route':
    'Fügen Sie einen Carrier oder Trunk hinzu, schalten Sie einen ein, oder fügen Sie eine Route für das Ziel hinzu.',
  'title.sender_queue_full': 'Warteschlange des Absenders voll',
  'cause.sender_queue_full':
    'Bei diesem Absender wartet mehr, als er in zehn Stunden senden kann, oder solange die Nachricht gilt.',
  'fix.sender_queue_full': 'Warten Sie, oder verteilen Sie die Nachrichten auf mehr Absender.',
  'title.recipient_opted_out': 'Empfänger hat sich abgemeldet',
  'cause.recipient_opted_out': 'Der Empfänger möchte von diesem Absender keine SMS mehr.',
  'fix.recipient_opted_out': 'Senden Sie ihm nichts, bis er sich wieder anmeldet.',
  'title.invalid_schedule': 'Ungültiger Zeitpunkt',
  'cause.invalid_schedule': 'Der Sendezeitpunkt liegt nicht zwischen 5 Minuten und 35 Tagen ab jetzt.',
  'fix.invalid_schedule':
    'Lassen Sie sendAt weg, um sofort zu senden, oder wählen Sie einen Zeitpunkt in diesem Bereich.',
  'title.not_cancelable': 'Lässt sich nicht abbrechen',
  'cause.not_cancelable': 'Die Nachricht wurde schon an den Carrier übergeben oder ist abgeschlossen.',
  'fix.not_cancelable': 'Nur geplante oder wartende Nachrichten lassen sich abbrechen.',
  'title.duplicate_suppressed': 'Duplikat unterdrückt',
  'cause.duplicate_suppressed':
    'Der SMS-Dienst hat diesem Empfänger innerhalb seines Duplikatfensters schon denselben Text gesendet.',
  'fix.duplicate_suppressed': 'Ändern Sie den Text, warten Sie, oder setzen Sie duplicateWindow des Dienstes auf 0.',
  'title.carrier_queue_overflow': 'Carrier überlastet',
  'cause.carrier_queue_overflow': 'Der Carrier hat gedrosselt, bis die Gültigkeit abgelaufen war.',
  'fix.carrier_queue_overflow': 'Senden Sie später noch einmal.',
  'title.validity_expired': 'Gültigkeit abgelaufen',
  'cause.validity_expired': 'Die Nachricht wurde nicht innerhalb ihrer Gültigkeit zugestellt.',
  'fix.validity_expired': 'Senden Sie sie noch einmal, wenn sie noch von Nutzen ist.',
  'title.submit_unconfirmed': 'Ergebnis unbekannt',
  'cause.submit_unconfirmed':
    'Die Nachricht wurde übergeben, aber die Verbindung brach vor der Antwort ab. Sie wird nie auf Verdacht noch einmal gesendet.',
  'fix.submit_unconfirmed': 'Fragen Sie den Empfänger, bevor Sie noch einmal senden.',
  'title.service_not_found': 'Kein solcher SMS-Dienst',
  'cause.service_not_found': 'Die Organisation hat keinen SMS-Dienst mit dieser ID.',
  'fix.service_not_found': 'Rufen Sie die Liste der Dienste ab, oder geben Sie in from einen eigenen Absender an.',
  'title.service_without_senders': 'Dienst hat keinen Absender',
  'cause.service_without_senders': 'Keine Nummer des SMS-Dienstes kann an diesen Empfänger senden.',
  'fix.service_without_senders': 'Fügen Sie dem Dienst eine Nummer hinzu.',
  'title.sender_in_service': 'Absender eines anderen Dienstes',
  'cause.sender_in_service': 'Eine Nummer gehört zu höchstens einem SMS-Dienst, und diese ist Absender eines anderen.',
  'fix.sender_in_service': 'Entfernen Sie sie zuerst aus dem anderen Dienst, oder lassen Sie sie weg.',
  'title.invalid_from_number': 'Ungültiger Absender',
  'cause.invalid_from_number': 'Von diesem Absender lassen sich keine Nachrichten senden oder Anrufe starten.',
  'fix.invalid_from_number': 'Verwenden Sie eine Nummer im internationalen Format mit +, zum Beispiel +15550100001.',
  'title.number_taken': 'Nummer schon vorhanden',
  'cause.number_taken': 'Die Organisation hat diese Nummer oder Absenderkennung schon.',
  'fix.number_taken': 'Ändern Sie die vorhandene.',
  'title.number_held': 'Nummer einer anderen Organisation',
  'cause.number_held': 'Eine andere Organisation auf diesem Server hat diese Nummer bestätigt.',
  'fix.number_held': 'Die andere Organisation muss sie freigeben, oder der Betreiber des Servers ordnet sie neu zu.',
  'title.number_verification_unneeded': 'Nichts zu bestätigen',
  'cause.number_verification_unneeded':
    'Die Nummer ist bestätigt oder lässt sich nicht bestätigen: eine Kurzwahl, eine Absenderkennung, eine Nummer des Testmodus.',
  'fix.number_verification_unneeded': 'Verwenden Sie sie, wie sie ist.',
  'title.number_verification_limited': 'Zu viele Codes',
  'cause.number_verification_limited':
    'An einem Tag wurden fünf Codes für diese Nummer oder fünfzig von der Organisation angefordert.',
  'fix.number_verification_limited': 'Geben Sie den letzten ein, oder warten Sie so lange, wie Retry-After angibt.',
  'title.number_verification_unavailable': 'Code kann nicht gesendet werden',
  'cause.number_verification_unavailable':
    'Der Betreiber dieses Servers hat keinen Carrier oder Trunk, der die Nummer erreicht.',
  'fix.number_verification_unavailable':
    'Versuchen Sie den anderen Weg, oder bitten Sie den Betreiber, `tandem assign-number` auszuführen.',
  'title.number_verification_expired': 'Kein Code zum Eingeben',
  'cause.number_verification_expired':
    'An diese Nummer wurde kein Code gesendet, er ist älter als zehn Minuten, oder er wurde fünfmal falsch eingegeben.',
  'fix.number_verification_expired': "Fordern Sie mit POST /v2/numbers/'{numberId}'/verification einen neuen Code an.",
  'title.number_verification_wrong_code': 'Falscher Code',
  'cause.number_verification_wrong_code': 'Der Code ist nicht der, der zuletzt an diese Nummer ging.',
  'fix.number_verification_wrong_code': 'Geben Sie die Ziffern aus der letzten SMS oder dem letzten Anruf ein.',
  'title.handset_not_in_use': 'Virtuelles Handy nicht in Verwendung',
  'cause.handset_not_in_use':
    'Im Live-Modus hat die Organisation einen eigenen Carrier oder Trunk, über den SMS und Anrufe eingehen.',
  'fix.handset_not_in_use':
    'Verwenden Sie den Testmodus, oder senden Sie der Nummer von einem echten Telefon eine SMS, oder rufen Sie sie an.',
}
