// The German texts of tags in lists.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  name: 'Name eines Tags',
  chosen: '{label}: ausgewählt',
  same: 'Sie haben diese Tags schon.',
  changed: '{count, plural, one {Tags für # {one} geändert.} other {Tags für # {many} geändert.}}',
  title: '{count, plural, one {Tags für # {one}} other {Tags für # {many}}}',
  text: 'Alle bekommen dieselben Tags, zusätzlich zu ihren eigenen.',
  add: 'Tags hinzufügen',
  remove: 'Tags entfernen',
  'mode.any': 'Einer davon',
  'mode.all': 'Alle davon',
  'mode.none': 'Ohne Tags',
  filter: 'Nach diesem Tag filtern',
  filters: 'Filter nach Tags',
  tagged: 'Mit Tag',
  anyOf: 'Einer von',
  allOf: 'Alle von',
  without: 'ohne Tags',
  gone: 'ein gelöschter Tag',
  unfilter: 'Nicht mehr nach {name} filtern',
  leaveOut: '{name} weglassen',
}
