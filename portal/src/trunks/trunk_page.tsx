// One trunk: how it is now, what can be done with it, and a test.
import type { Trunk } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import record from '../app/record.module.css'
import { RecordStates } from '../app/record_states.tsx'
import { useRecord } from '../app/records.ts'
import { ResourceEvents } from '../app/resource_events.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import { SettingsCard } from '../carriers/carrier_facts.tsx'
import styles from '../carriers/carriers.module.css'
import { Button, CodeBlock, ConfirmDialog, CopyButton, countText, PageHeader, TextLink, toast } from '../ui/index.ts'
import { useLiveTrunks } from './live_trunks.ts'
import { TrunkFacts, TrunkRoutesCard, WarningsCard } from './trunk_facts.tsx'
import { TrunkForm } from './trunk_form.tsx'
import { TrunkTest } from './trunk_test.tsx'

export function TrunkPage({ id }: { id: string }) {
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has('trunks:manage')
  const editing = mayManage && params['edit'] !== undefined
  const query = useRecord('trunk', id)
  const { data } = query
  useLiveTrunks(() => {
    if (data !== undefined && !editing) void query.refetch()
  })
  const crumbs = (
    <>
      <TextLink to="/trunks">All trunks</TextLink> / <code>{id}</code>
      <CopyButton text={id} label="Copy the id" />
    </>
  )
  if (editing && data !== undefined)
    return (
      <>
        <PageHeader title={`Change ${data.name}`} description={crumbs} />
        <TrunkForm
          trunk={data}
          onCancel={() => change({ edit: undefined })}
          onDone={saved => {
            cache.setQueryData([mode, 'trunk', id], saved)
            toast({ text: `${saved.name} was saved.` })
            change({ edit: undefined })
          }}
        />
      </>
    )
  return (
    <>
      <PageHeader
        title={data?.name ?? 'Trunk'}
        description={crumbs}
        actions={
          mayManage &&
          data !== undefined && (
            <>
              <Button onClick={() => change({ edit: '1' }, { push: true })}>Change</Button>
              <Switch trunk={data} />
              <DeleteButton trunk={data} />
            </>
          )
        }
      />
      <RecordStates kind="trunk" id={id} query={query}>
        {trunk => (
          <div className={styles['form']}>
            <WarningsCard trunk={trunk} />
            <div className={record['columns']}>
              <div className={styles['form']}>
                <TrunkFacts trunk={trunk} />
                {mayManage && <TrunkTest trunk={trunk} />}
              </div>
              <div className={styles['form']}>
                <TrunkRoutesCard trunk={trunk} />
                <ResourceEvents resourceId={id} noun="trunk" />
              </div>
            </div>
            <SettingsCard of={trunk} />
            <CodeBlock code={JSON.stringify(trunk, null, 2)} language="json" label="Trunk as the API gives it" />
          </div>
        )}
      </RecordStates>
    </>
  )
}

/** What becomes of calls. */
function activeText({ counters: { active } }: Trunk): string {
  const waiting = 'Calls that wait for it take another trunk; without one they fail.'
  if (active === 0) return `No call goes by it now. ${waiting}`
  return `${active === 1 ? 'The call that goes' : `The ${countText(active)} calls that go`} by it now ${active === 1 ? 'goes' : 'go'} on. ${waiting}`
}

function Switch({ trunk }: { trunk: Trunk }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const turn = useMutation({
    mutationFn: () => api.trunks.update({ trunkId: trunk.trunkId, enabled: !trunk.enabled }),
    onSuccess: saved => {
      setAsked(false)
      cache.setQueryData([mode, 'trunk', trunk.trunkId], saved)
      void cache.invalidateQueries({ queryKey: [mode, 'trunks'] })
      toast({ text: saved.enabled ? `${saved.name} is on: it is asked whether it is there.` : `${saved.name} is off.` })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  return (
    <>
      <Button busy={turn.isPending} onClick={() => (trunk.enabled ? setAsked(true) : turn.mutate())}>
        {trunk.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title={`Switch ${trunk.name} off`}
          description={`It is unregistered, and no new call goes or comes this way. ${activeText(trunk)}`}
          confirmLabel="Switch off"
          busy={turn.isPending}
          onConfirm={() => turn.mutate()}
        />
      )}
    </>
  )
}

function DeleteButton({ trunk }: { trunk: Trunk }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.trunks.delete({ trunkId: trunk.trunkId }),
    onSuccess: () => {
      toast({ text: `${trunk.name} was removed.` })
      void navigate({ to: '/trunks', search: {}, replace: true }).then(() =>
        cache.invalidateQueries({ queryKey: [mode, 'trunks'] }),
      )
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
          title={`Delete ${trunk.name}`}
          description={`It is unregistered and its settings are forgotten. ${activeText(trunk)} Without any trunk, live calls go to the simulator and reach no real phone.`}
          confirmLabel="Delete"
          typeToConfirm={trunk.name}
          danger
          busy={remove.isPending}
          {...(remove.error === null ? {} : { error: remove.error.message })}
          onConfirm={() => remove.mutate()}
        />
      )}
    </>
  )
}
