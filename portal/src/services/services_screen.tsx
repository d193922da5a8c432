// Messaging services: pools of senders that share their opt-outs and the way they send.
import type { MessagingService } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetMessagingLists } from '../data/messaging_lists.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Button, ButtonLink, ConfirmDialog, PageHeader, TextField, TextLink, toast } from '../ui/index.ts'
import { languageName } from './keywords_editor.tsx'
import { SendersField } from './senders_field.tsx'
import { ServiceFacts } from './service_facts.tsx'
import { ServiceForm } from './service_form.tsx'
import { faultOf } from './service_values.ts'
import styles from './services.module.css'

const services: Resource<MessagingService> = {
  many: 'services',
  about:
    'A messaging service is a pool of senders. Send with its id instead of a sender: the best of them is chosen, and a STOP to one counts for all.',
  from: api => api.messagingServices.list,
  id: 'serviceId',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', label: 'Name', px: 260 },
    { name: 'senders', label: 'Senders', kind: 'count', cell: ({ senders }) => senders.length },
    { name: 'unknownOutcome', label: 'Outcome unknown', atFirst: 'wide' },
    {
      name: 'keywords',
      label: 'Languages',
      px: 220,
      atFirst: 'wide',
      cell: ({ keywords }) => keywords.map(({ language }) => languageName(language)).join(', '),
    },
    { name: 'updatedAt', label: 'Updated', kind: 'time' },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'never' },
    { name: 'callbackUrl', label: 'Callback URL', px: 260, atFirst: 'never' },
    { name: 'duplicateWindow', label: 'Duplicate window', kind: 'count', px: 160, atFirst: 'never' },
    { name: 'serviceId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  create: {
    label: 'Create a service',
    needs: 'messages:manage',
    Form: CreateDialog,
    saved: ({ name }) => `${name} was created.`,
  },
  empty: {
    title: 'No messaging services yet',
    text: 'Senders work without one. A service adds a choice of senders, its own words for STOP and HELP with replies, and a window in which nothing is sent twice.',
  },
}

export const ServicesScreen = () => <ResourceScreen of={services} page={ServicePage} />

function CreateDialog({ onClose, onSaved }: CreateFormProps<MessagingService>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const [senders, setSenders] = useState<readonly string[]>([])
  const create = useMutation({
    mutationFn: () => api.messagingServices.create({ name, senders: [...senders] }),
    onSuccess: service => {
      forgetMessagingLists(cache, mode)
      onSaved(service)
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
