// The German texts of the notice that undoes a change of many.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  undo: 'Rückgängig machen',
  undone: 'Rückgängig gemacht: {what} wiederhergestellt.',
  undoneSome: 'Rückgängig gemacht: {what} wiederhergestellt. Seither geändert und so belassen: {others}.',
}
