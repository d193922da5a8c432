// Codes with which operators let somebody make an organization: made, seen, taken back.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useSignUpMode } from '../sign_up/mode.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, Moment, TextField, toast } from '../ui/index.ts'
import { operatorApi } from './client.ts'
import styles from './operator.module.css'
import { ShownOnce } from './shown_once.tsx'
import { t } from './texts.ts'

export function CodesCard({ acts }: { acts: boolean }) {
  const cache = useQueryClient()
  const [makes, setMakes] = useState(false)
  const mode = useSignUpMode()
  const codes = useQuery({
    queryKey: ['operator', 'codes'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.organizationCodes.list({ limit: 50 }, { signal }),
  })
  const remove = useMutation({
    mutationFn: (codeId: string) => operatorApi.organizationCodes.remove({ codeId }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['operator'] }),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  const rows = codes.data?.items ?? []
  return (
    <>
      <Card title={t('codes')} actions={acts && <Button onClick={() => setMakes(true)}>{t('codeMake')}</Button>}>
        {mode === 'closed' && <p>{t('codesClosed')}</p>}
        <ul className={styles['rows']}>
          {rows.map(({ codeId, note, expiresAt, usedAt, organizationId }) => (
            <li key={codeId}>
              <div>
                <b>{note ?? t('codeNoNote')}</b> <State {...{ expiresAt, usedAt }} />
                <small>
                  {usedAt === null
                    ? t.rich('codeUntil', { time: () => <Moment iso={expiresAt} /> })
                    : t.rich('codeUsedBy', { id: String(organizationId), time: () => <Moment iso={usedAt} /> })}
                </small>
              </div>
              {acts && usedAt === null && (
                <Button aria-label={t('codeRemove', { note: note ?? codeId })} onClick={() => remove.mutate(codeId)}>
                  {t('remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {codes.isSuccess && rows.length === 0 && <p>{t('codesNone')}</p>}
      </Card>
      {makes && <MakeDialog onClose={() => setMakes(false)} />}
    </>
  )
}

function State({ expiresAt, usedAt }: { expiresAt: string; usedAt: string | null }) {
  if (usedAt !== null) return <Chip>{t('code.used')}</Chip>
  return Date.parse(expiresAt) < Date.now() ? <Chip tone="warn">{t('code.old')}</Chip> : <Chip>{t('code.good')}</Chip>
}

function MakeDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ note: '', days: '14' })
  const make = useMutation({
    mutationFn: () => {
      const note = values.note.trim()
      return operatorApi.organizationCodes.create({ days: Number(values.days), ...(note === '' ? {} : { note }) })
    },
    gcTime: 0,
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['operator'] }),
  })
  const fields = useFormFields({ values, change: setValues }, make.error, ['note', 'days'])
  if (make.isSuccess) {
    return (
      <ShownOnce
        title={t('codeTitle')}
        text={t('codeText', { address: `${window.location.origin}/sign-up` })}
        label={t('code')}
        value={make.data.code}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={t('codeMake')}
      className={record['form']}
      faults={fields}
      action={t('codeAction')}
      busy={make.isPending}
      disabled={!/^[1-9]\d*$/.test(values.days)}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <TextField label={t('codeFor')} maxLength={200} {...fields.text('note')} />
      <TextField label={t('codeDays')} inputMode="numeric" maxLength={3} {...fields.text('days')} />
    </FormDialog>
  )
}
