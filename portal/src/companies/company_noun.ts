// Companies as lists and pages draw them: as the server describes them, in the reader's language.
import { companies as described } from '../nouns/described/companies.generated.ts'
import type { NounDescription, Said } from '../nouns/noun.ts'
import { t } from './texts.ts'

const said: Said = {
  name: what => t.of('noun', what),
  field: name => t.of('field', name),
  hint: name => t.of('hint', name),
  choice: (field, value) => t.of('choice', `${field}.${value}`),
  related: many => t.of('related', many),
}

export const industryText = (industry: string): string => said.choice('industry', industry) ?? industry

export const companies: NounDescription = { ...described, said }
