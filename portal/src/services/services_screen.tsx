// Messaging services: pools of senders that share their opt-outs and the way they send.
import type { MessagingService } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Layers, Plus } from 'lucide-react'
import { useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { useCursorList } from '../data/lists.ts'
import { forgetMessagingLists } from '../data/messaging_lists.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
  ButtonLink,
  Card,
  type Column,
  ConfirmDialog,
  CopyButton,
  PageHeader,
  TextField,
  TextLink,
  Time,
  toast,
} from '../ui/index.ts'
import { languageName } from './keywords_editor.tsx'
import { SendersField } from './senders_field.tsx'
import { ServiceFacts } from './service_facts.tsx'
import { ServiceForm } from './service_form.tsx'
import { faultOf } from './service_values.ts'
import styles from './services.module.css'

export function ServicesScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('messages:read')) return <Refused title="Services" permission="messages:read" />
  return id === undefined ? <ServiceList /> : <ServicePage key={id} id={id} />
}

const columns: Column<MessagingService>[] = [
  { key: 'name', header: 'Name', render: ({ name }) => name },
  { key: 'senders', header: 'Senders', align: 'end', render: ({ senders }) => senders.length },
  {
    key: 'outcome',
    header: 'Outcome unknown',
    hideOnNarrow: true,
    render: ({ unknownOutcome }) => unknownOutcome,
  },
  {
    key: 'languages',
    header: 'Languages',
    hideOnNarrow: true,
    render: ({ keywords }) => keywords.map(({ language }) => languageName(language)).join(', '),
  },
  { key: 'changed', header: 'Updated', nowrap: true, render: ({ updatedAt }) => <Time iso={updatedAt} /> },
]

function ServiceList() {
  const api = useApi()
  const { permissions } = useSession()
  const navigate = useNavigate()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has('messages:manage')
  const list = useCursorList<MessagingService>('services', {}, (cursor, signal) =>
    api.messagingServices.list({ limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const createButton = mayManage ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create a service
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Services"
        description="A messaging service is a pool of senders. Send with its id instead of a sender: the best of them is chosen, and a STOP to one counts for all."
        actions={createButton}
      />
      <Card flush>
        <CursorTable
          list={list}
          noun="services"
          empty={{
            icon: <Layers size={20} />,
            title: 'No messaging services yet',
            text: 'Senders work without one. A service adds a choice of senders, its own words for STOP and HELP with replies, and a window in which nothing is sent twice.',
            action: createButton,
          }}
          caption="Messaging services"
          columns={columns}
          rowKey={({ serviceId }) => serviceId}
          rowLink={({ serviceId }) => ({ to: '/services/$id', params: { id: serviceId } })}
          openLabel={({ name }) => `Open ${name}`}
        />
      </Card>
      {mayManage && params['create'] !== undefined && (
        <CreateDialog
          onClose={() => change({ create: undefined })}
          onCreated={({ serviceId, name }) => {
            toast({ text: `${name} was created.` })
            void navigate({ to: '/services/$id', params: { id: serviceId }, search: {}, replace: true })
          }}
        />
      )}
    </>
  )
}

type CreateDialogProps = { onClose(): void; onCreated(service: MessagingService): void }
function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const [senders, setSenders] = useState<readonly string[]>([])
  const create = useMutation({
    mutationFn: () => api.messagingServices.create({ name, senders: [...senders] }),
    onSuccess: service => {
      forgetMessagingLists(cache, mode)
      onCreated(service)
    },
  })
  const shown = ['name', 'senders', ...senders.map((_, index) => `senders[${index}]`)]
  const { fields, mend, ...faults } = useFormFaults(create.error, shown)
  return (
    <FormDialog
      title="Create a messaging service"
      description="Name it and choose its senders; words, replies and the rest are on its page."
      className={styles['create']}
      faults={faults}
      action="Create"
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="Appointments"
        value={name}
        error={fields['name']}
        onChange={event => {
          mend('name')
          setName(event.target.value)
        }}
      />
      <SendersField value={senders} onChange={setSenders} error={faultOf(fields, 'senders')} />
    </FormDialog>
  )
}

function ServicePage({ id }: { id: string }) {
  const query = useRecord('service', id)
  const { permissions } = useSession()
  const [deleting, setDeleting] = useState(false)
  const mayManage = permissions.has('messages:manage')
  return (
    <>
      <PageHeader
        title={query.data?.name ?? 'Service'}
        description={
          <>
            <TextLink to="/services">All services</TextLink> / <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
          </>
        }
        actions={
          <>
            <ButtonLink to="/messages" search={{ serviceId: id }}>
              Its messages
            </ButtonLink>
            <ButtonLink to="/opt-outs" search={{ scope: id }}>
              Its opt-outs
            </ButtonLink>
            {permissions.has('messages:erase') && query.data !== undefined && (
              <Button variant="danger" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
          </>
        }
      />
      <RecordStates kind="service" id={id} query={query}>
        {service =>
          mayManage ? <ServiceForm key={service.updatedAt} service={service} /> : <ServiceFacts service={service} />
        }
      </RecordStates>
      {deleting && query.data !== undefined && <DeleteDialog service={query.data} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteDialog({ service, onClose }: { service: MessagingService; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.messagingServices.delete({ serviceId: service.serviceId }),
    onSuccess: () => {
      toast({ text: `${service.name} was deleted.` })
      void navigate({ to: '/services', search: {}, replace: true }).then(() => forgetMessagingLists(cache, mode))
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete ${service.name}`}
      description="Its senders stay, in no service, and anyone who opted out of it has opted out of each of them. Messages that wait go on as they were accepted. Requests that name its id are refused from now on."
      confirmLabel="Delete"
      typeToConfirm={service.name}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: remove.error.message })}
      onConfirm={() => remove.mutate()}
    />
  )
}
