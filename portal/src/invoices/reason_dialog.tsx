// The dialog of what is done with an invoice for a reason that is kept: cancelling it, taking a payment of it back.
import type { Tandem } from '@tandem/sdk'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { TextArea } from '../ui/index.ts'
import { t } from './texts.ts'
import { type ActOptions, useAct } from './use_act.ts'

type ReasonDialogProps = Omit<ActOptions, 'run'> & {
  run(api: Tandem, reason: string): ReturnType<ActOptions['run']>
  title: string
  text: string
  /** Where the reason is kept. */
  hint: string
  action: string
  /** What leaves everything as it is. */
  keep: string
}

export function ReasonDialog({ run, title, text, hint, action, keep, ...rest }: ReasonDialogProps) {
  const [values, setValues] = useState({ reason: '' })
  const act = useAct({ ...rest, run: api => run(api, values.reason) })
  const form = useFormFields({ values, change: setValues }, act.error, ['reason'])
  return (
    <FormDialog
      title={title}
      description={text}
      className={record['form']}
      faults={{ form: form.form, general: form.general }}
      action={action}
      cancel={keep}
      busy={act.isPending}
      onSubmit={() => act.mutate()}
      onClose={rest.onClose}
    >
      <TextArea
        label={t('reason')}
        required
        rows={3}
        maxLength={500}
        className={record['wide']}
        hint={hint}
        {...form.text('reason')}
      />
    </FormDialog>
  )
}
