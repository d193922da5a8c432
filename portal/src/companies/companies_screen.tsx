// Companies: their list.
import { companies } from '../nouns/described/companies.generated.ts'
import { NounList } from '../nouns/list.tsx'
import { t } from './texts.ts'

export function CompaniesScreen() {
  return <NounList noun={companies} description={t('about')} />
}
