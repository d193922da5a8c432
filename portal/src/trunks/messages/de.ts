// The German texts of trunks.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'Trunks',
  trunk: 'Trunk',
  weight: 'Gewicht',
  perMinute: 'Pro Minute, {currency}',
  noRoutes: 'Keine. Auf diesem Weg gehen keine Anrufe hinaus, eingehende werden aber angenommen.',
  'remedy.unknown':
    'Gerade prüft ihn kein Prozess. Innerhalb von Sekunden tut es einer. Falls nicht, prüfen Sie, ob ein Prozess mit der Rolle „voice“ läuft.',
  'remedy.disabled': 'Er ist ausgeschaltet: Auf diesem Weg gehen keine Anrufe hinaus, und es werden keine angenommen.',
  lastError: 'Letzter Fehler',
  address: 'Adresse',
  callsNow: 'Laufende Anrufe',
  callsBegun: 'Begonnene Anrufe',
  callsFailed: 'Fehlgeschlagene Anrufe',
  warnings: 'Weniger sicher, als es aussieht',
  unknownKind: 'Dieser Server unterstützt keine Trunks der Art {kind}.',
  enabledHint: 'Er wird überwacht, und Anrufe gehen auf diesem Weg ein und aus.',
  routesHint:
    'Es zählt die längste Vorwahl, die zu einer Nummer passt; eine leere gilt für jedes Ziel. Bei gleich langen Vorwahlen geht die niedrigere Priorität vor; Trunks gleicher Priorität teilen sich die Anrufe nach Gewicht. Anrufe werden nach den Kosten pro Minute berechnet, und Ausgabengrenzen zählen sie. Ein Trunk ohne Routen tätigt keine Anrufe, nimmt aber welche an.',
  costOfMinute: 'Kosten pro Minute',
  costOfMinuteIn: 'Kosten pro Minute in {currency}',
  offText: 'Er wird abgemeldet, und auf diesem Weg gehen keine neuen Anrufe ein oder aus.',
  deleteText: 'Er wird abgemeldet, und seine Einstellungen werden gelöscht.',
  deleteMore: 'Ohne Trunk scheitern Live-Anrufe an echte Telefone mit no_route.',
  activeText:
    '{count, plural, =0 {Gerade läuft kein Anruf darüber. Wartende Anrufe nehmen einen anderen Trunk; gibt es keinen, scheitern sie.} one {Der laufende Anruf geht weiter. Wartende Anrufe nehmen einen anderen Trunk; gibt es keinen, scheitern sie.} other {Die # laufenden Anrufe gehen weiter. Wartende Anrufe nehmen einen anderen Trunk; gibt es keinen, scheitern sie.}}',
  on: '{name} ist eingeschaltet. Wir prüfen, ob er antwortet.',
  policy: 'Zielrichtlinie',
  policyText:
    'Gilt zusätzlich zur Richtlinie Ihrer Organisation für ausgehende Anrufe über diesen Trunk. Schließt sie eine Nummer aus oder ist eine Grenze erreicht, nehmen Anrufe einen anderen Trunk.',
  policyOf: 'Richtlinie von {name}',
  loadingPolicy: 'Richtlinie wird geladen',
  asJson: 'Der Trunk, wie ihn die API liefert',
  'step.register': 'Registrierung',
  'step.events': 'Ereignisse',
  'test.sip':
    'Fragt den Carrier nach einem Lebenszeichen (OPTIONS) und registriert sich, wenn die Einstellungen es vorsehen. Niemand wird angerufen, und nichts wird gespeichert.',
  'test.asterisk':
    'Fragt Asterisk, ob es den Benutzer und den Endpunkt kennt und seine Anrufe meldet. Niemand wird angerufen, und nichts wird gespeichert.',
  rankWeight: 'Gewicht {weight, number}',
  testAction: 'Trunk testen',
  'way.label': 'Route eines Anrufs finden an',
  'way.title': 'Die Route dieses Anrufs',
  'way.refused': 'Kein Trunk nimmt ihn an. Ein solcher Anruf scheitert mit <error></error>.',
  'way.list': 'Trunks in der Reihenfolge, in der sie versucht werden',
  about:
    'Was Ihre Anrufe zu echten Telefonen bringt: Carrier per SIP oder ein Asterisk, den Sie schon betreiben. Jeder Anruf geht über den Trunk, dessen Route am besten passt.',
  create: 'Trunk erstellen',
  empty: 'Noch keine Trunks',
  emptyText:
    'Fügen Sie den SIP-Zugang hinzu, den Sie von Ihrem Carrier haben. Bis dahin scheitern Live-Anrufe an echte Telefone mit no_route.',
  allCalls: 'Alle Anrufe',
  liveOnlyText:
    'Im Testmodus überträgt nur der Simulator Anrufe. Kein echtes Telefon klingelt, was immer Sie einrichten.',
  firstText:
    'Sobald Sie einen haben, gehen Live-Anrufe an echte Telefone, und sie müssen von Ihren eigenen Nummern kommen.',
}
