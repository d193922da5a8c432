// What people asked for, how far it is, and what was left; a new request by an address.
import type { PrivacyRequest } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolled } from '../data/polled.ts'
import record from '../data/record.module.css'
import { saveFile } from '../data/save_file.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, Moment, SelectField, TextField, toast, toneOfState } from '../ui/index.ts'
import { addressed } from './addressed.ts'
import styles from './privacy.module.css'
import { t } from './texts.ts'

export function RequestsCard() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [asks, setAsks] = useState(false)
  const query = useQuery({
    queryKey: [mode, 'privacy_requests'],
    queryFn: async ({ signal }) => (await api.privacyRequests.list({ limit: 50 }, { signal })).items,
  })
  const requests = query.data ?? []
  const isUnderWay = requests.some(({ finishedAt }) => finishedAt === null)
  usePolled({ query }, isUnderWay ? 3_000 : 60_000)
  const mayAsk = permissions.has('privacy_requests:create')
  return (
    <Card title={t('requests')} actions={mayAsk && <Button onClick={() => setAsks(true)}>{t('ask')}</Button>}>
      <p>{t('requestsText')}</p>
      <ul className={styles['list']}>
        {requests.map(request => (
          <Request key={request.privacyRequestId} request={request} mayDownload={mayAsk} />
        ))}
      </ul>
      {query.data?.length === 0 && <p>{t('requestsNone')}</p>}
      {asks && <AskDialog onClose={() => setAsks(false)} />}
    </Card>
  )
}

function Request({ request, mayDownload }: { request: PrivacyRequest; mayDownload: boolean }) {
  const api = useApi()
  const { privacyRequestId, kind, state, about, reason, createdAt, expiresAt, waitsFor, kept, error } = request
  const save = useMutation({
    mutationFn: async () =>
      saveFile(
        await api.privacyRequests.download({ privacyRequestId }, { timeoutMs: 3_600_000 }),
        `${privacyRequestId}.tar.gz`,
      ),
    onError: fault => toast({ text: faultText(fault), tone: 'bad' }),
  })
  const isThere = kind === 'export' && state === 'completed'
  return (
    <li>
      <span>
        <Chip tone={toneOfState(state)} dot>
          {t(`state.${state}`)}
        </Chip>{' '}
        {t(`kind.${kind}`)}, <bdi>{about}</bdi>, <Moment iso={createdAt} />: {reason}
        {isThere && expiresAt !== null && <> ({t.rich('until', { time: () => <Moment iso={expiresAt} /> })})</>}
        {waitsFor !== null && ` ${t(waitsFor === 'legal_hold' ? 'waitsHold' : 'waits')}`}
        {kept.length > 0 && ` ${t('kept', { list: kept.map(one => t.of('keep', one.what) ?? one.what).join(', ') })}`}
        {error !== null && ` ${error}`}
      </span>
      {isThere && mayDownload && (
        <Button aria-label={t('downloadOf', { about })} busy={save.isPending} onClick={() => save.mutate()}>
          {t('download')}
        </Button>
      )}
    </li>
  )
}

function AskDialog({ onClose }: { onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ kind: 'export', address: '', confirm: '', reason: '' })
  const isErasure = values.kind === 'erasure'
  const ask = useMutation({
    mutationFn: () =>
      api.privacyRequests.create({
        kind: values.kind as 'export' | 'erasure',
        ...addressed(values.address),
        ...(isErasure && { confirm: values.confirm }),
        reason: values.reason,
      }),
    onSuccess() {
      void cache.invalidateQueries({ queryKey: [mode, 'privacy_requests'] })
      toast({ text: t('asked') })
      onClose()
    },
  })
  const {
    text,
    put,
    fields: _,
    ...faults
  } = useFormFields({ values, change: setValues }, ask.error, ['confirm', 'reason'])
  return (
    <FormDialog
      title={t('askTitle')}
      description={t('askText')}
      className={record['form']}
      faults={faults}
      action={t('askAction')}
      danger={isErasure}
      busy={ask.isPending}
      onSubmit={ask.mutate}
      onClose={onClose}
    >
      <SelectField
        label={t('what')}
        className={record['wide']}
        options={[
          { value: 'export', label: t('kind.export') },
          { value: 'erasure', label: t('kind.erasure') },
        ]}
        value={values.kind}
        onChange={event => put('kind', event.target.value)}
      />
      <TextField label={t('address')} className={record['wide']} required {...text('address')} />
      {isErasure && <TextField label={t('addressAgain')} className={record['wide']} required {...text('confirm')} />}
      <TextField label={t('reason')} hint={t('reasonHint')} className={record['wide']} required {...text('reason')} />
    </FormDialog>
  )
}
