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
import { faultText } from '../ui/faults.ts'
import { Button, ButtonLink, ConfirmDialog, PageHeader, TextField, TextLink, toast } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { languageName } from './keywords_editor.tsx'
import { SendersField } from './senders_field.tsx'
import { ServiceFacts } from './service_facts.tsx'
import { ServiceForm } from './service_form.tsx'
import { faultOf } from './service_values.ts'
import styles from './services.module.css'
import { t } from './texts.ts'

const services = byLanguage(
  (): Resource<MessagingService> => ({
    many: 'services',
    things: t('things'),
    about: t('about'),
    from: api => api.messagingServices.list,
    id: 'serviceId',
    nameOf: ({ name }) => name,
    columns: [
      { name: 'name', label: t('name'), px: 260 },
      { name: 'senders', label: t('senders'), kind: 'count', cell: ({ senders }) => senders.length },
      { name: 'unknownOutcome', label: t('outcome'), atFirst: 'wide', cell: one => t(`outcome.${one.unknownOutcome}`) },
      {
        name: 'keywords',
        label: t('languages'),
        px: 220,
        atFirst: 'wide',
        cell: ({ keywords }) => listText(keywords.map(({ language }) => languageName(language))),
      },
      { name: 'updatedAt', label: t('updatedAt'), kind: 'time' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time', atFirst: 'never' },
      { name: 'callbackUrl', label: t('callbackUrl'), px: 260, atFirst: 'never' },
      { name: 'duplicateWindow', label: t('duplicateWindow'), kind: 'count', px: 160, atFirst: 'never' },
      { name: 'serviceId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    create: {
      label: t('create'),
      needs: 'messages:manage',
      Form: CreateDialog,
      saved: ({ name }) => t('created', { name }),
    },
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
  }),
)

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
      title={t('createTitle')}
      description={t('createText')}
      className={styles['create']}
      faults={faults}
      action={t('createAction')}
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        placeholder={t('exampleName')}
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
        title={query.data?.name ?? t('service')}
        description={
          <>
            <TextLink to="/services">{t('all')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={
          <>
            <ButtonLink to="/messages" search={{ serviceId: id }}>
              {t('itsMessages')}
            </ButtonLink>
            <ButtonLink to="/opt-outs" search={{ scope: id }}>
              {t('itsOptOuts')}
            </ButtonLink>
            {permissions.has('messages:erase') && query.data !== undefined && (
              <Button variant="danger" onClick={() => setDeleting(true)}>
                {t('delete')}
              </Button>
            )}
          </>
        }
      />
      <RecordStates kind="service" id={id} query={query}>
        {service =>
          mayManage ? <ServiceForm key={service.serviceId} service={service} /> : <ServiceFacts service={service} />
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
      toast({ text: t('deleted', { name: service.name }) })
      void navigate({ to: '/services', search: {}, replace: true }).then(() => forgetMessagingLists(cache, mode))
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('deleteTitle', { name: service.name })}
      description={t('deleteText')}
      confirmLabel={t('delete')}
      typeToConfirm={service.name}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: faultText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}
