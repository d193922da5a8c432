// How long the log is kept and what is in it by choice: shown, changed in live mode by those who may, and names erased from it.
import type { AuditPolicyGetReply } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { differing } from '../forms/differing.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { wholeOrNull } from '../forms/number_text.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, CheckboxField, DescriptionList, TextField, toast } from '../ui/index.ts'
import styles from './audit.module.css'
import { EraseDialog } from './erase_dialog.tsx'
import { useMayManageLog } from './may_manage.ts'
import { t } from './texts.ts'

type Policy = AuditPolicyGetReply

export function KeptCard() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [asked, setAsked] = useState<'change' | 'erase'>()
  const policy = useQuery({
    queryKey: [mode, 'audit policy'],
    queryFn: ({ signal }) => api.auditPolicy.get({}, { signal }),
  })
  const mayManage = useMayManageLog()
  const close = () => setAsked(undefined)
  return (
    <Card
      title={t('kept')}
      actions={
        mayManage && (
          <>
            <Button onClick={() => setAsked('erase')}>{t('erase')}</Button>
            {policy.data !== undefined && <Button onClick={() => setAsked('change')}>{t('keptChange')}</Button>}
          </>
        )
      }
    >
      <div className={styles['text']}>
        {policy.data !== undefined && <PolicyFacts policy={policy.data} />}
        {!mayManage && permissions.has('audit:manage') && <p className={styles['note']}>{t('keptTest')}</p>}
      </div>
      {asked === 'change' && policy.data !== undefined && <PolicyDialog policy={policy.data} onClose={close} />}
      {asked === 'erase' && <EraseDialog onClose={close} />}
    </Card>
  )
}

function PolicyFacts({ policy: { legalHold, effectiveDays, recordListens } }: { policy: Policy }) {
  return (
    <DescriptionList
      items={[
        { term: t('keptFor'), detail: legalHold ? t('keptHold') : t('keptDays', { count: effectiveDays }) },
        { term: t('recordings'), detail: t(recordListens ? 'recordingsNoted' : 'recordingsNotNoted') },
      ]}
    />
  )
}

type Values = { retentionDays: string; legalHold: boolean; recordListens: boolean }
const names = ['retentionDays', 'legalHold', 'recordListens']
const given = ({ retentionDays, ...rest }: Values) => ({ ...rest, retentionDays: wholeOrNull(retentionDays) })

function PolicyDialog({ policy, onClose }: { policy: Policy; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const { retentionDays, legalHold, recordListens } = policy
  const [before] = useState<Values>({ retentionDays: String(retentionDays ?? ''), legalHold, recordListens })
  const [values, setValues] = useState(before)
  // Only what differs: what somebody else changed meanwhile stays as it is.
  const changes = differing(given(values), given(before))
  const save = useMutation({
    mutationFn: () => api.auditPolicy.update(changes),
    onSuccess: saved => {
      cache.setQueryData([mode, 'audit policy'], saved)
      toast({ text: t('keptSaved') })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, save.error, names)
  const check = (name: 'legalHold' | 'recordListens') => ({
    checked: values[name],
    onChange: ({ target }: { target: { checked: boolean } }) => fields.put(name, target.checked),
  })
  return (
    <FormDialog
      title={t('keptTitle')}
      description={t('keptText')}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={save.isPending}
      disabled={Object.keys(changes).length === 0}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('retentionDays')}
        className={record['wide']}
        optional
        inputMode="numeric"
        hint={t('retentionDaysHint')}
        {...fields.text('retentionDays')}
      />
      <div className={record['checks']}>
        <CheckboxField label={t('legalHold')} hint={t('legalHoldHint')} {...check('legalHold')} />
        <CheckboxField label={t('recordListens')} {...check('recordListens')} />
      </div>
    </FormDialog>
  )
}
