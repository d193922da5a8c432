// What the settings of carriers are called. The English words are the server's own; what is newer than this page has none here.
import { wordsOf } from '../../words/words.ts'
import type { SettingsTexts } from '../spoken_settings.ts'
import type { en } from './messages/en.ts'

const t = wordsOf<typeof en>('carriers/settings')

export const carrierSettings: SettingsTexts = {
  kind: kind => t.of('kind', kind),
  about: kind => t.of('about', kind),
  group: name => t.of('group', name),
  title: field => t.of('title', field),
  hint: field => t.of('hint', field),
  choice: value => t.of('choice', value),
  fault: field => t.of('fault', field),
}
