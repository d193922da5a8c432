// Who runs the installation, and what they did last.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, ConfirmDialog, Moment, SelectField, TextField, toast } from '../ui/index.ts'
import { operatorApi } from './client.ts'
import styles from './operator.module.css'
import { t } from './texts.ts'

const levels = ['support', 'full'] as const

export function OperatorsCard({ acts }: { acts: boolean }) {
  const cache = useQueryClient()
  const [adds, setAdds] = useState(false)
  const operators = useQuery({
    queryKey: ['operator', 'operators'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.operators.list({}, { signal }),
  })
  const events = useQuery({
    queryKey: ['operator', 'events'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.operatorEvents.list({ limit: 20 }, { signal }),
  })
  const [removing, setRemoving] = useState<{ accountId: number; email: string }>()
  const remove = useMutation({
    mutationFn: (accountId: number) => operatorApi.operators.remove({ accountId }),
    onSuccess() {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      setRemoving(undefined)
    },
  })
  const rows = events.data?.items ?? []
  return (
    <>
      <Card title={t('operators')} actions={acts && <Button onClick={() => setAdds(true)}>{t('operatorAdd')}</Button>}>
        <ul className={styles['rows']}>
          {(operators.data?.operators ?? []).map(({ accountId, email, name, level, hasSecondFactor }) => (
            <li key={accountId}>
              <div>
                <b>{name}</b> <Chip>{t(`level.${level}`)}</Chip>{' '}
                {!hasSecondFactor && <Chip tone="warn">{t('noFactor')}</Chip>}
                <small>{email}</small>
              </div>
              {acts && (
                <Button aria-label={t('removeNamed', { email })} onClick={() => setRemoving({ accountId, email })}>
                  {t('remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t('did')}>
        {events.isSuccess && rows.length === 0 && <p>{t('didNothing')}</p>}
        <ul className={styles['rows']}>
          {rows.map(({ eventId, at, action, operator, organizationId, target, reason }) => (
            <li key={eventId}>
              <div>
                <code>{action}</code> {organizationId !== null && t('didOrganization', { id: String(organizationId) })}{' '}
                {target}
                <small>
                  {operator}, <Moment iso={at} />
                  {reason !== null && `: ${reason}`}
                </small>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {adds && <AddDialog onClose={() => setAdds(false)} />}
      {removing !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={open => !open && setRemoving(undefined)}
          title={t('removeTitle', { email: removing.email })}
          description={t('removeText')}
          confirmLabel={t('remove')}
          danger
          busy={remove.isPending}
          {...(remove.error === null ? {} : { error: faultText(remove.error) })}
          onConfirm={() => remove.mutate(removing.accountId)}
        />
      )}
    </>
  )
}

function AddDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ email: '', level: 'support' })
  const add = useMutation({
    mutationFn: () => operatorApi.operators.set({ email: values.email, level: values.level as 'support' | 'full' }),
    onSuccess({ email }) {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      toast({ text: t('added', { email }) })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, add.error, ['email', 'level'])
  return (
    <FormDialog
      title={t('operatorAdd')}
      className={record['form']}
      faults={fields}
      action={t('addAction')}
      busy={add.isPending}
      disabled={values.email.trim() === ''}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label={t('addEmail')}
        type="email"
        maxLength={254}
        {...fields.text('email')}
      />
      <SelectField
        label={t('addLevel')}
        options={levels.map(value => ({ value, label: t(`level.${value}`) }))}
        value={values.level}
        onChange={event => fields.put('level', event.target.value)}
      />
    </FormDialog>
  )
}
