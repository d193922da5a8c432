// The dialog that creates an invoice from its lines. The server reckons amounts and tax; what it finds wrong stands beside
// the field it is about.
import type { Invoice } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useApi } from '../app/api.ts'
import { faultsOf } from '../app/faults.ts'
import { useSession } from '../app/session.ts'
import { Button, Dialog, ErrorNote, IconButton, TextArea, TextField } from '../ui/index.ts'
import styles from './invoices.module.css'

type Line = { key: number; description: string; quantity: string; unit_price: string; tax_rate: string }
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
const lineNames = ['description', 'quantity', 'unit_price', 'tax_rate'] as const
const lineField = (index: number, name: (typeof lineNames)[number]) => `lines[${index}].${name}`

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
  const formId = useId()
  const [head, setHead] = useState<Head>({ name: '', email: '', due_date: '', currency: '', notes: '' })
  const [lines, setLines] = useState<Line[]>([newLine(0)])
  const create = useMutation({
    mutationFn: () => api.invoices.create(bodyOf(head, lines)),
    onSuccess: ({ invoice }) => {
      void cache.invalidateQueries({ queryKey: [mode, 'invoices'] })
      onCreated(invoice)
    },
  })
  const shown = [
    ...Object.values(wireNames),
    ...lines.flatMap((_, index) => lineNames.map(name => lineField(index, name))),
  ]
  const { fields, general } = faultsOf(create.error, shown)
  const field = (name: keyof Head) => ({
    name,
    value: head[name],
    error: fields[wireNames[name]],
    onChange: (event: { target: { value: string } }) => setHead(old => ({ ...old, [name]: event.target.value })),
  })
  const lineInput = (line: Line, index: number, name: (typeof lineNames)[number]) => ({
    value: line[name],
    error: fields[lineField(index, name)],
    onChange: (event: { target: { value: string } }) =>
      setLines(old => old.map(one => (one.key === line.key ? { ...one, [name]: event.target.value } : one))),
  })
  return (
    <Dialog
      wide
      open
      onOpenChange={open => !open && onClose()}
      title="Create an invoice"
      description="It begins as a draft. Its number follows when it is created or sent, as the organization is set."
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
          {lines.map((line, index) => (
            <div key={line.key} className={styles['line']}>
              <TextField label={`Description of line ${index + 1}`} {...lineInput(line, index, 'description')} />
              <TextField label="Quantity" inputMode="decimal" {...lineInput(line, index, 'quantity')} />
              <TextField label="Unit price" inputMode="decimal" {...lineInput(line, index, 'unit_price')} />
              <TextField label="Tax %" inputMode="decimal" {...lineInput(line, index, 'tax_rate')} />
              <IconButton
                label={`Remove line ${index + 1}`}
                icon={<Trash2 size={15} />}
                disabled={lines.length === 1}
                onClick={() => setLines(old => old.filter(one => one.key !== line.key))}
              />
            </div>
          ))}
          <div>
            <Button
              size="sm"
              icon={<Plus size={14} />}
              onClick={() => setLines(old => [...old, newLine(Math.max(...old.map(line => line.key)) + 1)])}
            >
              Add a line
            </Button>
          </div>
        </fieldset>
        <TextArea label="Notes" optional className={styles['wide']} {...field('notes')} />
      </form>
    </Dialog>
  )
}
