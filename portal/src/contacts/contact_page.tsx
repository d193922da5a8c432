// One contact: a person that one deals with.
import { useParams } from '@tanstack/react-router'
import { CustomerInvoices } from '../invoices/later.ts'
import { BillButton } from '../nouns/attached/bill_button.tsx'
import { PersonWork } from '../nouns/attached/person_work.tsx'
import { ReachButtons } from '../nouns/attached/reach_buttons.tsx'
import type { Entry, NounRecord } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { RecordName } from '../nouns/values.tsx'
import { PersonMenu } from '../privacy/later.ts'
import { contacts } from './contact_noun.ts'

export function ContactPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <NounPage
      noun={contacts}
      id={id}
      mark="person"
      about={about}
      actions={contact => (
        <>
          <BillButton recordId={String(contact.id)} />
          <ReachButtons
            recordId={String(contact.id)}
            name={String(contact['name'])}
            phone={listed(contact['phones'])[0]}
            email={listed(contact['emails'])[0]}
          />
          <PersonMenu recordId={String(contact.id)} name={String(contact['name'])} />
        </>
      )}
      main={(contact, mayWrite) => (
        <PersonWork
          noun={contacts}
          id={String(contact.id)}
          name={String(contact['name'])}
          phones={listed(contact['phones'])}
          emails={listed(contact['emails'])}
          mayWrite={mayWrite}
        />
      )}
    >
      {contact => <CustomerInvoices name={String(contact['name'])} />}
    </NounPage>
  )
}

/** What they do, and where. */
function about({ job_title: job, companies }: NounRecord) {
  const first = byPrimary(companies)[0]?.value
  return (
    <>
      {job != null && <bdi>{String(job)}</bdi>}
      {first !== undefined && <RecordName of="company" id={String(first)} />}
    </>
  )
}

const byPrimary = (entries: unknown) =>
  ((entries ?? []) as Entry[]).toSorted((a, b) => Number(b.is_primary === true) - Number(a.is_primary === true))

/** Numbers or addresses, the one that is used first first. */
const listed = (entries: unknown): string[] => byPrimary(entries).map(({ value }) => String(value))
