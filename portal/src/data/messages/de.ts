// The German texts of parts that show data.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  loading: 'Wird geladen',
  live: 'Live',
  'live.closed': 'nicht verbunden',
  'live.connecting': 'verbindet',
  'live.open': 'verbunden',
  'live.paused': 'angehalten',
  otherMode: '{mode, select, live {Das gehört zu Ihren Live-Daten} other {Das gehört zu Ihren Testdaten}}',
  otherModeText:
    '{mode, select, live {Sie sind im Live-Modus} other {Sie sind im Testmodus}}, und beide sind getrennt. Wechseln Sie den Modus, um es zu sehen.',
  switchMode: '{mode, select, live {Zum Live-Modus wechseln} other {Zum Testmodus wechseln}}',
  all: 'Alle {things}',
  missing: 'Das gibt es nicht',
  missingText: 'Vielleicht wurde es gelöscht, der Link enthält einen Tippfehler oder Sie haben keinen Zugriff darauf.',
  events: 'Aktivität',
  eventsOf: 'Aktivität, neueste zuerst',
  eventsRefused: 'Ihre Rolle umfasst das Aktivitätsprotokoll nicht.',
  eventsNone: 'Noch keine Aktivität',
  eventsNoneText: 'Was hier passiert, erscheint in dieser Liste.',
  moved: '{from} zu {to}',
  'due.late': '{days, plural, one {# Tag überfällig} other {# Tage überfällig}}',
  'due.today': 'heute fällig',
  'due.tomorrow': 'morgen fällig',
  'due.in': '{days, plural, one {in # Tag fällig} other {in # Tagen fällig}}',
  invoices: '{count, plural, one {# Rechnung} other {# Rechnungen}}',
}
