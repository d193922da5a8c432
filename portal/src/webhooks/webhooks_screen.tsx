// Webhooks: where the organization hears of events, the delivery health of each receiver, and what was delivered.
import type { Webhook } from '@tandem/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { lazyPart } from '../navigation/lazy_screen.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink, Card, type Column, countText, IdLink, PageHeader, Time, Toolbar } from '../ui/index.ts'
import { typesText } from './event_types.ts'
import { useDeliverable } from './following.ts'
import { Readable } from './readable.tsx'
import type { ShownSecret } from './webhook_secret.tsx'
import { StateLine, WebhookChip } from './webhook_state.tsx'
import styles from './webhooks.module.css'

const NewWebhook = lazyPart(() => import('./webhook_dialogs.tsx').then(module => module.NewWebhook))

export function WebhooksScreen() {
  return (
    <Readable>
      <WebhookList />
    </Readable>
  )
}

const columns: Column<Webhook>[] = [
  {
    key: 'url',
    header: 'URL',
    render: ({ url, description }) => (
      <span className={styles['name']}>
        <span className={styles['url']}>{url}</span>
        {description !== null && <span className={styles['faint']}>{description}</span>}
      </span>
    ),
  },
  {
    key: 'events',
    header: 'Events',
    hideOnNarrow: true,
    render: ({ eventTypes }) => (
      <span className={styles['typesText']} title={typesText(eventTypes)}>
        {typesText(eventTypes)}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    render: webhook => (
      <span className={styles['stateCell']}>
        <WebhookChip webhook={webhook} />
        <StateLine webhook={webhook} />
      </span>
    ),
  },
  {
    key: 'delivered',
    header: 'Last delivered',
    nowrap: true,
    hideOnNarrow: true,
    render: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? <span className={styles['faint']}>Never</span> : <Time iso={lastDeliveredAt} />,
  },
  {
    key: 'waiting',
    header: 'Waiting',
    align: 'end',
    hideOnNarrow: true,
    render: ({ waiting }) => (waiting >= 10_000 ? '10,000+' : countText(waiting)),
  },
  {
    key: 'id',
    header: 'Id',
    hideOnNarrow: true,
    render: ({ webhookId }) => <IdLink id={webhookId}>Inspect</IdLink>,
  },
]

function WebhookList() {
  const api = useApi()
  const navigate = useNavigate()
  const { permissions, mode } = useSession()
  const [params, change] = useParamsOfAddress()
  const [made, setMade] = useState<ShownSecret>()
  const { enabled } = params
  const filters = enabled === 'yes' || enabled === 'no' ? { enabled: enabled === 'yes' } : {}
  const list = useCursorList<Webhook>('webhooks', filters, (cursor, signal) =>
    api.webhooks.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  // A webhook that begins to fail, or is disabled, says so by itself.
  useDeliverable(
    type => type.startsWith('webhook.'),
    () => list.query.refetch(),
  )
  const createButton = permissions.has('webhooks:manage') && (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create a webhook
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Events are sent to these addresses as they happen: signed, tried again for three days, and kept for a replay."
        actions={
          <>
            <ButtonLink to="/webhooks/callbacks">Callback URLs</ButtonLink>
            {createButton}
          </>
        }
      />
      <Toolbar label="Filters of webhooks">
        <SelectFilter
          name="enabled"
          label="State"
          all="All"
          params={params}
          onChange={change}
          options={[
            { value: 'yes', label: 'Enabled' },
            { value: 'no', label: 'Disabled' },
          ]}
        />
      </Toolbar>
      <Card flush>
        <CursorTable
          list={list}
          noun="webhooks"
          isFiltered={'enabled' in filters}
          onClearFilters={() => change({ enabled: undefined })}
          empty={{
            icon: <WebhookIcon size={20} />,
            title: 'No webhooks yet',
            text: createButton
              ? `Name an address of yours, and it hears of each ${mode} event within a second.`
              : 'Nothing is sent anywhere. An Admin can create a webhook.',
            ...(createButton ? { action: createButton } : {}),
          }}
          caption="Webhooks"
          columns={columns}
          rowKey={({ webhookId }) => webhookId}
          rowLink={({ webhookId }) => ({ to: '/webhooks/$id', params: { id: webhookId } })}
          openLabel={({ url }) => `Open the webhook to ${url}`}
          rowTone={({ health }) => (health === 'probing' ? 'bad' : health === 'failing' ? 'warn' : undefined)}
        />
      </Card>
      <Suspense fallback={null}>
        {(params['create'] !== undefined || made !== undefined) && permissions.has('webhooks:manage') && (
          <NewWebhook
            made={made}
            onClose={() => change({ create: undefined })}
            onCreated={reply => {
              setMade(reply)
              change({ create: undefined })
            }}
            onDone={({ webhookId }) => {
              setMade(undefined)
              void navigate({ to: '/webhooks/$id', params: { id: webhookId } })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
