// One contact: a person that one deals with.
import { useParams } from '@tanstack/react-router'
import { MailButton } from '../mails/mail_button.tsx'
import { RecordTimeline } from '../nouns/attached/timeline.tsx'
import { contacts } from '../nouns/described/contacts.generated.ts'
import type { Entry } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { CallButton } from '../softphone/phone_button.tsx'

export function ContactPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <NounPage
      noun={contacts}
      id={id}
      actions={({ id: own, phones, emails, name }) => {
        const numbers = (phones ?? []) as Entry[]
        const first = numbers.find(entry => entry.is_primary)?.value
        return (
          <>
            <CallButton to={(first as string | undefined) ?? null} name={String(name)} />
            <MailButton recordId={String(own)} name={String(name)} to={addressesOf((emails ?? []) as Entry[])} />
          </>
        )
      }}
    >
      {({ id: own, phones }) => (
        <RecordTimeline
          noun={contacts}
          id={String(own)}
          phones={((phones ?? []) as Entry[]).map(({ value }) => String(value))}
        />
      )}
    </NounPage>
  )
}

/** The one that is written to first. */
function addressesOf(emails: readonly Entry[]): string[] {
  return emails
    .toSorted((a, b) => Number(b.is_primary === true) - Number(a.is_primary === true))
    .map(({ value }) => String(value))
}
