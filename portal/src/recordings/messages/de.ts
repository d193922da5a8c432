// The German texts of recordings.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  things: 'Aufnahmen',
  about: 'Was von Anrufen aufgenommen wurde, neueste zuerst.',
  call: 'Anruf',
  state: 'Status',
  since: 'Aufgenommen seit',
  with: 'Mit',
  started: 'Begonnen',
  inspectCall: 'Anruf ansehen',
  length: 'Länge',
  channels: 'Kanäle',
  'channels.dual': 'Anrufende Seite links, angerufene rechts',
  'channels.mono': 'Mono',
  size: 'Größe',
  sound: 'Ton',
  available: 'Verfügbar',
  id: 'ID',
  emptyText: 'Nehmen Sie mit der Anweisung „record“ auf, was nach einem Ton gesagt wird, oder den ganzen Anruf. Hier hören Sie es an.',
  deleted: 'Die Aufnahme wurde gelöscht.',
  delete: 'Löschen',
  deleteTitle: 'Diese Aufnahme löschen?',
  deleteText: 'Der Ton ist dann endgültig weg. Dass es eine Aufnahme gab, wann und wie lang, bleibt sichtbar.',
  player: 'Aufnahme des Anrufs',
  play: 'Abspielen',
  download: 'Herunterladen',
}
