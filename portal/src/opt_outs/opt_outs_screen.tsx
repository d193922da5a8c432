// Opt-outs: who asked not to be texted, by which word, and of what.
import type { OptOut } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellOff, Plus } from 'lucide-react'
import { useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useLive } from '../data/live.ts'
import { useServices } from '../data/messaging_lists.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { chosenOf, without } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
  Card,
  Chip,
  type Column,
  ConfirmDialog,
  IdLink,
  PageHeader,
  TextLink,
  Time,
  Toolbar,
  toast,
} from '../ui/index.ts'
import { OptOutForm } from './opt_out_form.tsx'

export function OptOutsScreen() {
  const { permissions } = useSession()
  if (!permissions.has('messages:read')) return <Refused title="Opt-outs" permission="messages:read" />
  return <OptOutList />
}

const filterNames = ['recipient', 'scope'] as const

function OptOutList() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [params, change] = useParamsOfAddress()
  const [removing, setRemoving] = useState<OptOut>()
  const services = useServices()
  const mayAdd = permissions.has('messages:manage')
  const mayRemove = permissions.has('messages:erase')
  const filters = chosenOf(params, filterNames)
  const list = useCursorList<OptOut>('opt-outs', filters, (cursor, signal) =>
    api.optOuts.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const forget = () => void cache.invalidateQueries({ queryKey: [mode, 'opt-outs'] })
  useLive(
    ['events'],
    message => {
      if (message.event === 'gap' || (message.event === 'event' && message.data.type.startsWith('opt_out.'))) forget()
    },
    permissions.has('events:read'),
  )
  const addButton = mayAdd ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create an opt-out
    </Button>
  ) : undefined
  const columns: Column<OptOut>[] = [
    { key: 'recipient', header: 'Recipient', nowrap: true, render: ({ recipient }) => recipient },
    {
      key: 'scope',
      header: 'Gets nothing from',
      render: ({ scope }) => <Scope scope={scope} name={services.items.find(one => one.serviceId === scope)?.name} />,
    },
    {
      key: 'source',
      header: 'Because of',
      hideOnNarrow: true,
      render: ({ source, keyword }) =>
        source === 'keyword' ? (
          <>
            The word <Chip>{keyword ?? 'STOP'}</Chip>
          </>
        ) : (
          'Added by hand or API'
        ),
    },
    {
      key: 'since',
      header: 'Since',
      nowrap: true,
      hideOnNarrow: true,
      render: ({ createdAt }) => <Time iso={createdAt} />,
    },
    { key: 'id', header: 'Id', hideOnNarrow: true, render: ({ optOutId }) => <IdLink id={optOutId}>Inspect</IdLink> },
    ...(mayRemove
      ? [
          {
            key: 'remove',
            header: '',
            align: 'end' as const,
            render: (optOut: OptOut) => (
              <Button
                size="sm"
                aria-label={`Delete the opt-out of ${optOut.recipient}`}
                onClick={() => setRemoving(optOut)}
              >
                Remove
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <PageHeader
        title="Opt-outs"
        description="Who asked not to be texted any more. A STOP adds one by itself, a START takes it away; what is sent all the same is refused."
        actions={addButton}
      />
      <Toolbar label="Filters of opt-outs">
        <TextFilter
          name="recipient"
          label="Recipient"
          params={params}
          onChange={change}
          placeholder="+1 500 555 0110"
          pageSearch
        />
        <SelectFilter
          name="scope"
          label="Service"
          all="All"
          params={params}
          onChange={change}
          options={[
            ...services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name })),
            ...(params['scope'] && !services.items.some(({ serviceId }) => serviceId === params['scope'])
              ? [{ value: params['scope'], label: params['scope'] }]
              : []),
          ]}
        />
      </Toolbar>
      <Card flush>
        <CursorTable
          list={list}
          noun="opt-outs"
          isFiltered={Object.keys(filters).length > 0}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <BellOff size={20} />,
            title: 'Nobody has opted out',
            text: 'Anyone who answers STOP to one of your senders appears here within a second. Try it with the handset.',
            action: addButton,
          }}
          caption="Opt-outs"
          columns={columns}
          rowKey={({ optOutId }) => optOutId}
          subline={({ source, keyword, createdAt }) => (
            <>
              {source === 'keyword' ? `by ${keyword}` : 'by hand or API'}, <Time iso={createdAt} />
            </>
          )}
        />
      </Card>
      {mayAdd && params['create'] !== undefined && (
        <OptOutForm
          onClose={() => change({ create: undefined })}
          onAdded={({ recipient }) => {
            forget()
            toast({ text: `${recipient} gets nothing more from it.` })
            change({ create: undefined })
          }}
        />
      )}
      {removing !== undefined && (
        <RemoveDialog optOut={removing} onRemoved={forget} onClose={() => setRemoving(undefined)} />
      )}
    </>
  )
}

function Scope({ scope, name }: { scope: string; name: string | undefined }) {
  if (!scope.startsWith('msv_')) return scope
  return (
    <TextLink to="/services/$id" params={{ id: scope }}>
      {name ?? scope}
    </TextLink>
  )
}

type RemoveDialogProps = { optOut: OptOut; onRemoved(): void; onClose(): void }
function RemoveDialog({ optOut, onRemoved, onClose }: RemoveDialogProps) {
  const api = useApi()
  const remove = useMutation({
    mutationFn: () => api.optOuts.delete({ optOutId: optOut.optOutId }),
    onSuccess: () => {
      onRemoved()
      toast({ text: `${optOut.recipient} can be texted again.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete the opt-out of ${optOut.recipient}`}
      description="They can be texted again. Do this only when they asked for it: many countries require their consent. A START from their phone does the same."
      confirmLabel="Delete"
      typeToConfirm={optOut.recipient}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: remove.error.message })}
      onConfirm={() => remove.mutate()}
    />
  )
}
