// Companies: their list.

import { NounList } from '../nouns/list.tsx'
import { companies } from './company_noun.ts'
import { t } from './texts.ts'

export function CompaniesScreen() {
  return <NounList noun={companies} description={t('about')} />
}
