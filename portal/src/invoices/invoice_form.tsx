// The dialog that creates an invoice from its lines. The server reckons amounts and tax; what it finds wrong stands beside
// the field it is about.
import type { Invoice } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useApi } from '../app/api.ts'
import { EmptyFormButton } from '../app/empty_form_button.tsx'
import { FormDialog, useFormFields } from '../app/form.tsx'
import { useFormDraft } from '../app/form_draft.ts'
import record from '../app/record.module.css'
import { useSession } from '../app/session.ts'
import { Button, TextArea, TextField } from '../ui/index.ts'
import { type Line, LineRow, lineNames } from './invoice_line_row.tsx'
import styles from './invoices.module.css'

const newLine = (key: number): Line => ({ key, description: '', quantity: '1', unit_price: '', tax_rate: '' })
const headNames = ['name', 'email', 'due_date', 'currency', 'notes'] as const
type Head = Record<(typeof headNames)[number], string>

/** The name the server has for a field of the form. */
const wireNames: Record<keyof Head, string> = {
  name: 'customer.name',
  email: 'customer.email',
  due_date: 'due_date',
  currency: 'currency',
  notes: 'notes',
}
const lineField = (index: number, name: string) => `lines[${index}].${name}`
const emptyForm: { head: Head; lines: Line[] } = {
  head: { name: '', email: '', due_date: '', currency: '', notes: '' },
  lines: [newLine(0)],
}

function bodyOf(head: Head, lines: readonly Line[]) {
  const text = (value: string) => (value.trim() === '' ? undefined : value.trim())
  const email = text(head.email)
  const optional = {
    due_date: text(head.due_date),
    currency: text(head.currency)?.toUpperCase(),
    notes: text(head.notes),
  }
  return {
    customer: { name: head.name, ...(email === undefined ? {} : { email }) },
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    lines: lines.map(({ description, quantity, unit_price, tax_rate }) => ({
      description,
      quantity: quantity.trim(),
      unit_price: unit_price.trim(),
      ...(tax_rate.trim() === '' ? {} : { tax_rate: tax_rate.trim() }),
    })),
  }
}

export function InvoiceForm({ onClose, onCreated }: { onClose(): void; onCreated(invoice: Invoice): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const draft = useFormDraft('invoice', emptyForm)
  const { head, lines } = draft.values
  // The server names lines by their place when they were sent; taking one away since must not move its faults to another.
  const sent = useRef<readonly number[]>([])
  const create = useMutation({
    mutationFn: () => {
      sent.current = lines.map(line => line.key)
      return api.invoices.create(bodyOf(head, lines))
    },
    onSuccess: ({ invoice }) => {
      draft.forget()
      void cache.invalidateQueries({ queryKey: [mode, 'invoices'] })
      onCreated(invoice)
    },
  })
  const shown = [
    ...Object.values(wireNames),
    ...sent.current.flatMap((_, index) => lineNames.map(name => lineField(index, name))),
  ]
  const headDraft = {
    values: head,
    change: (next: (old: Head) => Head) => draft.change(old => ({ ...old, head: next(old.head) })),
  }
  const { fields, mend, text, ...faults } = useFormFields(headDraft, create.error, shown)
  const field = (name: keyof Head) => text(name, wireNames[name])
  const changeLines = (next: (old: Line[]) => Line[]) => draft.change(old => ({ ...old, lines: next(old.lines) }))
  /** Changes lines and goes to the description of one at once: whoever types on loses no letter. */
  const changeAndGo = (next: (old: Line[]) => Line[], index: number) => {
    flushSync(() => changeLines(next))
    faults.form.current?.querySelectorAll<HTMLInputElement>('input[name="description"]')[index]?.focus()
  }
  return (
    <FormDialog
      wide
      title="Create an invoice"
      description="It begins as a draft. The server reckons amounts and tax from the lines."
      className={record['form']}
      faults={faults}
      action="Create"
      busy={create.isPending}
      aside={<EmptyFormButton draft={draft} request={create} form={faults.form} />}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField label="Customer" required {...field('name')} />
      <TextField label="Customer's e-mail" type="email" optional {...field('email')} />
      <TextField label="Due date" type="date" optional hint="14 days from now when left out" {...field('due_date')} />
      <TextField
        label="Currency"
        optional
        placeholder="USD"
        maxLength={3}
        hint="That of the organization when left out"
        {...field('currency')}
      />
      <fieldset className={styles['lines']}>
        <legend>Lines</legend>
        {lines.map((line, index) => {
          const place = sent.current.indexOf(line.key)
          return (
            <LineRow
              key={line.key}
              line={line}
              number={index + 1}
              errorOf={name => (place === -1 ? undefined : fields[lineField(place, name)])}
              onChange={(name, value) => {
                mend(lineField(place, name))
                changeLines(old => old.map(one => (one.key === line.key ? { ...one, [name]: value } : one)))
              }}
              onRemove={
                lines.length === 1
                  ? undefined
                  : () => changeAndGo(old => old.filter(one => one.key !== line.key), Math.max(0, index - 1))
              }
            />
          )
        })}
        <div>
          <Button
            size="sm"
            icon={<Plus size={14} />}
            onClick={() =>
              changeAndGo(old => [...old, newLine(Math.max(...old.map(line => line.key)) + 1)], lines.length)
            }
          >
            Add a line
          </Button>
        </div>
      </fieldset>
      <TextArea label="Notes" optional className={record['wide']} {...field('notes')} />
    </FormDialog>
  )
}
