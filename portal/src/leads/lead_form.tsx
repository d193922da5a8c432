// The dialog that creates a lead. What the server finds wrong stands beside the field it is about; nothing typed is lost.
import { isTandemError, type LeadsCreateReply } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useApi } from '../app/api.ts'
import { EmptyFormButton } from '../app/empty_form_button.tsx'
import { useFormFaults } from '../app/faults.ts'
import { useFormDraft } from '../app/form_draft.ts'
import record from '../app/record.module.css'
import { useSession } from '../app/session.ts'
import { Button, Dialog, ErrorNote, SelectField, TextArea, TextField } from '../ui/index.ts'

const names = ['name', 'email', 'phone', 'company', 'priority', 'source', 'notes'] as const
type Values = Record<(typeof names)[number], string>
const emptyValues: Values = { name: '', email: '', phone: '', company: '', priority: 'Warm', source: '', notes: '' }

export function LeadForm({ onClose, onCreated }: { onClose(): void; onCreated(reply: LeadsCreateReply): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const formId = useId()
  const draft = useFormDraft('lead', emptyValues)
  const { values } = draft
  const create = useMutation({
    mutationFn: (duplicates: 'refused' | 'taken') => {
      const { name, priority, ...rest } = values
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
  const { form, fields, general, mend } = useFormFaults(create.error, names)
  const isDuplicate = isTandemError(create.error) && create.error.code === 'duplicate_lead'
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: fields[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => {
      mend(name)
      draft.change(old => ({ ...old, [name]: value }))
    },
  })
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title="Create a lead"
      description="A name and one of e-mail and phone are enough."
      footer={
        <>
          <EmptyFormButton draft={draft} request={create} form={form} />
          <Button onClick={onClose}>Cancel</Button>
          {isDuplicate && !create.isPending && (
            <Button onClick={() => create.mutate('taken')}>Create all the same</Button>
          )}
          <Button variant="primary" type="submit" form={formId} busy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={record['form']}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          create.mutate('refused')
        }}
      >
        {general !== undefined && (
          <div className={record['wide']}>
            <ErrorNote text={general} />
          </div>
        )}
        <TextField label="Name" className={record['wide']} required {...field('name')} />
        <TextField label="E-mail" type="email" {...field('email')} />
        <TextField label="Phone" type="tel" placeholder="+44 20 7946 0018" {...field('phone')} />
        <TextField label="Company" optional {...field('company')} />
        <SelectField
          label="Priority"
          options={['Hot', 'Warm', 'Cold'].map(value => ({ value, label: value }))}
          {...field('priority')}
        />
        <TextField label="Source" optional placeholder="web, fair" className={record['wide']} {...field('source')} />
        <TextArea label="Notes" optional className={record['wide']} {...field('notes')} />
      </form>
    </Dialog>
  )
}
