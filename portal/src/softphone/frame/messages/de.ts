// The German texts of the phone on every screen.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  oneCall: 'Sie führen schon einen Anruf. Beenden Sie ihn zuerst.',
  yourCall: 'Ihr Anruf',
  callNumber: '{number} anrufen',
  turnOn: 'Telefon einschalten',
  turnOff: 'Telefon ausschalten',
}
