// The German texts of companies.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  about: 'Organisationen, die Kunden sind oder werden können.',
}
