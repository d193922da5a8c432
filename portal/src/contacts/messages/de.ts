// The German texts of contacts.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  about: 'Die Personen, mit denen Sie zu tun haben, und ihre Unternehmen.',
}
