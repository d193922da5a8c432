// Die deutschen Texte dazu, was die Anmeldung verlangt.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  title: 'Sicherheit',
  about: 'Was die Anmeldung in Ihrer Organisation verlangt.',
  loading: 'Richtlinie wird geladen',
  saved: 'Die Richtlinie wurde gespeichert.',
  save: 'Richtlinie speichern',
  saveTitle: 'Richtlinie speichern?',
  from: 'Sie gilt ab der nächsten Anmeldung oder dem nächsten Zugriffstoken.',
  login: 'Anmeldung',
  factor: 'Zwei-Faktor-Anmeldung verlangen',
  factorHint:
    'Niemand meldet sich nur mit Passwort an. Wer noch keinen zweiten Faktor hat, richtet ihn bei der nächsten Anmeldung ein.',
  trust: 'Tage, die ein Browser als vertrauenswürdig gilt',
  trustHint: 'So lange wird in einem vertrauenswürdigen Browser kein Code verlangt. 0 heißt: nie.',
  passwordMin: 'Mindestlänge von Passwörtern',
  passwordMinHint:
    '10 bis 64 Zeichen. Alle brauchen ohnehin 15, oder 10 mit Zwei-Faktor-Anmeldung. Leer heißt: nicht mehr als das.',
  mail: 'Anmeldung per E-Mail erlauben',
  mailHint:
    'Ein Link in einer E-Mail ersetzt das Passwort, aber nie den zweiten Faktor. Wer die E-Mail liest, kommt hinein.',
  addresses: 'Adressen, von denen man sich anmelden kann',
  addressesHint:
    'Eine Adresse oder ein Bereich (203.0.113.0/24) je Zeile. Leer heißt: von überall. API-Schlüssel funktionieren von überall.',
  lives: 'Sitzungen und Schlüssel',
  idle: 'Minuten, bis eine ungenutzte Sitzung endet',
  idleHint: '20160 Minuten sind 14 Tage.',
  most: 'Stunden, bis jede Sitzung endet',
  maxHint: '2160 Stunden sind 90 Tage.',
  keys: 'Tage, bis API-Schlüssel ablaufen',
  keysHint:
    'Für Schlüssel, die ab jetzt erstellt oder erneuert werden. Leer heißt: Jeder Schlüssel entscheidet selbst.',
  'said.factorAll': 'Alle haben bereits einen zweiten Faktor.',
  'said.factor':
    '{count, number} von {members, number} Personen haben noch keinen zweiten Faktor. Sie richten ihn bei der nächsten Anmeldung ein.',
  'said.sessions':
    '{count, plural, one {Eine Sitzung endet mit ihrer nächsten Anfrage.} other {# Sitzungen enden mit ihrer nächsten Anfrage.}}',
  'said.elsewhereNobody': 'Derzeit ist niemand von einer anderen Adresse angemeldet.',
  'said.elsewhere':
    '{count, plural, one {Eine Person ist von einer anderen Adresse angemeldet und wird innerhalb einer Stunde abgemeldet.} other {# Personen sind von einer anderen Adresse angemeldet und werden innerhalb einer Stunde abgemeldet.}}',
  'said.keys':
    '{count, plural, one {Ein API-Schlüssel gilt schon länger. Er bleibt, bis er erneuert wird.} other {# API-Schlüssel gelten schon länger. Sie bleiben, bis sie erneuert werden.}}',
  'said.passwords': 'Vorhandene Passwörter bleiben. Es gilt für neue.',
}
