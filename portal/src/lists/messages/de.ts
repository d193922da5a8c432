// The German texts of lists.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  columns: 'Spalten',
  columnsHint: 'Ihre Auswahl wird in diesem Browser gespeichert.',
  columnsReset: 'Zurücksetzen',
  columnsDone: 'Fertig',
  columnUp: '{column} nach oben verschieben',
  columnDown: '{column} nach unten verschieben',
  columnWidth: 'Breite von {column}',
  filters: '{things} filtern',
  moreFilters: 'Weitere Filter',
  all: 'Alle',
  loading: '{things} werden geladen',
  empty: 'Noch keine {things}',
  open: '{name} öffnen',
  edit: '{name} bearbeiten',
  inspect: '{name} untersuchen',
  inspectShort: 'Untersuchen',
  actions: 'Aktionen',
  selectAll: 'Alle angezeigten auswählen',
  select: '{name} auswählen',
  sort: 'Nach dieser Spalte sortieren. Mit der Umschalttaste zusätzlich nach einer weiteren.',
}
