// One more organization for who is logged in, where the server lets people make them; then the portal begins again there.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import { switchOrganization } from '../session/session.ts'
import { problemText } from '../ui/faults.ts'
import { TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

export function CreateOrganization({ needsCode, onClose }: { needsCode: boolean; onClose(): void }) {
  const [values, setValues] = useState({ name: '', code: '' })
  const create = useMutation({
    mutationFn: () => {
      const code = values.code.trim()
      return apiOf('live').ownOrganizations.create({ name: values.name, ...(code === '' ? {} : { code }) })
    },
    async onSuccess({ organizationId }) {
      const refusal = await switchOrganization(organizationId)
      if (refusal !== undefined) toast({ text: problemText(refusal.code, refusal.message), tone: 'bad' })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, create.error, ['name', 'code'])
  return (
    <FormDialog
      title={t('create')}
      description={t('createText')}
      className={record['form']}
      faults={fields}
      action={t('createAction')}
      busy={create.isPending}
      disabled={values.name.trim() === '' || (needsCode && values.code.trim() === '')}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField className={record['wide']} label={t('createName')} maxLength={200} {...fields.text('name')} />
      <TextField
        className={record['wide']}
        label={t(needsCode ? 'createCode' : 'createCodeOptional')}
        hint={t('createCodeHint')}
        autoComplete="off"
        maxLength={100}
        {...fields.text('code')}
      />
    </FormDialog>
  )
}
