// One company, with the people and enquiries that belong to it.
import { useParams } from '@tanstack/react-router'
import { RecordTimeline } from '../nouns/attached/timeline.tsx'
import { companies } from '../nouns/described/companies.generated.ts'
import type { Related } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { CallButton } from '../softphone/phone_button.tsx'

const leads: Related = {
  noun: 'leads',
  title: 'Leads',
  field: 'company_id',
  parameter: 'company_id',
  permission: 'leads:read',
}

export function CompanyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <NounPage
      noun={companies}
      id={id}
      related={[leads]}
      actions={({ phone, name }) => <CallButton to={phone as string | null} name={String(name)} />}
    >
      {({ id: own, phone }) => (
        <RecordTimeline noun={companies} id={String(own)} phones={phone === null ? [] : [String(phone)]} />
      )}
    </NounPage>
  )
}
