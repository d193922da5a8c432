// The dialog that creates a lead. What the server finds wrong stands beside the field it is about; nothing typed is lost.
import type { LeadsCreateReply } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../app/api.ts'
import { faultsOf } from '../app/faults.ts'
import { useSession } from '../app/session.ts'
import { Button, Dialog, ErrorNote, SelectField, TextArea, TextField } from '../ui/index.ts'
import styles from './leads.module.css'

const names = ['name', 'email', 'phone', 'company', 'priority', 'source', 'notes'] as const
type Values = Record<(typeof names)[number], string>
const emptyValues: Values = { name: '', email: '', phone: '', company: '', priority: 'Warm', source: '', notes: '' }

export function LeadForm({ onClose, onCreated }: { onClose(): void; onCreated(reply: LeadsCreateReply): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const formId = useId()
  const [values, setValues] = useState(emptyValues)
  const create = useMutation({
    mutationFn: () => {
      const { name, priority, ...rest } = values
      const filled = Object.fromEntries(Object.entries(rest).filter(([, value]) => value.trim() !== ''))
      return api.leads.create({ name, priority, ...filled })
    },
    onSuccess: reply => {
      void cache.invalidateQueries({ queryKey: [mode, 'leads'] })
      onCreated(reply)
    },
  })
  const { fields, general } = faultsOf(create.error, names)
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: fields[name],
    onChange: (event: { target: { value: string } }) => setValues(old => ({ ...old, [name]: event.target.value })),
  })
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title="Create a lead"
      description="A name and one of e-mail and phone are enough."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles['form']}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          create.mutate()
        }}
      >
        {general !== undefined && (
          <div className={styles['wide']}>
            <ErrorNote text={general} />
          </div>
        )}
        <TextField label="Name" className={styles['wide']} required {...field('name')} />
        <TextField label="E-mail" type="email" {...field('email')} />
        <TextField label="Phone" type="tel" placeholder="+44 20 7946 0018" {...field('phone')} />
        <TextField label="Company" optional {...field('company')} />
        <SelectField
          label="Priority"
          options={['Hot', 'Warm', 'Cold'].map(value => ({ value, label: value }))}
          {...field('priority')}
        />
        <TextField label="Source" optional placeholder="web, fair" className={styles['wide']} {...field('source')} />
        <TextArea label="Notes" optional className={styles['wide']} {...field('notes')} />
      </form>
    </Dialog>
  )
}
