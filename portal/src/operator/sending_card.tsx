// Whether anything leaves the installation, what waits to leave it, and the way back after a restore.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { Quiet, Row, Rows, refreshMs } from '../status/parts.tsx'
import { Button, Card, Chip, SelectField, TextField, Time, toast } from '../ui/index.ts'
import { numberText } from '../words/format.ts'
import { operatorApi, operatorLevel } from './client.ts'
import { t } from './texts.ts'

const queryKey = ['operator', 'sending']
const choices = ['expire', 'send'] as const

export function SendingCard() {
  const [asked, setAsked] = useState<'hold' | 'release'>()
  const { data } = useQuery({
    queryKey,
    gcTime: 0,
    queryFn: async ({ signal }) => ({
      ...(await operatorApi.operatorSending.get({}, { signal })),
      acts: operatorLevel() === 'full',
    }),
    refetchInterval: ({ state }) => (state.data === undefined ? false : refreshMs),
  })
  if (data === undefined) return null
  const close = () => setAsked(undefined)
  const { held, reason, since } = data
  return (
    <Card
      title={t('sending')}
      actions={
        data.acts && (
          <Button variant={held ? 'primary' : 'secondary'} onClick={() => setAsked(held ? 'release' : 'hold')}>
            {t(held ? 'sendingRelease' : 'sendingHold')}
          </Button>
        )
      }
    >
      {!held && <Quiet>{t('sendingFree')}</Quiet>}
      <Rows>
        {held && (
          <Row
            name={reason}
            detail={since !== null && t.rich('sendingSince', { time: () => <Time iso={since} /> })}
            value={<Chip tone="bad">{t('sendingHeld')}</Chip>}
          />
        )}
        {data.waiting.map(({ kind, count, oldestAt }) => (
          <Row
            key={kind}
            name={t(`waiting.${kind}`)}
            detail={oldestAt !== null && t.rich('waitingSince', { time: () => <Time iso={oldestAt} /> })}
            value={numberText(count)}
          />
        ))}
      </Rows>
      {asked === 'hold' && <HoldDialog onClose={close} />}
      {asked === 'release' && <ReleaseDialog onClose={close} />}
    </Card>
  )
}

function HoldDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ reason: '' })
  const hold = useMutation({
    mutationFn: () => operatorApi.operatorSending.hold({ reason: values.reason }),
    onSuccess() {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, hold.error, ['reason'])
  return (
    <FormDialog
      title={t('holdTitle')}
      description={t('holdText')}
      className={record['form']}
      faults={fields}
      action={t('sendingHold')}
      busy={hold.isPending}
      disabled={values.reason.trim().length < 3}
      onSubmit={() => hold.mutate()}
      onClose={onClose}
    >
      <TextField className={record['wide']} label={t('reason')} maxLength={500} {...fields.text('reason')} />
    </FormDialog>
  )
}

function ReleaseDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState<{ waiting: string }>({ waiting: '' })
  const release = useMutation({
    mutationFn: () => operatorApi.operatorSending.release({ waiting: values.waiting as (typeof choices)[number] }),
    onSuccess() {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      toast({ text: t('released') })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, release.error, ['waiting'])
  return (
    <FormDialog
      title={t('releaseTitle')}
      description={t('releaseText')}
      className={record['form']}
      faults={fields}
      action={t('sendingRelease')}
      busy={release.isPending}
      disabled={values.waiting === ''}
      onSubmit={() => release.mutate()}
      onClose={onClose}
    >
      <SelectField
        className={record['wide']}
        label={t('releaseWaiting')}
        options={[
          { value: '', label: t('releaseChoose') },
          ...choices.map(value => ({ value, label: t(`release.${value}`) })),
        ]}
        {...fields.text('waiting')}
      />
    </FormDialog>
  )
}
