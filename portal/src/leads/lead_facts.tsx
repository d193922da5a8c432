// One lead in full. Shown on its own page and in the inspector.
import type { Lead } from '@tandem/sdk'
import record from '../app/record.module.css'
import { Card, Chip, DescriptionList, Moment, StatusChip } from '../ui/index.ts'

export function LeadFacts({ lead }: { lead: Lead }) {
  return (
    <Card title="Lead" actions={lead.deleted_at !== undefined ? <Chip tone="warn">In the bin</Chip> : undefined}>
      <DescriptionList
        items={[
          { term: 'Name', detail: lead.name },
          { term: 'Status', detail: <StatusChip status={lead.status} /> },
          { term: 'Priority', detail: <StatusChip status={lead.priority} /> },
          { term: 'E-mail', detail: lead.email ?? '–' },
          { term: 'Phone', detail: lead.phone ?? '–' },
          { term: 'Company', detail: lead.company ?? '–' },
          { term: 'Source', detail: lead.source ?? '–' },
          { term: 'Owner', detail: lead.owner_id === null ? 'Nobody' : `User ${lead.owner_id}` },
          ...(lead.lost_reason === null ? [] : [{ term: 'Given up because', detail: lead.lost_reason }]),
          { term: 'Created', detail: <Moment iso={lead.created_at} /> },
          { term: 'First answer', detail: <Moment iso={lead.first_responded_at} /> },
          { term: 'Changed', detail: <Moment iso={lead.updated_at} /> },
          ...(lead.notes === null
            ? []
            : [{ term: 'Notes', detail: <span className={record['notes']}>{lead.notes}</span> }]),
        ]}
      />
    </Card>
  )
}
