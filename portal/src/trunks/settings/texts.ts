// What the settings of trunks are called. The English words are the server's own; what is newer than this page has none here.

import type { SettingsTexts } from '../../carriers/spoken_settings.ts'
import { wordsOf } from '../../words/words.ts'
import type { en } from './messages/en.ts'

const t = wordsOf<typeof en>('trunks/settings')

export const trunkSettings: SettingsTexts = {
  kind: kind => t.of('kind', kind),
  about: kind => t.of('about', kind),
  group: name => t.of('group', name),
  title: field => t.of('title', field),
  hint: field => t.of('hint', field),
  choice: value => t.of('choice', value),
  fault: field => t.of('fault', field),
}
