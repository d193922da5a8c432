// The dialog that proves a number is the organization's: a code is asked for, then entered. And whose a number is, in words.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetMessagingLists, type OwnNumber } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Chip, SelectField, TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

/** Whether there is anything to prove. */
export function canVerify({ ownership }: OwnNumber): boolean {
  return ownership === 'unverified' || ownership === 'contested'
}

/** Undefined where nobody else can have it. */
export function ownershipText({ ownership }: OwnNumber): string | undefined {
  if (ownership === null) return undefined
  return t(`ownership.${ownership}`)
}

export function NumberText({ number }: { number: OwnNumber }) {
  return number.ownership === 'contested' ? (
    <>
      {number.number} <Chip tone="warn">{t('notVerified')}</Chip>
    </>
  ) : (
    number.number
  )
}

export function NumberVerifyDialog({ number, onClose }: { number: OwnNumber; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ method: 'text' as 'text' | 'call', code: '' })
  const { numberId } = number
  const send = useMutation({ mutationFn: () => api.numbers.verification.send({ numberId, method: values.method }) })
  const confirm = useMutation({
    mutationFn: () => api.numbers.verification.confirm({ numberId, code: values.code.trim() }),
    onSuccess: saved => {
      forgetMessagingLists(cache, mode)
      toast({ text: t('verified', { number: saved.number }) })
      onClose()
    },
  })
  const { put, text, ...faults } = useFormFields({ values, change: setValues }, confirm.error ?? send.error, ['code'])
  const isSent = send.data !== undefined
  return (
    <FormDialog
      title={t('verifyName', { number: number.number })}
      description={t('verifyText')}
      className={record['form']}
      faults={faults}
      action={t(isSent ? 'verify' : 'sendCode')}
      busy={send.isPending || confirm.isPending}
      disabled={isSent && values.code.trim() === ''}
      aside={isSent && <Button onClick={() => send.reset()}>{t('sendAnother')}</Button>}
      onSubmit={() => {
        if (isSent) confirm.mutate()
        else {
          confirm.reset()
          send.mutate()
        }
      }}
      onClose={onClose}
    >
      {isSent ? (
        <TextField
          label={t('code')}
          className={record['wide']}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={6}
          hint={t(send.data.method === 'text' ? 'codeTexted' : 'codeSpoken', {
            number: number.number,
            count: send.data.requestsLeft,
          })}
          {...text('code')}
        />
      ) : (
        <SelectField
          label={t('sendBy')}
          className={record['wide']}
          options={[
            { value: 'text', label: t('byText') },
            { value: 'call', label: t('byCall') },
          ]}
          value={values.method}
          onChange={({ target: { value } }) => put('method', value as 'text' | 'call')}
        />
      )}
    </FormDialog>
  )
}
