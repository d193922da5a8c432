// Leads: a searchable list with exact totals, one lead with what happened to it, and a dialog that creates one.
import type { Lead, LeadsListParams } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useApi } from '../app/api.ts'
import { Refused } from '../app/fallbacks.tsx'
import { SelectFilter, TextFilter } from '../app/filters.tsx'
import { useLiveResource } from '../app/live_records.ts'
import { pageOf, pageSize, usePagedList } from '../app/pages.ts'
import { chosenOf, without } from '../app/params.ts'
import record from '../app/record.module.css'
import { RecordStates } from '../app/record_states.tsx'
import { useRecord } from '../app/records.ts'
import { ResourceEvents } from '../app/resource_events.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import { CallButton } from '../phone/phone_button.tsx'
import {
  Button,
  ButtonLink,
  Card,
  CodeBlock,
  type Column,
  DataTable,
  ListStates,
  PageHeader,
  Pager,
  StatusChip,
  TextLink,
  Time,
  Toolbar,
  toast,
} from '../ui/index.ts'
import { DuplicatesNote, keepDuplicates } from './duplicates.tsx'
import { LeadFacts } from './lead_facts.tsx'
import { LeadForm } from './lead_form.tsx'
import { LeadTimeline } from './lead_timeline.tsx'

export function LeadsScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('leads:read')) return <Refused title="Leads" permission="leads:read" />
  return id === undefined ? <LeadList /> : <LeadPage key={id} id={id} />
}

const statuses: Lead['status'][] = ['New', 'Contacted', 'Nurturing', 'Qualified', 'Converted', 'Unqualified', 'Junk']
const filterNames = ['q', 'status', 'priority', 'owner_id', 'sort'] as const

const columns: Column<Lead>[] = [
  { key: 'name', header: 'Name', render: lead => lead.name },
  { key: 'company', header: 'Company', hideOnNarrow: true, render: lead => lead.company ?? '–' },
  { key: 'status', header: 'Status', nowrap: true, render: lead => <StatusChip status={lead.status} /> },
  { key: 'priority', header: 'Priority', render: lead => <StatusChip status={lead.priority} /> },
  { key: 'email', header: 'E-mail', hideOnNarrow: true, render: lead => lead.email ?? '–' },
  {
    key: 'phone',
    header: 'Phone',
    nowrap: true,
    hideOnNarrow: true,
    render: lead => (
      <>
        {lead.phone ?? '–'} <CallButton compact to={lead.phone} name={lead.name} leadId={lead.id} />
      </>
    ),
  },
  { key: 'created', header: 'Created', hideOnNarrow: true, render: lead => <Time iso={lead.created_at} /> },
]

function LeadList() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [params, change] = useParamsOfAddress()
  const page = pageOf(params)
  const filters = chosenOf(params, filterNames)
  const query = usePagedList('leads', filters, page, signal =>
    api.leads.list({ ...(filters as LeadsListParams), page, limit: pageSize }, { signal }),
  )
  const filter: typeof change = patch => change({ ...patch, page: undefined })
  const leads = query.data?.leads ?? []
  const mayCreate = permissions.has('leads:create')
  const createButton = mayCreate ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create a lead
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Leads"
        description="People and enquiries to win, as POST and GET /v1/api/leads write and read them."
        actions={createButton}
      />
      <Toolbar label="Filters of leads">
        <TextFilter
          name="q"
          label="Search"
          params={params}
          onChange={filter}
          placeholder="Name, e-mail, phone, company"
          pageSearch
        />
        <SelectFilter
          name="status"
          label="Status"
          all="All"
          params={params}
          onChange={filter}
          options={statuses.map(value => ({ value, label: value }))}
        />
        <SelectFilter
          name="priority"
          label="Priority"
          all="All"
          params={params}
          onChange={filter}
          options={['Hot', 'Warm', 'Cold'].map(value => ({ value, label: value }))}
        />
        <SelectFilter
          name="owner_id"
          label="Owner"
          all="Anybody"
          params={params}
          onChange={filter}
          options={[
            { value: 'me', label: 'Me' },
            { value: 'none', label: 'Nobody' },
          ]}
        />
        <SelectFilter
          name="sort"
          label="Order"
          all="Newest first"
          params={params}
          onChange={filter}
          options={[
            { value: 'created_at', label: 'Oldest first' },
            { value: '-updated_at', label: 'Last changed' },
            { value: 'name', label: 'Name' },
            { value: 'priority', label: 'Priority' },
          ]}
        />
      </Toolbar>
      <Card flush className={query.isPlaceholderData ? record['dim'] : undefined}>
        <ListStates
          label="Loading leads"
          query={query}
          isEmpty={leads.length === 0}
          isFiltered={Object.keys(filters).some(name => name !== 'sort') || page > 1}
          onClearFilters={() => change({ ...without(filterNames), page: undefined })}
          empty={{
            icon: <Users size={20} />,
            title: 'No leads yet',
            text: 'Create the first one here, or with POST /v1/api/leads from your website.',
            action: createButton,
          }}
        >
          <DataTable
            caption="Leads"
            columns={columns}
            rows={leads}
            rowKey={lead => String(lead.id)}
            rowLink={lead => ({ to: '/leads/$id', params: { id: String(lead.id) } })}
            subline={lead => lead.company ?? lead.email ?? lead.phone}
            openLabel={lead => `Open ${lead.name}`}
          />
          {query.data !== undefined && (
            <Pager {...query.data.pagination} onPage={next => change({ page: String(next) }, { push: true })} />
          )}
        </ListStates>
      </Card>
      {params['create'] !== undefined && mayCreate && (
        <LeadForm
          onClose={() => change({ create: undefined })}
          onCreated={reply => {
            keepDuplicates(cache, mode, reply)
            toast({ text: `${reply.lead.name} was created.` })
            void navigate({ to: '/leads/$id', params: { id: String(reply.lead.id) }, replace: true })
          }}
        />
      )}
    </>
  )
}

function LeadPage({ id }: { id: string }) {
  const query = useRecord('lead', id)
  useLiveResource(id, () => void query.refetch())
  return (
    <>
      <PageHeader
        title={query.data?.name ?? `Lead ${id}`}
        description={
          <>
            <TextLink to="/leads">All leads</TextLink> / Lead {id}
          </>
        }
        actions={
          <>
            {query.data !== undefined && (
              <CallButton to={query.data.phone} name={query.data.name} leadId={query.data.id} />
            )}
            <ButtonLink to="/logs" search={{ resourceId: `lead:${id}` }}>
              Requests about it
            </ButtonLink>
          </>
        }
      />
      <DuplicatesNote id={id} />
      <RecordStates kind="lead" id={id} query={query}>
        {lead => (
          <div className={record['columns']}>
            <LeadFacts lead={lead} />
            <LeadTimeline id={lead.id} phone={lead.phone} />
            <ResourceEvents resourceId={id} noun="lead" />
            <div className={record['all']}>
              <CodeBlock code={JSON.stringify(lead, null, 2)} language="json" label="Lead as the API gives it" />
            </div>
          </div>
        )}
      </RecordStates>
    </>
  )
}
