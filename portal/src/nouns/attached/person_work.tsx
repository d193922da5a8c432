// What one does with a person or a company all day: writing and calling at the top, and below it what was said, written and changed.
import { type NounDescription, recordIdOf } from '../noun.ts'
import { Composer } from './composer.tsx'
import { RecordTimeline } from './timeline.tsx'

export type PersonWorkProps = {
  noun: NounDescription
  id: string
  /** What it is called. */
  name: string
  /** Its numbers and addresses as they are now, the primary one first. */
  phones: readonly string[]
  emails: readonly string[]
  /** Whether the person may change the record, and so put something on it. */
  mayWrite: boolean
  /** Of a lead, by which its calls are known. */
  leadId?: number
}

export function PersonWork({ noun, id, name, phones, emails, mayWrite, leadId }: PersonWorkProps) {
  return (
    <>
      <Composer
        story={{ noun: noun.many, id }}
        recordId={recordIdOf(noun, id)}
        name={name}
        phones={phones}
        emails={emails}
        mayWrite={mayWrite}
        {...(leadId !== undefined && { leadId })}
      />
      <RecordTimeline noun={noun} id={id} name={name} phones={phones} />
    </>
  )
}
