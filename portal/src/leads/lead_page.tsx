// One lead, with what was exchanged with it.
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ResourceEvents } from '../data/resource_events.tsx'
import { MailButton } from '../mails/mail_button.tsx'
import { RecordTimeline } from '../nouns/attached/timeline.tsx'
import type { NounRecord } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { useSession } from '../session/session.ts'
import { CallButton } from '../softphone/phone_button.tsx'
import { LeadMoves } from './lead_moves.tsx'
import { leads } from './lead_noun.ts'

export function LeadPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const cache = useQueryClient()
  const { mode } = useSession()
  const put = (lead: NounRecord) => void cache.setQueryData([mode, leads.one, id], lead)
  return (
    <NounPage
      noun={leads}
      id={id}
      actions={lead => (
        <>
          <CallButton to={lead['phone'] as string | null} name={String(lead['name'])} leadId={Number(lead.id)} />
          <MailButton
            recordId={`lead:${id}`}
            name={String(lead['name'])}
            to={lead['email'] === null ? [] : [String(lead['email'])]}
          />
          <LeadMoves lead={lead} onMoved={put} />
        </>
      )}
    >
      {lead => (
        <>
          <RecordTimeline noun={leads} id={id} phones={lead['phone'] === null ? [] : [String(lead['phone'])]} />
          <ResourceEvents resourceId={id} noun="lead" />
        </>
      )}
    </NounPage>
  )
}
