// The deliveries of a webhook, or those to callback URLs: filtered, live, each to be opened and sent again.
import type { Webhook, WebhooksDeliveriesParams } from '@tandem/sdk'
import { RefreshCw, RotateCw, Send } from 'lucide-react'
import { Suspense, useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useInspect } from '../navigation/inspect.ts'
import { chosenOf, without } from '../navigation/params.ts'
import { fromStartOfDay, useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { Column } from '../ui/data_table.tsx'
import { Button, Card, IconButton, Time, Toolbar, Wrapped } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { DeliveryChip, NextAttempt, Outcome } from './delivery_outcome.tsx'
import { typeOptions, useEventGroups } from './event_types.ts'
import { hears, useDeliverable, useFollowing, useRefreshed } from './following.ts'
import type { Delivery } from './outcome.ts'
import { useRedelivery } from './replaying.ts'
import styles from './webhooks.module.css'

const ReplayDialog = lazyPart(() => import('./replay_dialog.tsx').then(module => module.ReplayDialog))

const filterNames = ['status', 'eventType', 'createdAfter', 'eventId', 'resourceId'] as const
/** What has a callbackUrl. */
const callbackNouns = ['message', 'call'] as const

/** @param webhook whose deliveries; null for those to callback URLs */
export function Deliveries({ webhook }: { webhook: Webhook | null }) {
  const api = useApi()
  const { permissions } = useSession()
  const { inspected, inspect } = useInspect()
  const [params, change] = useParamsOfAddress()
  const [replaying, setReplaying] = useState(false)
  const groups = useEventGroups()
  const refresh = useRefreshed()
  const redelivery = useRedelivery()
  const webhookId = webhook?.webhookId ?? null
  const filters = chosenOf(params, filterNames)
  const asked = fromStartOfDay(filters, 'createdAfter')
  const list = useCursorList<Delivery>('deliveries', { of: webhookId, ...filters }, (cursor, signal) => {
    const query = {
      ...(asked as Omit<WebhooksDeliveriesParams, 'webhookId'>),
      limit: 50,
      ...(cursor ? { cursor } : {}),
    }
    return webhookId === null
      ? api.webhooks.callbackDeliveries(query, { signal })
      : api.webhooks.deliveries({ webhookId, ...query }, { signal })
  })
  const sends = webhook?.enabled ?? true
  useFollowing(sends ? list.items : [], () => refresh())
  useDeliverable(
    (type, resourceId) =>
      webhook === null
        ? callbackNouns.some(noun => type.startsWith(`${noun}.`))
        : type.startsWith('webhook.')
          ? resourceId === webhookId || hears(webhook.eventTypes, type)
          : hears(webhook.eventTypes, type),
    () => refresh(),
  )
  const mayManage = permissions.has('webhooks:manage')
  const again = ({ deliveryId }: Delivery) => redelivery.mutate({ target: webhookId, deliveryId })
  const nouns = webhook === null ? callbackNouns : undefined
  return (
    <Card
      flush
      title="Deliveries"
      actions={
        <>
          <IconButton
            size="sm"
            label="Refresh the deliveries"
            icon={<RefreshCw size={14} />}
            onClick={() => void refresh()}
          />
          {mayManage && (
            <Button size="sm" icon={<RotateCw size={14} />} disabled={!sends} onClick={() => setReplaying(true)}>
              Send events again
            </Button>
          )}
        </>
      }
    >
      <div className={styles['filters']}>
        <Toolbar label="Filters of deliveries">
          <SelectFilter
            name="status"
            label="Status"
            all="All"
            params={params}
            onChange={change}
            options={['pending', 'delivered', 'failed'].map(value => ({ value, label: value }))}
          />
          <SelectFilter
            name="eventType"
            label="Event type"
            all="All"
            params={params}
            onChange={change}
            options={typeOptions(groups.data ?? [], nouns)}
          />
          <TextFilter name="createdAfter" label="Since" type="date" params={params} onChange={change} />
          <TextFilter name="resourceId" label="Resource" placeholder="msg_…" mono params={params} onChange={change} />
          <TextFilter name="eventId" label="Event" placeholder="evt_…" mono params={params} onChange={change} />
        </Toolbar>
      </div>
      <CursorTable
        list={list}
        isFiltered={Object.keys(filters).length > 0}
        onClearFilters={() => change(without(filterNames))}
        empty={{
          icon: <Send size={20} />,
          title: 'Nothing delivered yet',
          text:
            webhook === null
              ? 'Send a message or start a call with a callbackUrl, and what is sent there appears here.'
              : 'Send a test event, and what becomes of it appears here.',
        }}
        caption="Deliveries"
        columns={columnsOf({ again: mayManage && sends ? again : undefined, withUrl: webhook === null })}
        rowKey={({ deliveryId }) => deliveryId}
        onOpen={({ deliveryId }) => inspect(deliveryId)}
        openLabel={({ eventType, status }) => `Open the delivery of ${eventType}, ${status}`}
        subline={({ createdAt }) => <Time iso={createdAt} />}
        rowTone={({ status }) => (status === 'failed' ? 'bad' : undefined)}
        {...(inspected === undefined ? {} : { selectedKey: inspected })}
      />
      <Suspense fallback={null}>
        {replaying && (
          <ReplayDialog
            target={webhookId}
            failingSince={webhook?.failingSince ?? null}
            {...(nouns === undefined ? {} : { nouns })}
            onClose={() => setReplaying(false)}
          />
        )}
      </Suspense>
    </Card>
  )
}

type ColumnsOptions = { again: ((delivery: Delivery) => void) | undefined; withUrl: boolean }
function columnsOf({ again, withUrl }: ColumnsOptions): Column<Delivery>[] {
  return [
    { key: 'type', header: 'Event', render: delivery => <Wrapped text={delivery.eventType} /> },
    {
      key: 'status',
      header: 'Status',
      render: delivery => (
        <span className={styles['stateCell']}>
          <DeliveryChip delivery={delivery} />
          <NextAttempt delivery={delivery} />
        </span>
      ),
    },
    {
      key: 'answer',
      header: 'Last answer',
      render: delivery => <Outcome status={delivery.lastStatus} error={delivery.lastError} />,
    },
    ...(withUrl
      ? [
          {
            key: 'url',
            header: 'Address',
            hideOnNarrow: true,
            render: (delivery: Delivery) => <span className={styles['url']}>{delivery.url}</span>,
          },
        ]
      : []),
    { key: 'attempts', header: 'Attempts', align: 'end', hideOnNarrow: true, render: delivery => delivery.attempts },
    {
      key: 'created',
      header: 'Happened',
      nowrap: true,
      hideOnNarrow: true,
      render: delivery => <Time iso={delivery.createdAt} />,
    },
    ...(again === undefined
      ? []
      : [
          {
            key: 'again',
            header: 'Again',
            align: 'end' as const,
            render: (delivery: Delivery) => (
              <IconButton
                size="sm"
                label={`Deliver ${delivery.eventType} again`}
                icon={<RotateCw size={14} />}
                onClick={() => again(delivery)}
              />
            ),
          },
        ]),
  ]
}
