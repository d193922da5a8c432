// Webhooks: where the organization hears of events, the delivery health of each receiver, and what was delivered.
import type { Webhook } from '@tandem/sdk'
import { Suspense } from 'react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { ButtonLink, countText } from '../ui/index.ts'
import { lazyPart, readyPart } from '../ui/lazy_part.tsx'
import { byLanguage } from '../words/words.ts'
import { typesText } from './event_types.ts'
import { useDeliverable } from './following.ts'
import { t } from './texts.ts'
import { StateLine, WebhookChip } from './webhook_state.tsx'

const NewWebhook = readyPart(() => import('./webhook_dialogs.tsx').then(module => module.NewWebhook))

const ListenPanel = lazyPart(() => import('./listen_panel.tsx').then(module => module.ListenPanel))

const webhooks = byLanguage(
  (): Resource<Webhook> => ({
    many: 'webhooks',
    things: t('things'),
    about: t('about'),
    from: api => api.webhooks.list,
    id: 'webhookId',
    nameOf: ({ url }) => t('nameOf', { url }),
    filters: [
      {
        name: 'enabled',
        label: t('state'),
        options: [
          { value: 'yes', label: t('enabled') },
          { value: 'no', label: t('disabled') },
        ],
        asked: value => (value === 'yes' || value === 'no' ? { enabled: value === 'yes' } : {}),
      },
    ],
    columns: [
      { name: 'url', label: t('url'), px: 260 },
      { name: 'description', label: t('description'), px: 150, atFirst: 'wide' },
      {
        name: 'eventTypes',
        label: t('events'),
        px: 170,
        atFirst: 'wide',
        cell: ({ eventTypes }) => typesText(eventTypes),
      },
      { name: 'health', label: t('status'), px: 100, cell: webhook => <WebhookChip webhook={webhook} /> },
      { name: 'reason', label: t('because'), px: 180, cell: webhook => <StateLine webhook={webhook} /> },
      { name: 'lastDeliveredAt', label: t('lastDelivered'), kind: 'time', atFirst: 'wide' },
      {
        name: 'waiting',
        label: t('waiting'),
        kind: 'count',
        atFirst: 'wide',
        cell: ({ waiting }) => countText(Math.min(waiting, 10_000), waiting < 10_000),
      },
      { name: 'createdAt', label: t('created'), kind: 'time', atFirst: 'never' },
      { name: 'webhookId', label: t('id'), kind: 'id', atFirst: 'wide' },
    ],
    tools: <ButtonLink to="/webhooks/callbacks">{t('callbacks')}</ButtonLink>,
    create: { label: t('create'), needs: 'webhooks:manage', Form: NewWebhook },
    // A webhook that begins to fail, or is disabled, says so by itself.
    useNews: list => useDeliverable(['webhook.*'], () => list.query.refetch()),
    toneOf: ({ health }) => (health === 'probing' ? 'bad' : health === 'failing' ? 'warn' : undefined),
    below: (
      <Suspense fallback={null}>
        <ListenPanel />
      </Suspense>
    ),
    empty: {
      text: ({ mode, mayCreate }) => (mayCreate ? t('emptyManager', { mode }) : t('emptyOther')),
    },
  }),
)

export const WebhooksScreen = () => <ResourceScreen of={webhooks} />
