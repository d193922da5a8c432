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
import { Button, Card, Chip, ConfirmDialog, countText, SelectField, TextField, Time } from '../ui/index.ts'
import styles from './audit.module.css'

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
      title="Sent on"
      actions={mayManage && <Button onClick={() => setAsked({ kind: 'create' })}>Create a stream</Button>}
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
          {query.data?.length === 0 && 'Nowhere. '}A stream sends what is sealed to an address of yours: signed, in
          order, each event at least once.{mode === 'test' && ' Streams are set up in live mode.'}
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
          title="The secret of the stream"
          description="It signs what is sent, as the secret of a webhook does. Copy it now: it cannot be shown again."
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
          <Chip>off</Chip>
        ) : lastError === null ? (
          <Chip tone="ok">on</Chip>
        ) : (
          <Chip tone="bad">{lastError.replaceAll('_', ' ')}</Chip>
        )}{' '}
        {behind === 0 ? 'all taken' : `${countText(behind)} waiting`}
        {deliveredAt !== null && (
          <>
            , last <Time iso={deliveredAt} />
          </>
        )}
      </span>
      {onDelete !== undefined && (
        <Button size="sm" aria-label={`Delete the stream to ${url}`} onClick={onDelete}>
          Delete
        </Button>
      )}
    </div>
  )
}

const names = ['url', 'description', 'from'] as const
const beginnings = [
  { value: 'now', label: 'What comes from now on' },
  { value: 'start', label: 'All that is there, from the start' },
]

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
      title="Create a stream"
      description="What is sealed is sent to the address as NDJSON, in batches, signed as webhooks are."
      className={record['form']}
      faults={faults}
      action="Create"
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label="URL"
        className={record['wide']}
        placeholder="https://siem.example.com/tandem"
        {...text('url')}
      />
      <TextField label="Description" className={record['wide']} {...text('description')} />
      <SelectField
        label="Begin with"
        className={record['wide']}
        options={beginnings}
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
      title="Delete the stream?"
      description={`Nothing more is sent to ${url}. What it has taken stays there.`}
      confirmLabel="Delete"
      danger
      busy={end.isPending}
      error={end.error?.message}
      onConfirm={() => end.mutate()}
    />
  )
}
