// Where the log is sent on to: how far each stream has come, a new one, the end of one.
import type { AuditStream } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolled } from '../data/polled.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, ConfirmDialog, SelectField, TextField, Time } from '../ui/index.ts'
import styles from './audit.module.css'
import { t } from './texts.ts'

type Asked = { kind: 'create' } | { kind: 'secret'; secret: string } | { kind: 'delete'; stream: AuditStream }

export function StreamsCard() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [asked, setAsked] = useState<Asked>()
  const query = useQuery({
    queryKey: [mode, 'audit streams'],
    queryFn: async ({ signal }) => (await api.auditStreams.list({}, { signal })).items,
  })
  usePolled({ query }, 15_000)
  const mayManage = permissions.has('audit:manage') && mode === 'live'
  const done = () => {
    setAsked(undefined)
    void query.refetch()
  }
  return (
    <Card
      title={t('streams')}
      actions={mayManage && <Button onClick={() => setAsked({ kind: 'create' })}>{t('streamCreate')}</Button>}
    >
      <div className={styles['text']}>
        {query.data?.map(stream => (
          <Stream
            key={stream.streamId}
            stream={stream}
            onDelete={mayManage ? () => setAsked({ kind: 'delete', stream }) : undefined}
          />
        ))}
        <p className={styles['note']}>
          {query.data?.length === 0 && t('streamsNone')} {t('streamsText')} {mode === 'test' && t('streamsTest')}
        </p>
      </div>
      {asked?.kind === 'create' && (
        <NewStream
          onClose={() => setAsked(undefined)}
          onSaved={secret => {
            setAsked({ kind: 'secret', secret })
            void query.refetch()
          }}
        />
      )}
      {asked?.kind === 'secret' && (
        <SecretDialog
          title={t('streamSecret')}
          description={t('streamSecretText')}
          secret={asked.secret}
          onDone={done}
        />
      )}
      {asked?.kind === 'delete' && (
        <EndOfStream stream={asked.stream} onClose={() => setAsked(undefined)} onDone={done} />
      )}
    </Card>
  )
}

function Stream({ stream, onDelete }: { stream: AuditStream; onDelete: (() => void) | undefined }) {
  const { url, enabled, behind, deliveredAt, lastError } = stream
  return (
    <div className={styles['stream']}>
      <span className={styles['hash']}>{url}</span>
      <span>
        {!enabled ? (
          <Chip>{t('streamOff')}</Chip>
        ) : lastError === null ? (
          <Chip tone="ok">{t('streamOn')}</Chip>
        ) : (
          <Chip tone="bad">{lastError.replaceAll('_', ' ')}</Chip>
        )}{' '}
        {behind === 0 ? t('streamTaken') : t('streamWaiting', { count: behind })}
        {deliveredAt !== null && <>, {t.rich('streamLast', { time: () => <Time iso={deliveredAt} /> })}</>}
      </span>
      {onDelete !== undefined && (
        <Button size="sm" aria-label={t('streamDeleteNamed', { url })} onClick={onDelete}>
          {t('delete')}
        </Button>
      )}
    </div>
  )
}

const names = ['url', 'description', 'from'] as const
const exampleUrl = 'https://siem.example.com/tandem'

function NewStream({ onClose, onSaved }: { onClose(): void; onSaved(secret: string): void }) {
  const api = useApi()
  const [values, setValues] = useState({ url: '', description: '', from: 'now' })
  const create = useMutation({
    mutationFn: () => {
      const { url, description, from } = values
      return api.auditStreams.create({ url, description: description || null, from: from as 'now' | 'start' })
    },
    onSuccess: ({ secret }) => onSaved(secret),
  })
  const { text, put, fields: _, ...faults } = useFormFields({ values, change: setValues }, create.error, names)
  return (
    <FormDialog
      title={t('streamCreate')}
      description={t('streamCreateText')}
      className={record['form']}
      faults={faults}
      action={t('streamAction')}
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField label={t('url')} className={record['wide']} placeholder={exampleUrl} {...text('url')} />
      <TextField label={t('description')} className={record['wide']} {...text('description')} />
      <SelectField
        label={t('begin')}
        className={record['wide']}
        options={[
          { value: 'now', label: t('fromNow') },
          { value: 'start', label: t('fromStart') },
        ]}
        value={values.from}
        onChange={event => put('from', event.target.value)}
      />
    </FormDialog>
  )
}

type EndProps = { stream: AuditStream; onClose(): void; onDone(): void }
function EndOfStream({ stream: { streamId, url }, onClose, onDone }: EndProps) {
  const api = useApi()
  const end = useMutation({ mutationFn: () => api.auditStreams.delete({ streamId }), onSuccess: onDone })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('streamDelete')}
      description={t('streamDeleteText', { url })}
      confirmLabel={t('delete')}
      danger
      busy={end.isPending}
      error={end.error === null ? undefined : faultText(end.error)}
      onConfirm={() => end.mutate()}
    />
  )
}
