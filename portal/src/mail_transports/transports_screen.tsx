// Mail servers: what mails leave by, and a test that shows what both sides said.
import type { MailTransport } from '@tandem/sdk'
import { useState } from 'react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { TestButton, TestDialog } from '../mails/connection_test.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Chip, TextField } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'
import { EditTransportForm, NewTransportForm } from './transport_form.tsx'

const transports = byLanguage(
  (): Resource<MailTransport> => ({
    many: 'mail servers',
    things: t('things'),
    about: t('about'),
    from: api => api.mailTransports.list,
    id: 'transportId',
    nameOf: ({ name }) => name,
    columns: [
      { name: 'name', label: t('name') },
      { name: 'kind', label: t('kind'), px: 190, cell: ({ kind }) => t.of('kind', kind) ?? kind },
      {
        name: 'host',
        label: t('host'),
        px: 220,
        cell: ({ settings: { host, port } }) => (host === null ? null : `${host}:${port}`),
      },
      {
        name: 'isDefault',
        label: t('use'),
        px: 140,
        cell: ({ isDefault, enabled }) =>
          (isDefault || !enabled) && (
            <>
              {isDefault && <Chip tone="accent">{t('default')}</Chip>} {!enabled && <Chip>{t('off')}</Chip>}
            </>
          ),
      },
      {
        name: 'test',
        label: t('test'),
        px: 110,
        hasControls: true,
        cell: transport => <Test transport={transport} />,
      },
    ],
    actions: {
      px: 110,
      needs: 'mail:manage',
      cell: ({ transportId, name }) => (
        <RemoveButton
          many="mail servers"
          name={name}
          text={t('removeText')}
          remove={api => api.mailTransports.delete({ transportId })}
        />
      ),
    },
    edit: 'mail:manage',
    Dialogs: EditDialog,
    create: {
      label: t('add'),
      needs: 'mail:manage',
      Form: NewTransportForm,
      saved: ({ name }) => t('added', { name }),
    },
    empty: { title: t('empty'), text: t('emptyText') },
  }),
)

export const MailTransportsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={transports} />
  </InLiveMode>
)

function EditDialog({ items }: { items: readonly MailTransport[] }) {
  const [params, change] = useParamsOfAddress()
  const { permissions } = useSession()
  const transport = items.find(({ transportId }) => transportId === params['edit'])
  if (transport === undefined || !permissions.has('mail:manage')) return null
  const close = () => change({ edit: undefined })
  return <EditTransportForm key={transport.transportId} transport={transport} onClose={close} />
}

function Test({ transport: { transportId, name } }: { transport: MailTransport }) {
  return (
    <TestButton name={name}>
      {onClose => <TransportTest transportId={transportId} name={name} onClose={onClose} />}
    </TestButton>
  )
}

type TransportTestProps = Pick<MailTransport, 'transportId' | 'name'> & { onClose(): void }

function TransportTest({ transportId, name, onClose }: TransportTestProps) {
  const [to, setTo] = useState('')
  return (
    <TestDialog
      name={name}
      description={t('testText')}
      test={api => api.mailTransports.test({ transportId, ...(to.trim() === '' ? {} : { to: to.trim() }) })}
      said={({ reason }) => reason}
      onClose={onClose}
    >
      <TextField label={t('sendTo')} optional type="email" value={to} onChange={({ target }) => setTo(target.value)} />
    </TestDialog>
  )
}
