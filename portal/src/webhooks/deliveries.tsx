// The deliveries of a webhook, or those to callback URLs: filtered, live, each to be opened and sent again.
import type { Webhook, WebhooksDeliveriesParams } from '@tandem/sdk'
import { RefreshCw, RotateCw, Send } from 'lucide-react'
import { Suspense, useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { inspectedId, withoutNoun } from '../data/inspected_id.ts'
import { useCursorList } from '../data/lists.ts'
import { useInspect } from '../navigation/inspect.ts'
import { chosenOf, type Params, without } from '../navigation/params.ts'
import { fromStartOfDay, useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { Column } from '../ui/data_table.tsx'
import { Button, Card, IconButton, IdLink, Time, Toolbar, Wrapped } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { DeliveryChip, NextAttempt, Outcome } from './delivery_outcome.tsx'
import { type EventGroup, typeOptions, useEventGroups } from './event_types.ts'
import { hears, useDeliverable, useFollowing, useRefreshed } from './following.ts'
import type { Delivery } from './outcome.ts'
import { useRedelivery } from './replaying.ts'
import { t } from './texts.ts'
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
  const asked = fromStartOfDay(withoutNoun(filters, 'eventType'), 'createdAfter')
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
    webhook === null
      ? callbackNouns.map(noun => `${noun}.*`)
      : webhook.eventTypes && [...webhook.eventTypes, 'webhook.*'],
    () => refresh(),
    (type, resourceId) =>
      webhook === null || !type.startsWith('webhook.') || resourceId === webhookId || hears(webhook.eventTypes, type),
  )
  const mayManage = permissions.has('webhooks:manage')
  const again = ({ deliveryId }: Delivery) => redelivery.mutate({ target: webhookId, deliveryId })
  const nouns = webhook === null ? callbackNouns : undefined
  return (
    <Card
      flush
      title={t('deliveries')}
      actions={
        <>
          <IconButton
            size="sm"
            label={t('refreshDeliveries')}
            icon={<RefreshCw size={14} />}
            onClick={() => void refresh()}
          />
          {mayManage && (
            <Button size="sm" icon={<RotateCw size={14} />} disabled={!sends} onClick={() => setReplaying(true)}>
              {t('replay')}
            </Button>
          )}
        </>
      }
    >
      <Filters params={params} groups={groups.data ?? []} nouns={nouns} onChange={change} />
      <CursorTable
        list={list}
        isFiltered={Object.keys(filters).length > 0}
        onClearFilters={() => change(without(filterNames))}
        empty={{
          icon: <Send size={20} />,
          title: t('noDeliveries'),
          text: t(webhook === null ? 'noDeliveriesCallbacks' : 'noDeliveriesText'),
        }}
        caption={t('deliveries')}
        columns={columnsOf({ again: mayManage && sends ? again : undefined, withUrl: webhook === null })}
        rowKey={({ deliveryId }) => deliveryId}
        onOpen={({ deliveryId }) => inspect(deliveryId)}
        openLabel={({ eventType, status }) => t('openDelivery', { eventType, status: t(`status.${status}`) })}
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

type FiltersProps = {
  params: Params
  groups: readonly EventGroup[]
  nouns: readonly string[] | undefined
  onChange(patch: Params): void
}
function Filters({ params, groups, nouns, onChange }: FiltersProps) {
  return (
    <div className={styles['filters']}>
      <Toolbar label={t('filters')}>
        <SelectFilter
          name="status"
          label={t('status')}
          all={t('all')}
          params={params}
          onChange={onChange}
          options={(['pending', 'delivered', 'failed'] as const).map(value => ({
            value,
            label: t(`status.${value}`),
          }))}
        />
        <SelectFilter
          name="eventType"
          label={t('eventType')}
          all={t('all')}
          params={params}
          onChange={onChange}
          options={typeOptions(groups, nouns)}
        />
        <TextFilter name="createdAfter" label={t('since')} type="date" params={params} onChange={onChange} />
        <TextFilter
          name="resourceId"
          label={t('resource')}
          placeholder={t(nouns === undefined ? 'resourceHint' : 'msgHint')}
          mono
          params={params}
          onChange={onChange}
        />
        <TextFilter
          name="eventId"
          label={t('event')}
          placeholder={t('evtHint')}
          mono
          params={params}
          onChange={onChange}
        />
      </Toolbar>
    </div>
  )
}

/** By its kind and its end, where ids that were made at the same time differ: `msg_…0dpa8s`. */
function ShortId({ id }: { id: string }) {
  return <IdLink id={id}>{id.length > 16 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id}</IdLink>
}

type ColumnsOptions = { again: ((delivery: Delivery) => void) | undefined; withUrl: boolean }
function columnsOf({ again, withUrl }: ColumnsOptions): Column<Delivery>[] {
  return [
    { key: 'type', header: t('event'), render: delivery => <Wrapped text={delivery.eventType} /> },
    {
      key: 'about',
      header: t('aboutTerm'),
      hideOnNarrow: true,
      render: ({ eventType, resourceId }) =>
        resourceId === null ? '–' : <ShortId id={inspectedId({ type: eventType, resourceId })} />,
    },
    {
      key: 'status',
      header: t('status'),
      render: delivery => (
        <span className={styles['stateCell']}>
          <DeliveryChip delivery={delivery} />
          <NextAttempt delivery={delivery} />
        </span>
      ),
    },
    {
      key: 'answer',
      header: t('lastAnswer'),
      render: delivery => <Outcome status={delivery.lastStatus} error={delivery.lastError} />,
    },
    ...(withUrl
      ? [
          {
            key: 'url',
            header: t('address'),
            hideOnNarrow: true,
            render: (delivery: Delivery) => <span className={styles['url']}>{delivery.url}</span>,
          },
        ]
      : []),
    { key: 'attempts', header: t('attempts'), align: 'end', hideOnNarrow: true, render: delivery => delivery.attempts },
    {
      key: 'created',
      header: t('happened'),
      nowrap: true,
      hideOnNarrow: true,
      render: delivery => <Time iso={delivery.createdAt} />,
    },
    ...(again === undefined
      ? []
      : [
          {
            key: 'again',
            header: t('again'),
            align: 'end' as const,
            render: (delivery: Delivery) => (
              <IconButton
                size="sm"
                label={t('deliverNamed', { eventType: delivery.eventType })}
                icon={<RotateCw size={14} />}
                onClick={() => again(delivery)}
              />
            ),
          },
        ]),
  ]
}
