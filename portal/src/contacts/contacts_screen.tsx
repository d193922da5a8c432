// Contacts: their list.
import { contacts } from '../nouns/described/contacts.generated.ts'
import { NounList } from '../nouns/list.tsx'
import { t } from './texts.ts'

export function ContactsScreen() {
  return <NounList noun={contacts} description={t('about')} />
}
