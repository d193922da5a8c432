// The German texts of the settings of trunks.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'group.Connection': 'Verbindung',
  'group.Identity': 'Identität',
  'group.Calls that come in': 'Eingehende Anrufe',
  'group.Numbers': 'Rufnummern',
  'group.Sound': 'Ton',
  'group.Limits': 'Grenzen',
  'group.Signs of life': 'Lebenszeichen',
  'group.Calls that go out': 'Ausgehende Anrufe',
  'kind.sip': 'SIP-Trunk',
  'about.sip':
    'Ein Carrier für Anrufe, der SIP spricht, oder eine Telefonanlage. Dieser Server verbindet sich direkt damit.',
  'title.sip.transport': 'Transport',
  'choice.sip.transport.udp': 'UDP',
  'choice.sip.transport.tcp': 'TCP',
  'choice.sip.transport.tls': 'TLS',
  'hint.sip.transport':
    'Wie SIP übertragen wird. TLS verschlüsselt es; ohne TLS kann jeder auf dem Weg lesen, wer wen anruft.',
  'title.sip.host': 'Host',
  'fault.sip.host': 'Bitte einen Hostnamen oder eine IP-Adresse eingeben, ohne Schema und Port.',
  'hint.sip.host':
    'Der SIP-Server des Carriers: ein Name oder eine IP-Adresse. Eine private Adresse muss der Betreiber dieses Servers erlauben.',
  'title.sip.port': 'Port',
  'hint.sip.port': 'Leer: was das DNS zum Host angibt (SRV), sonst 5060, mit TLS 5061.',
  'title.sip.outboundProxy': 'Outbound-Proxy',
  'fault.sip.outboundProxy':
    'Bitte einen Hostnamen oder eine IP-Adresse eingeben, mit oder ohne Port, zum Beispiel proxy.example.com:5060.',
  'hint.sip.outboundProxy': 'Wohin alles anstelle des Hosts gesendet wird, mit oder ohne Port. Leer: an den Host.',
  'title.sip.tlsVerify': 'Zertifikat prüfen',
  'hint.sip.tlsVerify': 'Mit TLS: Ein Server, dessen Zertifikat für den Host nicht gültig ist, wird abgelehnt.',
  'title.sip.tlsCa': 'Zertifizierungsstelle',
  'fault.sip.tlsCa': 'Bitte ein oder mehrere Zertifikate im PEM-Format eingeben (-----BEGIN CERTIFICATE-----).',
  'hint.sip.tlsCa':
    'Mit TLS: Zertifikate im PEM-Format, denen anstelle der üblichen vertraut wird. Leer gelten die üblichen.',
  'title.sip.username': 'Benutzername',
  'fault.sip.username': 'Bitte nur den Teil vor dem @ eingeben, ohne Leerzeichen und : ; ? , < > ".',
  'hint.sip.username': 'Der Zugang beim Carrier. Leer, wenn der Carrier diesen Server an seiner Adresse erkennt.',
  'title.sip.authUsername': 'Benutzername zum Passwort',
  'fault.sip.authUsername': 'Steuerzeichen sind nicht erlaubt.',
  'hint.sip.authUsername': 'Wenn der Carrier zum Passwort einen anderen Namen verlangt. Leer: der Benutzername.',
  'title.sip.password': 'Passwort',
  'fault.sip.password': 'Steuerzeichen sind nicht erlaubt.',
  'hint.sip.password':
    'Wird verschlüsselt gespeichert und nie wieder angezeigt. Leer, wenn der Carrier keins verlangt.',
  'title.sip.domain': 'Domain',
  'fault.sip.domain': 'Bitte einen Hostnamen oder eine IP-Adresse eingeben, ohne Schema und Port.',
  'hint.sip.domain': 'Was bei angerufenen Nummern und bei der Registrierung hinter dem @ steht. Leer: der Host.',
  'title.sip.fromUser': 'Benutzer in From',
  'fault.sip.fromUser': 'Bitte nur den Teil vor dem @ eingeben, ohne Leerzeichen und : ; ? , < > ".',
  'hint.sip.fromUser':
    'Was in From steht, wenn die Absendernummer in einem anderen Header steht. Leer: auch dort die Absendernummer.',
  'title.sip.fromDomain': 'Domain in From',
  'fault.sip.fromDomain': 'Bitte einen Hostnamen oder eine IP-Adresse eingeben, ohne Schema und Port.',
  'hint.sip.fromDomain': 'Was in From hinter dem @ steht. Leer: die Domain.',
  'title.sip.register': 'Registrieren',
  'hint.sip.register':
    'Registriert den Benutzernamen beim Registrar des Carriers, damit dieser weiß, wohin er Anrufe sendet. Braucht einen Benutzernamen.',
  'title.sip.registerSeconds': 'Dauer einer Registrierung',
  'hint.sip.registerSeconds':
    'So viele Sekunden werden verlangt; der Carrier kann weniger gewähren. Erneuert wird nach vier Fünfteln der Zeit.',
  'title.sip.sourceAddresses': 'Quelladressen',
  'fault.sip.sourceAddresses':
    'Bitte eine Adresse oder einen Bereich eingeben, zum Beispiel 203.0.113.10 oder 203.0.113.0/24.',
  'hint.sip.sourceAddresses':
    'Adressen und Bereiche, von denen Anrufe eingehen, zum Beispiel 203.0.113.0/24. Leer: die des Hosts und des Outbound-Proxys.',
  'title.sip.inboundUsername': 'Benutzername des Carriers',
  'fault.sip.inboundUsername': 'Steuerzeichen sind nicht erlaubt.',
  'hint.sip.inboundUsername':
    'Verlangt bei eingehenden Anrufen diesen Namen und das Passwort unten. Leer: Die Quelladresse genügt.',
  'title.sip.inboundPassword': 'Passwort des Carriers',
  'fault.sip.inboundPassword': 'Steuerzeichen sind nicht erlaubt.',
  'hint.sip.inboundPassword': 'Wird verschlüsselt gespeichert und nie wieder angezeigt.',
  'title.sip.allowTransfers': 'Weiterleitung durch die Gegenstelle',
  'hint.sip.allowTransfers':
    'Wer über diesen Trunk spricht, kann die Organisation auf ihre Kosten jemand anderen anrufen lassen und selbst auflegen (SIP REFER). Lassen Sie das für einen Carrier aus, und schalten Sie es nur für eine eigene Telefonanlage ein.',
  'title.sip.numberFormat': 'Format der Rufnummern',
  'choice.sip.numberFormat.e164': 'E.164',
  'choice.sip.numberFormat.digits': 'Nur Ziffern',
  'choice.sip.numberFormat.national': 'National',
  'hint.sip.numberFormat':
    'E.164: +4930123456. Nur Ziffern: 4930123456. National: wie im Land unten gewählt, 030123456.',
  'title.sip.numberCountry': 'Land der Rufnummern',
  'fault.sip.numberCountry': 'Bitte die zwei Buchstaben eines Landes eingeben, zum Beispiel DE.',
  'hint.sip.numberCountry':
    'Das Land nationaler Nummern, und wie Nummern gelesen werden, die ohne Landesvorwahl eingehen. Leer werden sie als internationale gelesen.',
  'title.sip.callerIdIn': 'Absendernummer steht in',
  'choice.sip.callerIdIn.from': 'From',
  'choice.sip.callerIdIn.p_asserted_identity': 'P-Asserted-Identity',
  'choice.sip.callerIdIn.remote_party_id': 'Remote-Party-ID',
  'hint.sip.callerIdIn':
    'Wo der Carrier die Nummer sucht, die angezeigt wird: From, P-Asserted-Identity oder Remote-Party-ID.',
  'title.sip.foreignCallerIds': 'Fremde Absendernummern',
  'hint.sip.foreignCallerIds':
    'Zeigt auch Nummern an, die nicht der Organisation gehören, wenn der Vertrag mit dem Carrier es erlaubt.',
  'title.sip.codecs': 'Codecs',
  'choice.sip.codecs.PCMU': 'PCMU',
  'choice.sip.codecs.PCMA': 'PCMA',
  'hint.sip.codecs':
    'In der Reihenfolge, in der sie angeboten werden. PCMU ist in Amerika und Japan üblich, PCMA anderswo.',
  'title.sip.srtp': 'Verschlüsselter Ton',
  'choice.sip.srtp.off': 'Aus',
  'choice.sip.srtp.preferred': 'Bevorzugt',
  'choice.sip.srtp.required': 'Erforderlich',
  'hint.sip.srtp':
    'Bevorzugt: SRTP wird angeboten; wird es abgelehnt, bleibt der Ton unverschlüsselt. Erforderlich: Ein Anruf ohne SRTP scheitert. Die Schlüssel werden in SIP übertragen und sind deshalb nur mit TLS geheim; mit beidem ist der Anruf bis zum Carrier verschlüsselt.',
  'title.sip.digits': 'Tasten (DTMF)',
  'choice.sip.digits.rfc4733': 'RFC 4733',
  'choice.sip.digits.info': 'SIP INFO',
  'hint.sip.digits':
    'Wie gedrückte Tasten gesendet werden: als Telefonereignisse neben dem Ton (RFC 4733) oder als SIP INFO.',
  'title.sip.callsPerSecond': 'Anrufe pro Sekunde',
  'hint.sip.callsPerSecond': 'Wie viele Anrufe pro Sekunde begonnen werden; weitere warten.',
  'title.sip.concurrentCalls': 'Gleichzeitige Anrufe',
  'hint.sip.concurrentCalls':
    'In beiden Richtungen zusammen. Weitere ausgehende Anrufe warten, weitere eingehende werden mit der Bitte um einen späteren Versuch beantwortet.',
  'title.sip.ringSeconds': 'Klingeldauer',
  'hint.sip.ringSeconds': 'So viele Sekunden klingelt ein Telefon höchstens; ein Anruf kann weniger verlangen.',
  'title.sip.optionsSeconds': 'Lebenszeichen',
  'hint.sip.optionsSeconds': 'Sekunden zwischen den Anfragen (OPTIONS), die zeigen, ob der Trunk erreichbar ist.',
  'title.sip.sessionExpiresSeconds': 'Session-Timer',
  'hint.sip.sessionExpiresSeconds':
    'Ein Anruf, den die Gegenstelle nicht innerhalb so vieler Sekunden bestätigt, wird beendet (RFC 4028).',
  'kind.asterisk': 'Asterisk',
  'about.asterisk':
    'Ein Asterisk, den Sie schon betreiben, mit den Carriern, die dort eingerichtet sind. Gesteuert wird er über ARI.',
  'title.asterisk.url': 'Adresse der ARI',
  'fault.asterisk.url':
    'Bitte die Adresse des HTTP-Servers des Asterisk eingeben, zum Beispiel https://asterisk.example.com:8089.',
  'hint.asterisk.url':
    'Die Adresse des HTTP-Servers des Asterisk, zum Beispiel https://asterisk.example.com:8089, ohne /ari. Eine private Adresse muss der Betreiber dieses Servers erlauben; nur dorthin geht es auch mit http.',
  'title.asterisk.username': 'Benutzername',
  'fault.asterisk.username': 'Bitte einen Benutzer aus ari.conf eingeben, ohne Leerzeichen und Doppelpunkte.',
  'hint.asterisk.username': 'Ein Benutzer aus ari.conf, der schreiben darf (read_only = no).',
  'title.asterisk.password': 'Passwort',
  'fault.asterisk.password': 'Steuerzeichen sind nicht erlaubt.',
  'hint.asterisk.password': 'Das Passwort dieses Benutzers. Wird verschlüsselt gespeichert und nie wieder angezeigt.',
  'title.asterisk.endpoint': 'Endpunkt',
  'fault.asterisk.endpoint':
    "Bitte eine Kanaltechnologie und einen Platzhalter für die Nummer eingeben, zum Beispiel PJSIP/'{number}'@carrier.",
  'hint.asterisk.endpoint':
    "Was Asterisk wählt, mit '{number}' für die angerufene Nummer: PJSIP/'{number}'@carrier, oder Local/'{number}'@outgoing für einen eigenen Dialplan.",
  'title.asterisk.application': 'Anwendung',
  'fault.asterisk.application':
    'Nur Buchstaben, Ziffern, Punkte, Binde- und Unterstriche sind erlaubt, zum Beispiel tandem.',
  'hint.asterisk.application':
    'Der Name, an den der Dialplan des Asterisk Anrufe übergibt, Stasis(tandem). Kein anderer Trunk und kein anderes Programm darf denselben Namen an einem Asterisk verwenden.',
  'title.asterisk.inboundContext': 'Kontext',
  'fault.asterisk.inboundContext': 'Bitte den Namen eines Kontexts aus extensions.conf eingeben.',
  'hint.asterisk.inboundContext': 'Nimmt nur Anrufe an, die aus diesem Kontext des Dialplans kommen. Leer: aus jedem.',
  'title.asterisk.numberFormat': 'Format der Rufnummern',
  'choice.asterisk.numberFormat.e164': 'E.164',
  'choice.asterisk.numberFormat.digits': 'Nur Ziffern',
  'choice.asterisk.numberFormat.national': 'National',
  'hint.asterisk.numberFormat':
    'E.164: +4930123456. Nur Ziffern: 4930123456. National: wie im Land unten gewählt, 030123456.',
  'title.asterisk.numberCountry': 'Land der Rufnummern',
  'fault.asterisk.numberCountry': 'Bitte die zwei Buchstaben eines Landes eingeben, zum Beispiel DE.',
  'hint.asterisk.numberCountry':
    'Das Land nationaler Nummern, und wie Nummern gelesen werden, die ohne Landesvorwahl eingehen. Leer werden sie als internationale gelesen.',
  'title.asterisk.foreignCallerIds': 'Fremde Absendernummern',
  'hint.asterisk.foreignCallerIds':
    'Zeigt auch Nummern an, die nicht der Organisation gehören, wenn der Vertrag mit dem Carrier es erlaubt.',
  'title.asterisk.codec': 'Codec',
  'choice.asterisk.codec.PCMU': 'PCMU',
  'choice.asterisk.codec.PCMA': 'PCMA',
  'hint.asterisk.codec':
    'Der Ton zwischen Asterisk und diesem Server. Asterisk setzt ihn in das um, was sein Carrier spricht.',
  'title.asterisk.mediaAddress': 'Adresse für den Ton',
  'fault.asterisk.mediaAddress': 'Bitte eine IP-Adresse eingeben.',
  'hint.asterisk.mediaAddress':
    'Die Adresse dieses Servers, an die Asterisk den Ton von Anrufen sendet. Leer: die, über die dieser Server ihn erreicht.',
  'title.asterisk.callsPerSecond': 'Anrufe pro Sekunde',
  'hint.asterisk.callsPerSecond': 'Wie viele Anrufe pro Sekunde begonnen werden; weitere warten.',
  'title.asterisk.concurrentCalls': 'Gleichzeitige Anrufe',
  'hint.asterisk.concurrentCalls':
    'In beiden Richtungen zusammen. Weitere ausgehende Anrufe warten, weitere eingehende werden mit der Bitte um einen späteren Versuch beantwortet.',
  'title.asterisk.pingSeconds': 'Lebenszeichen der ARI',
  'hint.asterisk.pingSeconds':
    'Sekunden zwischen den Anfragen, die zeigen, ob Asterisk erreichbar ist und weiterhin Anrufe meldet.',
}
