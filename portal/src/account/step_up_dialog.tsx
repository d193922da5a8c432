// Asks the person to prove again that it is they, for what is worth it; what was refused is then sent again by itself.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import { refresh } from '../session/session.ts'
import { Button, LoadingRows, TextField } from '../ui/index.ts'
import { askForPasskey, mayUsePasskeys } from './passkey.ts'
import { codeProof } from './proofs.ts'
import { t } from './texts.ts'

export function StepUpDialog({ onSettled }: { onSettled(isGiven: boolean): void }) {
  const api = apiOf('live')
  const factors = useQuery({ queryKey: ['live', 'factors'], queryFn: ({ signal }) => api.factors.list({}, { signal }) })
  const [typed, setTyped] = useState('')
  const asksCode = (factors.data?.factors.length ?? 0) > 0
  const prove = useMutation({
    async mutationFn(proof: Parameters<typeof api.auth.stepUp>[0]) {
      await api.auth.stepUp(proof)
      // Another cookie at once, and tokens for what was refused; where none came, the next request asks for them.
      await refresh().catch(() => false)
    },
    gcTime: 0,
    onSuccess: () => onSettled(true),
  })
  const hasPasskey = mayUsePasskeys() && factors.data?.factors.some(({ kind }) => kind === 'passkey') === true
  const takePasskey = async () => {
    const assertion = await askForPasskey().catch(() => undefined)
    if (assertion !== undefined) prove.mutate({ assertion })
  }
  const faults = useFormFaults(prove.error, ['password'])
  return (
    <FormDialog
      title={t('stepUp')}
      description={t('stepUpText')}
      className={record['form']}
      faults={faults}
      action={t('stepUpConfirm')}
      busy={prove.isPending}
      disabled={typed === '' || factors.isPending}
      onSubmit={() => prove.mutate(asksCode ? codeProof(typed) : { password: typed })}
      onClose={() => onSettled(false)}
    >
      {factors.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : (
        <TextField
          className={record['wide']}
          label={t(asksCode ? 'stepUpCode' : 'password')}
          type={asksCode ? 'text' : 'password'}
          inputMode={asksCode ? 'numeric' : 'text'}
          autoComplete={asksCode ? 'one-time-code' : 'current-password'}
          error={faults.fields['password']}
          maxLength={128}
          value={typed}
          onChange={event => {
            faults.mend('password')
            setTyped(event.target.value)
          }}
          autoFocus
        />
      )}
      {hasPasskey && (
        <div className={record['wide']}>
          <Button busy={prove.isPending} onClick={takePasskey}>
            {t('stepUpPasskey')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
