// Mail servers: what mails leave by, and a test that shows what both sides said.
import type { MailTransport } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { TestButton, TestDialog } from '../mails/connection_test.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { encryptionOptions } from '../mails/words.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Chip, SelectField, TextField } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

const kinds = ['smtp', 'smtp_oauth', 'outbox'] as const

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
        px: 110,
        cell: ({ isDefault }) => (isDefault ? <Chip tone="accent">{t('default')}</Chip> : null),
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
    create: {
      label: t('add'),
      needs: 'mail:manage',
      Form: TransportForm,
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

const shown = ['name', ...Object.keys(first).map(name => `settings.${name}`)]
const ownOf = (kind: string) =>
  kind === 'smtp'
    ? (['user', 'password'] as const)
    : (['user', 'tokenUrl', 'clientId', 'clientSecret', 'scope'] as const)

function TransportForm({ onClose, onSaved }: CreateFormProps<MailTransport>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState(first)
  const given = (names: readonly (keyof typeof first)[]) =>
    Object.fromEntries(names.filter(name => values[name] !== '').map(name => [name, values[name]]))
  const isServer = values.kind !== 'outbox'
  const add = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.mailTransports.create({
        kind: values.kind as 'smtp',
        name: values.name,
        ...(isServer && {
          settings: { ...given(['host', 'security', ...ownOf(values.kind)]), port: Number(values.port) },
        }),
      }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail servers'] })
      onSaved(added)
    },
  })
  const { text, put, ...faults } = useFormFields({ values, change: setValues }, add.error, shown)
  const setting = (name: keyof typeof first) => text(name, `settings.${name}`)
  return (
    <FormDialog
      title={t('add')}
      className={record['form']}
      faults={faults}
      action={t('addAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label={t('name')} placeholder={t('exampleName')} {...text('name')} />
      <SelectField
        label={t('kind')}
        options={kinds.map(value => ({ value, label: t(`kind.${value}`) }))}
        value={values.kind}
        onChange={({ target }) => put('kind', target.value)}
      />
      {isServer && (
        <>
          <TextField label={t('host')} placeholder={examples.mailServer} {...setting('host')} />
          <TextField label={t('port')} inputMode="numeric" {...setting('port')} />
          <SelectField
            label={t('encryption')}
            options={encryptionOptions(['starttls', 'tls', 'none'])}
            value={values.security}
            onChange={({ target }) => put('security', target.value)}
          />
          <TextField label={t('user')} optional={values.kind === 'smtp'} autoComplete="off" {...setting('user')} />
          {values.kind === 'smtp' ? (
            <TextField
              label={t('password')}
              optional
              type="password"
              autoComplete="new-password"
              {...setting('password')}
            />
          ) : (
            <>
              <TextField label={t('tokenUrl')} type="url" {...setting('tokenUrl')} />
              <TextField label={t('clientId')} {...setting('clientId')} />
              <TextField
                label={t('clientSecret')}
                type="password"
                autoComplete="new-password"
                {...setting('clientSecret')}
              />
              <TextField label={t('scope')} optional {...setting('scope')} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
