// One company, with the people and enquiries that belong to it.
import { useParams } from '@tanstack/react-router'
import { RecordTimeline } from '../nouns/attached/timeline.tsx'
import { companies } from '../nouns/described/companies.generated.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { CallButton } from '../softphone/phone_button.tsx'

export function CompanyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <NounPage
      noun={companies}
      id={id}
      actions={({ phone, name }) => <CallButton to={phone as string | null} name={String(name)} />}
    >
      {({ id: own, phone }) => (
        <RecordTimeline noun={companies} id={String(own)} phones={phone === null ? [] : [String(phone)]} />
      )}
    </NounPage>
  )
}
