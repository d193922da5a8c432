// Who listens on their own machine (`tandem listen`), and what was forwarded there with what answer: live, each to be sent again.
import type { WebhookListener, WebhookListenersDeliveriesItem } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { RefreshCw, RotateCw, Square, Terminal } from 'lucide-react'
import { useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { type CursorList, useCursorList } from '../data/lists.ts'
import { useInspect } from '../navigation/inspect.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import type { Column } from '../ui/data_table.tsx'
import { faultText } from '../ui/faults.ts'
import {
  Button,
  Card,
  Chip,
  durationText,
  IconButton,
  ListStates,
  TextLink,
  Time,
  toast,
  Wrapped,
} from '../ui/index.ts'
import { Outcome } from './delivery_outcome.tsx'
import { typesText } from './event_types.ts'
import { useDeliverable, useFollowing, useRefreshed } from './following.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

type Listener = WebhookListener
type Forwarded = WebhookListenersDeliveriesItem

/** The newest of them, ended ones too: what they were sent can still be read. */
const shownListeners = 5

export function ListenPanel() {
  const api = useApi()
  const { permissions } = useSession()
  const refresh = useRefreshed()
  const [chosenId, choose] = useState<string>()
  const list = useCursorList<Listener>('webhooks', { of: 'listeners' }, (_, signal) =>
    api.webhookListeners.list({ limit: shownListeners }, { signal }),
  )
  // One that is away may be back in a moment.
  useFollowing(list.items.filter(({ state }) => state === 'away').map(movingOf), () => refresh())
  useDeliverable(['webhook_listener.*'], () => refresh())
  const mayManage = permissions.has('webhooks:manage')
  const chosen = list.items.find(({ listenerId }) => listenerId === chosenId) ?? list.items[0]
  return (
    <Card
      flush
      className={styles['listen'] ?? ''}
      title={t('listen')}
      actions={
        <IconButton
          size="sm"
          label={t('refreshListeners')}
          icon={<RefreshCw size={14} />}
          onClick={() => void refresh()}
        />
      }
    >
      <div className={styles['listenHead']}>
        <p>
          {mayManage ? t.rich('listenHow', { link: text => <TextLink to="/keys">{text}</TextLink> }) : t('listenAbout')}
        </p>
        {mayManage && <Command />}
      </div>
      <ListStates
        label={t('loadingListeners')}
        query={list.query}
        isEmpty={list.items.length === 0}
        isFiltered={false}
        onClearFilters={() => undefined}
        empty={{
          icon: <Terminal size={20} />,
          title: t('nobodyListens'),
          text: t(mayManage ? 'nobodyListensManager' : 'nobodyListensText'),
        }}
      >
        <ul className={styles['listeners']}>
          {list.items.map(listener => (
            <ListenerRow
              key={listener.listenerId}
              listener={listener}
              isChosen={listener === chosen}
              mayManage={mayManage}
              onChoose={() => choose(listener.listenerId)}
            />
          ))}
        </ul>
        {chosen !== undefined && (
          <ForwardedList key={chosen.listenerId} listener={chosen} mayManage={mayManage} listeners={list} />
        )}
      </ListStates>
    </Card>
  )
}

function Command() {
  const command = `npx @tandem/cli listen --server ${window.location.origin} --forward-to http://localhost:4242/hooks`
  return (
    <div className={styles['command']}>
      <code>{command}</code>
      <CopyButton text={command} label={t('copyCommand')} />
    </div>
  )
}

const tones = { connected: 'ok', away: 'warn', ended: 'neutral' } as const

type ListenerRowProps = { listener: Listener; isChosen: boolean; mayManage: boolean; onChoose(): void }
function ListenerRow({ listener, isChosen, mayManage, onChoose }: ListenerRowProps) {
  const api = useApi()
  const refresh = useRefreshed()
  const { listenerId, name, forwardTo, eventTypes, webhookId, state, createdAt } = listener
  const end = useMutation({
    mutationFn: () => api.webhookListeners.end({ listenerId }),
    onSuccess: () => void refresh(),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <li data-chosen={isChosen || undefined}>
      <button type="button" aria-pressed={isChosen} onClick={onChoose} title={t(`listenerTitle.${state}`)}>
        <span>
          <Chip tone={tones[state]} dot>
            {t(`listener.${state}`)}
          </Chip>
        </span>
        <span className={styles['listenerName']}>
          <strong>{name ?? t('aListener')}</strong>
          <span className={styles['url']}>{forwardTo}</span>
        </span>
        <span className={styles['faint']}>
          {webhookId === null ? typesText(eventTypes) : t('signedAsWebhook', { types: typesText(eventTypes) })} ·{' '}
          <Time iso={createdAt} />
        </span>
      </button>
      {mayManage && state !== 'ended' && (
        <Button size="sm" icon={<Square size={12} />} busy={end.isPending} onClick={() => end.mutate()}>
          {t.rich('endNamed', {
            name: name ?? listenerId,
            hidden: text => <span className="visually-hidden">{text}</span>,
          })}
        </Button>
      )}
    </li>
  )
}

/** As `following.ts` looks at what has not come to rest. */
function movingOf({ listenerId, state }: Pick<Listener, 'listenerId' | 'state'>) {
  return { deliveryId: `${listenerId} ${state}`, status: 'pending' as const, attempts: 0, nextAttemptAt: null }
}

type ForwardedListProps = { listener: Listener; mayManage: boolean; listeners: CursorList<Listener> }
function ForwardedList({ listener, mayManage, listeners }: ForwardedListProps) {
  const api = useApi()
  const { inspect, inspected } = useInspect()
  const { listenerId, state } = listener
  const list = useCursorList<Forwarded>('deliveries', { listener: listenerId }, (cursor, signal) =>
    api.webhookListeners.deliveries({ listenerId, limit: 20, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const isOpen = state !== 'ended'
  useFollowing(
    isOpen ? list.items.map(({ attempt, ...item }) => ({ ...item, attempts: attempt, nextAttemptAt: null })) : [],
    () => list.query.refetch(),
  )
  useDeliverable(isOpen ? listener.eventTypes : [], () => list.query.refetch())
  const resend = useMutation({
    mutationFn: ({ eventId }: Forwarded) => api.webhookListeners.resend({ listenerId, eventId }),
    onSuccess: () => {
      toast({
        text: t(state === 'connected' ? 'forwardedNow' : 'forwardedLater'),
      })
      void list.query.refetch()
    },
    onError: error => {
      toast({ text: faultText(error), tone: 'bad' })
      void listeners.query.refetch()
    },
  })
  return (
    <CursorTable
      list={list}
      empty={{
        icon: <Terminal size={20} />,
        title: t('nothingForwarded'),
        text: t('nothingForwardedText'),
      }}
      caption={t('forwarded')}
      columns={columnsOf(mayManage && isOpen ? item => resend.mutate(item) : undefined)}
      rowKey={({ eventId }) => eventId}
      onOpen={({ eventId }) => inspect(eventId)}
      openLabel={({ eventType, status }) => t('openEvent', { eventType, status: t(`status.${status}`) })}
      subline={({ createdAt }) => <Time iso={createdAt} />}
      rowTone={({ status }) => (status === 'failed' ? 'bad' : undefined)}
      {...(inspected === undefined ? {} : { selectedKey: inspected })}
    />
  )
}

function columnsOf(again: ((item: Forwarded) => void) | undefined): Column<Forwarded>[] {
  return [
    { key: 'type', header: t('event'), render: ({ eventType }) => <Wrapped text={eventType} /> },
    {
      key: 'answer',
      header: t('answer'),
      render: ({ status, lastStatus, lastError }) =>
        status === 'pending' ? (
          <Chip tone="info" dot>
            {t('onItsWay')}
          </Chip>
        ) : (
          <Outcome status={lastStatus} error={lastError} />
        ),
    },
    {
      key: 'took',
      header: t('took'),
      align: 'end',
      render: ({ durationMs }) => (durationMs === null ? '–' : durationText(durationMs)),
    },
    { key: 'attempt', header: t('attempt'), align: 'end', hideOnNarrow: true, render: ({ attempt }) => attempt },
    {
      key: 'created',
      header: t('happened'),
      nowrap: true,
      hideOnNarrow: true,
      render: ({ createdAt }) => <Time iso={createdAt} />,
    },
    ...(again === undefined
      ? []
      : [
          {
            key: 'again',
            header: t('again'),
            align: 'end' as const,
            render: (item: Forwarded) => (
              <IconButton
                size="sm"
                label={t('forwardNamed', { eventType: item.eventType })}
                icon={<RotateCw size={14} />}
                onClick={() => again(item)}
              />
            ),
          },
        ]),
  ]
}
