// Mail servers: what mails leave by, and a test that shows what both sides said.
import type { MailTransport } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { TestButton, TestDialog } from '../mails/connection_test.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Chip, SelectField, TextField } from '../ui/index.ts'

const kinds: Record<string, string> = { smtp: 'Mail server', smtp_oauth: 'Mail server with OAuth', outbox: 'Outbox' }

const transports: Resource<MailTransport> = {
  many: 'mail servers',
  about:
    'What mails leave by. Without one they go by the mail server of the installation, and without that they stay in the outbox.',
  from: api => api.mailTransports.list,
  id: 'transportId',
  nameOf: ({ name }) => `the mail server ${name}`,
  columns: [
    { name: 'name', label: 'Name' },
    { name: 'kind', label: 'Kind', px: 190, cell: ({ kind }) => kinds[kind] ?? kind },
    {
      name: 'host',
      label: 'Host',
      px: 220,
      cell: ({ settings: { host, port } }) => (host === null ? null : `${host}:${port}`),
    },
    {
      name: 'isDefault',
      label: 'Use',
      px: 110,
      cell: ({ isDefault }) => (isDefault ? <Chip tone="accent">default</Chip> : null),
    },
    {
      name: 'test',
      label: 'Test',
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
        name={`the mail server ${name}`}
        text="Mails that wait for it go by the default one, or stay in the outbox."
        remove={api => api.mailTransports.delete({ transportId })}
      />
    ),
  },
  create: {
    label: 'Add a mail server',
    needs: 'mail:manage',
    Form: TransportForm,
    saved: ({ name }) => `${name} is set up. Test it before it is needed.`,
  },
  empty: { title: 'No mail server yet', text: 'Mails go by that of the installation, or stay in the outbox.' },
}

export const MailTransportsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={transports} />
  </InLiveMode>
)

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
      description="Connects and logs in; with an address, a short mail is sent there."
      test={api => api.mailTransports.test({ transportId, ...(to.trim() === '' ? {} : { to: to.trim() }) })}
      said={({ reason }) => reason}
      onClose={onClose}
    >
      <TextField
        label="Send a mail to"
        optional
        type="email"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
    </TestDialog>
  )
}

const first = {
  kind: 'smtp',
  name: '',
  host: '',
  port: '587',
  security: 'starttls',
  user: '',
  password: '',
  tokenUrl: '',
  clientId: '',
  clientSecret: '',
  scope: '',
}

function TransportForm({ onClose, onSaved }: CreateFormProps<MailTransport>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState(first)
  const given = (names: readonly (keyof typeof first)[]) =>
    Object.fromEntries(names.filter(name => values[name] !== '').map(name => [name, values[name]]))
  const isServer = values.kind !== 'outbox'
  const own =
    values.kind === 'smtp'
      ? (['user', 'password'] as const)
      : (['user', 'tokenUrl', 'clientId', 'clientSecret', 'scope'] as const)
  const add = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.mailTransports.create({
        kind: values.kind as 'smtp',
        name: values.name,
        ...(isServer && { settings: { ...given(['host', 'security', ...own]), port: Number(values.port) } }),
      }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail servers'] })
      onSaved(added)
    },
  })
  const shown = ['name', ...Object.keys(first).map(name => `settings.${name}`)]
  const { text, put, ...faults } = useFormFields({ values, change: setValues }, add.error, shown)
  const setting = (name: keyof typeof first) => text(name, `settings.${name}`)
  return (
    <FormDialog
      title="Add a mail server"
      className={record['form']}
      faults={faults}
      action="Add"
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Company mail server" {...text('name')} />
      <SelectField
        label="Kind"
        options={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
        value={values.kind}
        onChange={({ target }) => put('kind', target.value)}
      />
      {isServer && (
        <>
          <TextField label="Host" placeholder="mail.example.com" {...setting('host')} />
          <TextField label="Port" inputMode="numeric" {...setting('port')} />
          <SelectField
            label="Encryption"
            options={[
              { value: 'starttls', label: 'STARTTLS' },
              { value: 'tls', label: 'TLS from the first byte' },
              { value: 'none', label: 'None (inside this network)' },
            ]}
            value={values.security}
            onChange={({ target }) => put('security', target.value)}
          />
          <TextField label="User" optional={values.kind === 'smtp'} autoComplete="off" {...setting('user')} />
          {values.kind === 'smtp' ? (
            <TextField label="Password" optional type="password" autoComplete="new-password" {...setting('password')} />
          ) : (
            <>
              <TextField label="Token address" type="url" {...setting('tokenUrl')} />
              <TextField label="Client id" {...setting('clientId')} />
              <TextField
                label="Client secret"
                type="password"
                autoComplete="new-password"
                {...setting('clientSecret')}
              />
              <TextField label="Scope" optional {...setting('scope')} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
