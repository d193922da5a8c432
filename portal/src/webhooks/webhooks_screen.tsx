// Webhooks: where the organization hears of events, the delivery health of each receiver, and what was delivered.
import type { Webhook } from '@tandem/sdk'
import { Suspense } from 'react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { ButtonLink, countText } from '../ui/index.ts'
import { lazyPart, readyPart } from '../ui/lazy_part.tsx'
import { typesText } from './event_types.ts'
import { useDeliverable } from './following.ts'
import { StateLine, WebhookChip } from './webhook_state.tsx'

const NewWebhook = readyPart(() => import('./webhook_dialogs.tsx').then(module => module.NewWebhook))

const ListenPanel = lazyPart(() => import('./listen_panel.tsx').then(module => module.ListenPanel))

const webhooks: Resource<Webhook> = {
  many: 'webhooks',
  about:
    'Events are sent to these addresses as they happen: signed, tried again for three days, and kept for a replay.',
  from: api => api.webhooks.list,
  id: 'webhookId',
  nameOf: ({ url }) => `the webhook to ${url}`,
  filters: [
    {
      name: 'enabled',
      label: 'State',
      options: [
        { value: 'yes', label: 'Enabled' },
        { value: 'no', label: 'Disabled' },
      ],
      asked: value => (value === 'yes' || value === 'no' ? { enabled: value === 'yes' } : {}),
    },
  ],
  columns: [
    { name: 'url', label: 'URL', px: 260 },
    { name: 'description', label: 'Description', px: 150, atFirst: 'wide' },
    { name: 'eventTypes', label: 'Events', px: 170, atFirst: 'wide', cell: ({ eventTypes }) => typesText(eventTypes) },
    { name: 'health', label: 'Status', px: 100, cell: webhook => <WebhookChip webhook={webhook} /> },
    { name: 'reason', label: 'Because', px: 180, cell: webhook => <StateLine webhook={webhook} /> },
    { name: 'lastDeliveredAt', label: 'Last delivered', kind: 'time', atFirst: 'wide' },
    {
      name: 'waiting',
      label: 'Waiting',
      kind: 'count',
      atFirst: 'wide',
      cell: ({ waiting }) => (waiting >= 10_000 ? '10,000+' : countText(waiting)),
    },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'never' },
    { name: 'webhookId', label: 'Id', kind: 'id', atFirst: 'wide' },
  ],
  tools: <ButtonLink to="/webhooks/callbacks">Callback URLs</ButtonLink>,
  create: { label: 'Create a webhook', needs: 'webhooks:manage', Form: NewWebhook },
  // A webhook that begins to fail, or is disabled, says so by itself.
  useNews: list =>
    useDeliverable(
      type => type.startsWith('webhook.'),
      () => list.query.refetch(),
    ),
  toneOf: ({ health }) => (health === 'probing' ? 'bad' : health === 'failing' ? 'warn' : undefined),
  below: (
    <Suspense fallback={null}>
      <ListenPanel />
    </Suspense>
  ),
  empty: {
    text: ({ mode, mayCreate }) =>
      mayCreate
        ? `Name an address of yours, and it hears of each ${mode} event within a second.`
        : 'Nothing is sent anywhere. An Admin can create a webhook.',
  },
}

export const WebhooksScreen = () => <ResourceScreen of={webhooks} />
