// Contacts as lists and pages draw them: as the server describes them, in the reader's language.
import { contacts as described } from '../nouns/described/contacts.generated.ts'
import type { NounDescription, Said } from '../nouns/noun.ts'
import { t } from './texts.ts'

const said: Said = {
  name: what => t.of('noun', what),
  field: name => t.of('field', name),
  hint: name => t.of('hint', name),
  choice: () => undefined,
  related: many => t.of('related', many),
}

export const contacts: NounDescription = { ...described, said }
