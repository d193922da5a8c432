// The dialogs that create an invoice and change a draft. What is found wrong stands beside the field it is about; nothing typed is
// lost. What it comes to is shown as the server will calculate it.
import type { Invoice } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import record from '../data/record.module.css'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { isStale } from '../forms/faults.ts'
import { FormDialog, type FormState, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import type { EditFormProps, Saved } from '../nouns/form.tsx'
import { Meanwhile } from '../nouns/meanwhile.tsx'
import type { NounRecord } from '../nouns/noun.ts'
import { RecordPicker } from '../nouns/picker.tsx'
import { WholeRecord } from '../nouns/whole_record.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { TextArea, TextField } from '../ui/index.ts'
import { Figures, figureFields } from './invoice_figures.tsx'
import { invoiceOf, invoices } from './invoice_noun.ts'
import { useInvoiceStart } from './invoice_start.ts'
import { changesOf, creationOf, emptyValues, refuseUnclearFigures, type Values, valuesOf } from './invoice_values.ts'
import { t } from './texts.ts'

type FormProps = { onClose(): void; onSaved(saved: Saved): void }

const savedOf = (invoice: Invoice): Saved => ({ record: invoice as NounRecord, duplicates: [] })

export function CreateInvoice(props: FormProps) {
  const start = useInvoiceStart()
  return start === undefined ? null : <Create {...props} start={start} />
}

function Create({ start, onClose, onSaved }: FormProps & { start: Partial<Values> }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const name = Object.keys(start).length === 0 ? 'new invoice' : `new invoice ${JSON.stringify(start)}`
  const draft = useFormDraft(name, { ...emptyValues, ...start })
  const create = useMutation({
    mutationFn: async () => {
      refuseUnclearFigures(draft.values)
      const { key, request } = draft.attempts.of(creationOf(draft.values))
      return api.invoices.create(request, { idempotencyKey: key })
    },
    onSuccess({ invoice }) {
      draft.forget()
      void cache.invalidateQueries({ queryKey: [mode, 'invoices'] })
      onSaved(savedOf(invoice))
    },
  })
  return (
    <InvoiceDialog
      isNew
      title={t('create')}
      description={t('createText')}
      action={t('createDo')}
      state={draft}
      request={create}
      aside={form => <EmptyFormButton draft={draft} request={create} form={form} />}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    />
  )
}

export function EditInvoice({ record: listed, ...rest }: EditFormProps) {
  return (
    <WholeRecord noun={invoices} listed={listed} title={t('edit')} onClose={rest.onClose}>
      {(stored, reread) => <EditWhole {...rest} record={stored} reread={reread} />}
    </WholeRecord>
  )
}

function EditWhole({
  record: stored,
  reread,
  onClose,
  onSaved,
}: Omit<EditFormProps, 'noun'> & { reread(): Promise<unknown> }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [begun] = useState(stored)
  const [start] = useState(() => valuesOf(invoiceOf(begun)))
  const [values, setValues] = useState(start)
  const changes = changesOf(values, start)
  const { id, status, number, number_assigned: isNumbered, version } = invoiceOf(stored)
  const save = useMutation({
    mutationFn: async () => {
      refuseUnclearFigures(values)
      return api.invoices.update({ id, ...changes }, { ifMatch: version })
    },
    onSuccess({ invoice }) {
      void cache.invalidateQueries({ queryKey: [mode, 'invoices'] })
      onSaved(savedOf(invoice))
    },
    // What was typed is kept, and goes over the newer values only when it is sent once more.
    onError: error => (isStale(error) ? reread() : undefined),
  })
  const isDraft = status === 'Draft'
  const isRefused = isStale(save.error)
  return (
    <InvoiceDialog
      title={isNumbered ? t('editNumber', { number }) : t('editDraft')}
      {...(!isDraft && { description: t('editSent') })}
      action={t('save')}
      locked={!isDraft}
      state={{ values, change: setValues }}
      request={{ isPending: save.isPending, error: isRefused ? null : save.error }}
      note={
        (save.isIdle || save.isError) && (
          <Meanwhile noun={invoices} begun={begun} stored={stored} typed={Object.keys(changes)} isRefused={isRefused} />
        )
      }
      onSubmit={() => (Object.keys(changes).length > 0 ? save.mutate() : onClose())}
      onClose={onClose}
    />
  )
}

type InvoiceDialogProps = {
  title: string
  description?: string
  action: string
  isNew?: boolean
  /** Only what may be changed once it is sent. */
  locked?: boolean
  state: FormState<Values>
  request: { error: unknown; isPending: boolean }
  /** Above the fields. */
  note?: ReactNode
  aside?(form: RefObject<HTMLFormElement | null>): ReactNode
  onSubmit(): void
  onClose(): void
}

/** The name that the server has for a field of the form. */
const customerFields = {
  name: 'customer.name',
  email: 'customer.email',
  address: 'customer.address',
  tax_id: 'customer.tax_id',
} as const
const ownFields = [...Object.values(customerFields), 'due_date', 'currency', 'notes', 'lead_id']

function InvoiceDialog(props: InvoiceDialogProps) {
  const { title, description, action, isNew = false, locked = false, state, request, note, aside } = props
  const { onSubmit, onClose } = props
  // The server names lines by their place when they were sent; taking one away since must not move its faults to another.
  const sent = useRef<readonly number[]>([])
  const form = useFormFields(state, request.error, [...ownFields, ...figureFields(sent.current.length)])
  const { text } = form
  return (
    <FormDialog
      kept={isNew}
      wide={!locked}
      title={title}
      description={description}
      className={record['form']}
      faults={{ form: form.form, general: form.general }}
      action={action}
      busy={request.isPending}
      aside={aside?.(form.form)}
      onSubmit={() => {
        sent.current = state.values.lines.map(({ key }) => key)
        onSubmit()
      }}
      onClose={onClose}
    >
      {note}
      {!locked && (
        <>
          <TextField label={t('customer')} required {...text('name', customerFields.name)} />
          <TextField label={t('email')} type="email" optional {...text('email', customerFields.email)} />
          <TextArea
            label={t('address')}
            optional
            rows={3}
            className={record['wide']}
            {...text('address', customerFields.address)}
          />
          <TextField label={t('taxNumber')} optional {...text('tax_id', customerFields.tax_id)} />
          <LeadField form={form} />
        </>
      )}
      <TextField
        label={t('dueDate')}
        type="date"
        {...(isNew && { optional: true, hint: t('dueDateHint') })}
        {...text('due_date')}
      />
      {!locked && <FiguresOfForm form={form} sent={sent.current} isNew={isNew} />}
      <TextArea label={t('notes')} optional rows={3} className={record['wide']} {...text('notes')} />
    </FormDialog>
  )
}

type Form = ReturnType<typeof useFormFields<Values>>

/** For those who may look leads up. */
function LeadField({ form }: { form: Form }) {
  const { permissions } = useSession()
  if (!permissions.has('leads:read')) return null
  return (
    <RecordPicker
      of="lead"
      label={t('lead')}
      none={t('none')}
      error={form.fields['lead_id']}
      value={form.values.lead_id}
      onChange={id => form.put('lead_id', id === null ? null : Number(id))}
    />
  )
}

function FiguresOfForm({ form, sent, isNew }: { form: Form; sent: readonly number[]; isNew: boolean }) {
  const api = useApi()
  const { mode } = useSession()
  const organization = useQuery({
    queryKey: [mode, 'organization'],
    queryFn: ({ signal }) => api.organization.get({}, { signal }),
  })
  const usual = organization.data?.currency
  const typed = form.values.currency.trim().toUpperCase()
  return (
    <>
      <TextField
        label={t('currency')}
        maxLength={3}
        {...(isNew && {
          optional: true,
          hint: usual === undefined ? t('currencyUsual') : t('currencyHint', { currency: usual }),
        })}
        {...form.text('currency')}
      />
      <Figures form={form} sent={sent} currency={/^[A-Z]{3}$/.test(typed) ? typed : usual} />
    </>
  )
}
