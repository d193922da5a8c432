// Contacts: their list.

import { NounList } from '../nouns/list.tsx'
import { contacts } from './contact_noun.ts'
import { t } from './texts.ts'

export function ContactsScreen() {
  return <NounList noun={contacts} description={t('about')} />
}
