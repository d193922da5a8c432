// Where the log is sent on to: how far each stream has come; one is created, changed, paused, resumed and deleted.

import type { AuditStream } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { usePolled } from '../data/polled.ts'
import record from '../data/record.module.css'
import { differing } from '../forms/differing.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { textOrNull } from '../forms/text_or_null.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, ConfirmDialog, SelectField, TextField, Time, toast } from '../ui/index.ts'
import styles from './audit.module.css'
import { useMayManageLog } from './may_manage.ts'
import { t } from './texts.ts'

type Asked =
  | { kind: 'create' }
  | { kind: 'secret'; secret: string }
  | { kind: 'edit'; stream: AuditStream }
  | { kind: 'delete'; stream: AuditStream }

export function StreamsCard() {
  const api = useApi()
  const { mode } = useSession()
  const [asked, setAsked] = useState<Asked>()
  const query = useQuery({
    queryKey: [mode, 'audit streams'],
    queryFn: async ({ signal }) => (await api.auditStreams.list({}, { signal })).items,
  })
  usePolled({ query }, 15_000)
  const mayManage = useMayManageLog()
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
          <Stream key={stream.streamId} stream={stream}>
            {mayManage && <StreamActions stream={stream} onAsk={kind => setAsked({ kind, stream })} />}
          </Stream>
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
      {asked?.kind === 'edit' && <EditStream stream={asked.stream} onClose={() => setAsked(undefined)} onDone={done} />}
      {asked?.kind === 'delete' && (
        <EndOfStream stream={asked.stream} onClose={() => setAsked(undefined)} onDone={done} />
      )}
    </Card>
  )
}

function Stream({ stream, children }: { stream: AuditStream; children: ReactNode }) {
  const { url, description, enabled, behind, deliveredAt, lastError } = stream
  return (
    <div className={styles['stream']}>
      <span>
        <span className={styles['hash']}>{url}</span>
        {description !== null && <p className={styles['note']}>{description}</p>}
      </span>
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
      {children}
    </div>
  )
}

type StreamActionsProps = { stream: AuditStream; onAsk(kind: 'edit' | 'delete'): void }
function StreamActions({ stream: { streamId, url, enabled }, onAsk }: StreamActionsProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const toggle = useMutation({
    mutationFn: () => api.auditStreams.update({ streamId, enabled: !enabled }),
    onSuccess: () => cache.invalidateQueries({ queryKey: [mode, 'audit streams'] }),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <span className={styles['actions']}>
      <Button size="sm" aria-label={t('streamEditNamed', { url })} onClick={() => onAsk('edit')}>
        {t('edit')}
      </Button>
      <Button
        size="sm"
        aria-label={t(enabled ? 'streamPauseNamed' : 'streamResumeNamed', { url })}
        busy={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {t(enabled ? 'streamPause' : 'streamResume')}
      </Button>
      <Button size="sm" aria-label={t('streamDeleteNamed', { url })} onClick={() => onAsk('delete')}>
        {t('delete')}
      </Button>
    </span>
  )
}

const names = ['url', 'description', 'from'] as const
const exampleUrl = 'https://siem.example.com/tandem'

const given = ({ url, description }: { url: string; description: string }) => ({
  url: url.trim(),
  description: textOrNull(description),
})

function NewStream({ onClose, onSaved }: { onClose(): void; onSaved(secret: string): void }) {
  const api = useApi()
  const [values, setValues] = useState({ url: '', description: '', from: 'now' })
  const create = useMutation({
    mutationFn: () => {
      const { from } = values
      return api.auditStreams.create({ ...given(values), from: from as 'now' | 'start' })
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

type ChangeProps = { stream: AuditStream; onClose(): void; onDone(): void }
function EditStream({ stream: { streamId, url, description }, onClose, onDone }: ChangeProps) {
  const api = useApi()
  const [before] = useState({ url, description: description ?? '' })
  const [values, setValues] = useState(before)
  // Only what differs: what somebody else changed meanwhile stays as it is.
  const changes = differing(given(values), given(before))
  const save = useMutation({ mutationFn: () => api.auditStreams.update({ streamId, ...changes }), onSuccess: onDone })
  const { text, ...faults } = useFormFields({ values, change: setValues }, save.error, names)
  return (
    <FormDialog
      title={t('streamEdit')}
      description={t('streamEditText')}
      className={record['form']}
      faults={faults}
      action={t('save')}
      busy={save.isPending}
      disabled={Object.keys(changes).length === 0}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField label={t('url')} className={record['wide']} placeholder={exampleUrl} {...text('url')} />
      <TextField label={t('description')} className={record['wide']} optional {...text('description')} />
    </FormDialog>
  )
}

function EndOfStream({ stream: { streamId, url }, onClose, onDone }: ChangeProps) {
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
