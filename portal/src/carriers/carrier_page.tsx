// One carrier: how its links are now, what can be done with it, and a test.
import type { Carrier } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../app/api.ts'
import { forgetMessagingLists } from '../app/messaging_lists.ts'
import record from '../app/record.module.css'
import { RecordStates } from '../app/record_states.tsx'
import { readRecord } from '../app/records.ts'
import { ResourceEvents } from '../app/resource_events.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import {
  Button,
  ButtonLink,
  CodeBlock,
  ConfirmDialog,
  CopyButton,
  countText,
  PageHeader,
  TextLink,
  toast,
} from '../ui/index.ts'
import { CarrierFacts, LinksCard, RoutesCard, SettingsCard } from './carrier_facts.tsx'
import { CarrierForm } from './carrier_form.tsx'
import { CarrierTest } from './carrier_test.tsx'
import styles from './carriers.module.css'
import { refreshMs, useThroughput } from './throughput.ts'

export function CarrierPage({ id }: { id: string }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has('carriers:manage')
  const editing = mayManage && params['edit'] !== undefined
  const query = useQuery({
    queryKey: [mode, 'carrier', id],
    queryFn: ({ signal }) => readRecord('carrier', api, id, signal),
    refetchInterval: ({ state }) => (state.error === null && !editing ? refreshMs : false),
  })
  const { data } = query
  const rates = useThroughput(useMemo(() => (data === undefined ? [] : [data]), [data]))
  const crumbs = (
    <>
      <TextLink to="/carriers">All carriers</TextLink> / <code>{id}</code>
      <CopyButton text={id} label="Copy the id" />
    </>
  )
  if (editing && data !== undefined)
    return (
      <>
        <PageHeader title={`Change ${data.name}`} description={crumbs} />
        <CarrierForm
          carrier={data}
          onCancel={() => change({ edit: undefined })}
          onDone={saved => {
            cache.setQueryData([mode, 'carrier', id], saved)
            toast({ text: `${saved.name} was saved.` })
            change({ edit: undefined })
          }}
        />
      </>
    )
  return (
    <>
      <PageHeader
        title={data?.name ?? 'Carrier'}
        description={crumbs}
        actions={
          <>
            <ButtonLink to="/messages" search={{ carrier: id }}>
              Its messages
            </ButtonLink>
            {mayManage && data !== undefined && (
              <>
                <Button onClick={() => change({ edit: '1' }, { push: true })}>Change</Button>
                <Switch carrier={data} />
                <DeleteButton carrier={data} />
              </>
            )}
          </>
        }
      />
      <RecordStates kind="carrier" id={id} query={query}>
        {carrier => (
          <div className={styles['form']}>
            <LinksCard carrier={carrier} />
            <div className={record['columns']}>
              <div className={styles['form']}>
                <RoutesCard carrier={carrier} />
                {mayManage && <CarrierTest carrier={carrier} />}
              </div>
              <div className={styles['form']}>
                <CarrierFacts carrier={carrier} rate={rates.get(id)} />
                <ResourceEvents resourceId={id} noun="carrier" />
              </div>
            </div>
            <SettingsCard of={carrier} />
            <CodeBlock code={JSON.stringify(carrier, null, 2)} language="json" label="Carrier as the API gives it" />
          </div>
        )}
      </RecordStates>
    </>
  )
}

/** What becomes of messages that wait for the carrier. */
function waitingText({ waiting: { messages } }: Carrier): string {
  if (messages === 0) return 'No message waits for it now.'
  const those =
    messages === 1 ? 'The message that waits for it takes' : `The ${countText(messages)} messages that wait for it take`
  return `${those} another way; without one they wait for a carrier until their validity ends.`
}

function Switch({ carrier }: { carrier: Carrier }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const turn = useMutation({
    mutationFn: () => api.carriers.update({ carrierId: carrier.carrierId, enabled: !carrier.enabled }),
    onSuccess: saved => {
      setAsked(false)
      cache.setQueryData([mode, 'carrier', carrier.carrierId], saved)
      forgetMessagingLists(cache, mode)
      toast({ text: saved.enabled ? `${saved.name} is on: its links are being opened.` : `${saved.name} is off.` })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  return (
    <>
      <Button busy={turn.isPending} onClick={() => (carrier.enabled ? setAsked(true) : turn.mutate())}>
        {carrier.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title={`Switch ${carrier.name} off`}
          description={`Its links are closed after what is under way was answered. ${waitingText(carrier)}`}
          confirmLabel="Switch off"
          busy={turn.isPending}
          onConfirm={() => turn.mutate()}
        />
      )}
    </>
  )
}

function DeleteButton({ carrier }: { carrier: Carrier }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.carriers.delete({ carrierId: carrier.carrierId }),
    onSuccess: () => {
      toast({ text: `${carrier.name} was removed.` })
      void navigate({ to: '/carriers', search: {}, replace: true }).then(() => forgetMessagingLists(cache, mode))
    },
  })
  return (
    <>
      <Button variant="danger" onClick={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title={`Delete ${carrier.name}`}
          description={`Its links are closed and its settings forgotten. What was handed over stays so. ${waitingText(carrier)} Numbers tied to it go by the routes again. Without any carrier, live texts go to the virtual handset.`}
          confirmLabel="Delete"
          typeToConfirm={carrier.name}
          danger
          busy={remove.isPending}
          {...(remove.error === null ? {} : { error: remove.error.message })}
          onConfirm={() => remove.mutate()}
        />
      )}
    </>
  )
}
