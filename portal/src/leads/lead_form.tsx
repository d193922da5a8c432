// The dialog that creates a lead. What the server finds wrong stands beside the field it is about; nothing typed is lost.
import { isTandemError, type LeadsCreateReply } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../app/api.ts'
import { EmptyFormButton } from '../app/empty_form_button.tsx'
import { FormDialog, useFormFields } from '../app/form.tsx'
import { useFormDraft } from '../app/form_draft.ts'
import record from '../app/record.module.css'
import { useSession } from '../app/session.ts'
import { Button, SelectField, TextArea, TextField } from '../ui/index.ts'

const names = ['name', 'email', 'phone', 'company', 'priority', 'source', 'notes'] as const
type Values = Record<(typeof names)[number], string>
const emptyValues: Values = { name: '', email: '', phone: '', company: '', priority: 'Warm', source: '', notes: '' }

export function LeadForm({ onClose, onCreated }: { onClose(): void; onCreated(reply: LeadsCreateReply): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const draft = useFormDraft('lead', emptyValues)
  const create = useMutation({
    mutationFn: (duplicates: 'refused' | 'taken') => {
      const { name, priority, ...rest } = draft.values
      const filled = Object.fromEntries(Object.entries(rest).filter(([, value]) => value.trim() !== ''))
      const options = duplicates === 'taken' ? { headers: { 'X-Duplicate-Mode': 'warn' } } : {}
      return api.leads.create({ name, priority, ...filled }, options)
    },
    onSuccess: reply => {
      draft.forget()
      void cache.invalidateQueries({ queryKey: [mode, 'leads'] })
      onCreated(reply)
    },
  })
  const { text, ...faults } = useFormFields(draft, create.error, names)
  const isDuplicate = isTandemError(create.error) && create.error.code === 'duplicate_lead'
  return (
    <FormDialog
      title="Create a lead"
      description="A name and one of e-mail and phone are enough."
      className={record['form']}
      faults={faults}
      action="Create"
      busy={create.isPending}
      aside={<EmptyFormButton draft={draft} request={create} form={faults.form} />}
      other={
        isDuplicate && !create.isPending && <Button onClick={() => create.mutate('taken')}>Create all the same</Button>
      }
      onSubmit={() => create.mutate('refused')}
      onClose={onClose}
    >
      <TextField label="Name" className={record['wide']} required {...text('name')} />
      <TextField label="E-mail" type="email" {...text('email')} />
      <TextField label="Phone" type="tel" placeholder="+44 20 7946 0018" {...text('phone')} />
      <TextField label="Company" optional {...text('company')} />
      <SelectField
        label="Priority"
        options={['Hot', 'Warm', 'Cold'].map(value => ({ value, label: value }))}
        {...text('priority')}
      />
      <TextField label="Source" optional placeholder="web, fair" className={record['wide']} {...text('source')} />
      <TextArea label="Notes" optional className={record['wide']} {...text('notes')} />
    </FormDialog>
  )
}
