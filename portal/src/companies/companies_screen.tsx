// Companies: their list.
import { companies } from '../nouns/described/companies.generated.ts'
import { NounList } from '../nouns/list.tsx'

export function CompaniesScreen() {
  return <NounList noun={companies} description="Organizations that are customers, or may become so." />
}
