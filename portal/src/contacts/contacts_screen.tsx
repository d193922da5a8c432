// Contacts: their list.
import { contacts } from '../nouns/described/contacts.generated.ts'
import { NounList } from '../nouns/list.tsx'

export function ContactsScreen() {
  return <NounList noun={contacts} description="The people that one deals with, and the companies they belong to." />
}
