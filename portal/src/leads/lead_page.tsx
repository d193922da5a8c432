// One lead, as the place where it is won: where it stands, what to do next, and what was exchanged with it.
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { PersonWork } from '../nouns/attached/person_work.tsx'
import type { NounRecord } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { StatusSteps } from '../nouns/status_steps.tsx'
import { RecordName } from '../nouns/values.tsx'
import { PersonMenu } from '../privacy/later.ts'
import { useSession } from '../session/session.ts'
import { MoveDialog, ResourceEvents } from './later.ts'
import { useLeadMoves } from './lead_moves.ts'
import { LeadNext } from './lead_next.tsx'
import { leads } from './lead_noun.ts'

const listed = (value: unknown): string[] => (value == null ? [] : [String(value)])

export function LeadPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const cache = useQueryClient()
  const { mode } = useSession()
  const put = (lead: NounRecord) => {
    cache.setQueryData([mode, leads.one, id], lead)
    void cache.invalidateQueries({ queryKey: [mode, 'timeline'] })
  }
  const moves = useLeadMoves(put)
  return (
    <>
      <NounPage
        noun={leads}
        id={id}
        mark="person"
        about={about}
        apart={['status']}
        actions={lead => (
          <>
            <LeadNext lead={lead} moves={moves} />
            <PersonMenu recordId={`lead:${lead.id}`} name={String(lead['name'])} />
          </>
        )}
        steps={lead => (
          <StatusSteps
            noun={leads}
            record={lead}
            busy={moves.busy}
            mayMove={to => moves.targetsOf(lead).includes(to)}
            onMove={to => moves.begin(lead, to)}
          />
        )}
        main={(lead, mayWrite) => (
          <PersonWork
            noun={leads}
            id={id}
            name={String(lead['name'])}
            phones={listed(lead['phone'])}
            emails={listed(lead['email'])}
            mayWrite={mayWrite}
            leadId={Number(lead.id)}
          />
        )}
        developer={() => <ResourceEvents resourceId={id} noun={leads.one} />}
      />
      {moves.asked !== undefined && (
        <MoveDialog
          move={moves.asked}
          onClose={moves.close}
          onMoved={moved => {
            moves.close()
            put(moved)
          }}
        />
      )}
    </>
  )
}

/** The company by its record, where there is one. */
function about(lead: NounRecord) {
  if (lead['company_id'] !== null) return <RecordName of="company" id={String(lead['company_id'])} />
  return lead['company'] === null ? null : <bdi>{String(lead['company'])}</bdi>
}
