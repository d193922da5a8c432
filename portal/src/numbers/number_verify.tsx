// The dialog that proves a number is the organization's: a code is asked for, then entered. And whose a number is, in words.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetMessagingLists, type OwnNumber } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Chip, SelectField, TextField, toast } from '../ui/index.ts'

/** Whether there is anything to prove. */
export function canVerify({ ownership }: OwnNumber): boolean {
  return ownership === 'unverified' || ownership === 'contested'
}

/** Undefined where nobody else can have it. */
export function ownershipText({ ownership }: OwnNumber): string | undefined {
  if (ownership === null) return undefined
  return {
    verified: 'Yours, verified',
    unverified: 'Yours, as long as no other organization on this server verifies it',
    contested: 'Another organization on this server has it: no calls come in, and nothing can be sent from it',
  }[ownership]
}

export function NumberText({ number }: { number: OwnNumber }) {
  return number.ownership === 'contested' ? (
    <>
      {number.number} <Chip tone="warn">Not verified</Chip>
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
      toast({ text: `${saved.number} is verified.` })
      onClose()
    },
  })
  const { put, text, ...faults } = useFormFields({ values, change: setValues }, confirm.error ?? send.error, ['code'])
  const isSent = send.data !== undefined
  return (
    <FormDialog
      title={`Verify ${number.number}`}
      description="A code of six digits comes to the number, by a text or a call. Enter it here to prove that the number is yours; it is good for ten minutes."
      className={record['form']}
      faults={faults}
      action={isSent ? 'Verify' : 'Send the code'}
      busy={send.isPending || confirm.isPending}
      disabled={isSent && values.code.trim() === ''}
      aside={isSent && <Button onClick={() => send.reset()}>Send another code</Button>}
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
          label="Code"
          className={record['wide']}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={6}
          hint={`${send.data.method === 'text' ? 'Texted to' : 'Spoken in a call to'} ${number.number}. ${send.data.requestsLeft} more can be sent today.`}
          {...text('code')}
        />
      ) : (
        <SelectField
          label="Send it by"
          className={record['wide']}
          options={[
            { value: 'text', label: 'Text message' },
            { value: 'call', label: 'Telephone call' },
          ]}
          value={values.method}
          onChange={({ target: { value } }) => put('method', value as 'text' | 'call')}
        />
      )}
    </FormDialog>
  )
}
