// Invoices: a searchable list with exact totals, one invoice with its lines, payments and events, and a dialog that
// creates one.
import type { InvoicesListItem, InvoicesListParams } from '@tandem/sdk'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FileText, Plus } from 'lucide-react'
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
import {
  Button,
  ButtonLink,
  Card,
  CodeBlock,
  type Column,
  DataTable,
  Day,
  ListStates,
  Money,
  PageHeader,
  Pager,
  StatusChip,
  TextLink,
  Toolbar,
  toast,
} from '../ui/index.ts'
import { InvoiceFacts, InvoiceLines, InvoicePayments } from './invoice_facts.tsx'
import { InvoiceForm } from './invoice_form.tsx'

export function InvoicesScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('invoices:read')) return <Refused title="Invoices" permission="invoices:read" />
  return id === undefined ? <InvoiceList /> : <InvoicePage key={id} id={id} />
}

const filterNames = ['number', 'customer', 'status', 'due_date[lte]', 'sort'] as const

const columns: Column<InvoicesListItem>[] = [
  { key: 'number', header: 'Number', nowrap: true, render: invoice => invoice.number },
  { key: 'customer', header: 'Customer', hideOnNarrow: true, render: invoice => invoice.customer.name },
  { key: 'status', header: 'Status', nowrap: true, render: invoice => <StatusChip status={invoice.status} /> },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    render: invoice => <Money amount={invoice.amount} currency={invoice.currency} />,
  },
  {
    key: 'due',
    header: 'Still due',
    align: 'end',
    hideOnNarrow: true,
    render: invoice => <Money amount={invoice.amount_due} currency={invoice.currency} />,
  },
  { key: 'issued', header: 'Issued', hideOnNarrow: true, render: invoice => <Day date={invoice.issue_date} /> },
  { key: 'dueDate', header: 'Due', hideOnNarrow: true, render: invoice => <Day date={invoice.due_date} /> },
]

function InvoiceList() {
  const api = useApi()
  const { permissions } = useSession()
  const navigate = useNavigate()
  const [params, change] = useParamsOfAddress()
  const page = pageOf(params)
  const filters = chosenOf(params, filterNames)
  const query = usePagedList('invoices', filters, page, signal =>
    api.invoices.list({ ...(filters as InvoicesListParams), page, limit: pageSize }, { signal }),
  )
  const filter: typeof change = patch => change({ ...patch, page: undefined })
  const invoices = query.data?.invoices ?? []
  const mayCreate = permissions.has('invoices:create')
  const createButton = mayCreate ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create an invoice
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Invoices"
        description="What customers owe, with exact totals, as /v1/api/finance/invoices writes and reads it."
        actions={createButton}
      />
      <Toolbar label="Filters of invoices">
        <TextFilter
          name="customer"
          label="Customer"
          params={params}
          onChange={filter}
          placeholder="Part of the name"
          pageSearch
        />
        <TextFilter name="number" label="Number" params={params} onChange={filter} placeholder="INV-2026-0001" />
        <SelectFilter
          name="status"
          label="Status"
          all="All"
          params={params}
          onChange={filter}
          options={['Draft', 'Sent', 'Paid', 'Overdue', 'Cancelled'].map(value => ({ value, label: value }))}
        />
        <TextFilter name="due_date[lte]" label="Due by" type="date" params={params} onChange={filter} />
        <SelectFilter
          name="sort"
          label="Order"
          all="Newest first"
          params={params}
          onChange={filter}
          options={[
            { value: 'due_date', label: 'Due first' },
            { value: '-amount', label: 'Highest amount' },
            { value: 'number', label: 'Number' },
          ]}
        />
      </Toolbar>
      <Card flush className={query.isPlaceholderData ? record['dim'] : undefined}>
        <ListStates
          label="Loading invoices"
          query={query}
          isEmpty={invoices.length === 0}
          isFiltered={Object.keys(filters).some(name => name !== 'sort') || page > 1}
          onClearFilters={() => change({ ...without(filterNames), page: undefined })}
          empty={{
            icon: <FileText size={20} />,
            title: 'No invoices yet',
            text: 'Create the first one here, or with POST /v1/api/finance/invoices.',
            action: createButton,
          }}
        >
          <DataTable
            caption="Invoices"
            columns={columns}
            rows={invoices}
            rowKey={invoice => String(invoice.id)}
            rowLink={invoice => ({ to: '/invoices/$id', params: { id: String(invoice.id) } })}
            subline={invoice => invoice.customer.name}
            openLabel={invoice => `Open invoice ${invoice.number}`}
          />
          {query.data !== undefined && (
            <Pager {...query.data.pagination} onPage={next => change({ page: String(next) }, { push: true })} />
          )}
        </ListStates>
      </Card>
      {params['create'] !== undefined && mayCreate && (
        <InvoiceForm
          onClose={() => change({ create: undefined })}
          onCreated={invoice => {
            toast({ text: `Invoice ${invoice.number} was created.` })
            void navigate({ to: '/invoices/$id', params: { id: String(invoice.id) }, replace: true })
          }}
        />
      )}
    </>
  )
}

function InvoicePage({ id }: { id: string }) {
  const query = useRecord('invoice', id)
  useLiveResource(id, () => void query.refetch())
  const invoice = query.data
  return (
    <>
      <PageHeader
        title={invoice?.number ?? `Invoice ${id}`}
        description={
          <>
            <TextLink to="/invoices">All invoices</TextLink> / Invoice {id}
          </>
        }
        actions={
          <ButtonLink to="/logs" search={{ resourceId: `invoice:${id}` }}>
            Requests about it
          </ButtonLink>
        }
      />
      <RecordStates kind="invoice" id={id} query={query}>
        {invoice => (
          <div className={record['columns']}>
            <InvoiceFacts invoice={invoice} />
            <ResourceEvents resourceId={id} noun="invoice" />
            <div className={record['all']}>
              <InvoiceLines invoice={invoice} />
            </div>
            <div className={record['all']}>
              <InvoicePayments invoice={invoice} />
            </div>
            <div className={record['all']}>
              <CodeBlock code={JSON.stringify(invoice, null, 2)} language="json" label="Invoice as the API gives it" />
            </div>
          </div>
        )}
      </RecordStates>
    </>
  )
}
