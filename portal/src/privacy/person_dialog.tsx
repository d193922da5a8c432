// What an Admin asks for on the page of a person: an export, an erasure with the name typed, or a legal hold.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

export type PersonAct = 'export' | 'erasure' | 'hold'
export type PersonDialogProps = { act: PersonAct; recordId: string; name: string; onClose(): void }

function saidOf(act: PersonAct, name: string) {
  if (act === 'hold') return { title: t('holdTitle'), text: t('holdText'), action: t('holdAction') }
  if (act === 'export')
    return { title: t('exportTitle', { name }), text: t('exportText', { name }), action: t('kind.export') }
  return { title: t('eraseTitle', { name }), text: t('eraseText'), action: t('kind.erasure') }
}

export function PersonDialog({ act, recordId, name, onClose }: PersonDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ confirm: '', reason: '' })
  const ask = useMutation<unknown>({
    mutationFn: () => {
      const { confirm, reason } = values
      if (act === 'hold') return api.legalHolds.place({ recordId, reason })
      return api.privacyRequests.create({ kind: act, recordId, reason, ...(act === 'erasure' && { confirm }) })
    },
    onSuccess() {
      void cache.invalidateQueries({ queryKey: [mode, act === 'hold' ? 'legal_holds' : 'privacy_requests'] })
      toast({ text: t(act === 'hold' ? 'held' : 'asked') })
      onClose()
    },
  })
  const {
    text,
    put: _put,
    fields: _,
    ...faults
  } = useFormFields({ values, change: setValues }, ask.error, ['confirm', 'reason'])
  const said = saidOf(act, name)
  const isMeant = act !== 'erasure' || values.confirm.trim().toLowerCase() === name.trim().toLowerCase()
  return (
    <FormDialog
      title={said.title}
      description={said.text}
      className={record['form']}
      faults={faults}
      action={said.action}
      danger={act === 'erasure'}
      disabled={!isMeant}
      busy={ask.isPending}
      onSubmit={ask.mutate}
      onClose={onClose}
    >
      {act === 'erasure' && (
        <TextField label={t('typeName', { name })} className={record['wide']} required {...text('confirm')} />
      )}
      <TextField label={t('reason')} hint={t('reasonHint')} className={record['wide']} required {...text('reason')} />
    </FormDialog>
  )
}
