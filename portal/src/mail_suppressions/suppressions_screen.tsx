// Mail suppressions: who gets no mail and why, adding an address by hand, taking one away.
import type { MailSuppression } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveRelated } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, TextField, toast } from '../ui/index.ts'

const reasons: Record<string, string> = {
  hard_bounce: 'The address takes no mail',
  complaint: 'Called a mail unwanted',
  unsubscribe: 'Unsubscribed',
  manual: 'Added by hand or API',
}

const suppressions: Resource<MailSuppression> = {
  many: 'mail suppressions',
  about: 'Addresses that get no mail. Bounces, complaints and the link in marketing mails add them by themselves.',
  from: api => api.mailSuppressions.list,
  id: 'suppressionId',
  nameOf: ({ address }) => `the suppression of ${address}`,
  filters: [
    { name: 'address', label: 'Address', placeholder: 'ada@example.com' },
    { name: 'reason', label: 'Reason', options: Object.entries(reasons).map(([value, label]) => ({ value, label })) },
  ],
  columns: [
    { name: 'address', label: 'Address' },
    { name: 'reason', label: 'Reason', px: 220, cell: ({ reason }) => reasons[reason] ?? reason },
    { name: 'stream', label: 'Of', px: 140, cell: ({ stream }) => stream ?? 'all mail' },
    { name: 'note', label: 'Note', atFirst: 'wide' },
    { name: 'createdAt', label: 'Since', kind: 'time' },
  ],
  actions: { px: 110, needs: 'mail:erase', cell: one => <RemoveButton suppression={one} /> },
  create: {
    label: 'Suppress an address',
    needs: 'mail:manage',
    Form: SuppressionForm,
    saved: ({ address }) => `${address} gets no more mail.`,
  },
  useNews: list =>
    useLiveRelated({ eventPrefix: 'mail_suppression.', isMine: () => true, onChange: () => void list.query.refetch() }),
  empty: { title: 'Nobody is suppressed', text: 'Addresses that bounce, complain or unsubscribe appear here.' },
}

export const MailSuppressionsScreen = () => <ResourceScreen of={suppressions} />

function SuppressionForm({ onClose, onSaved }: CreateFormProps<MailSuppression>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ address: '', note: '' })
  const add = useMutation({
    mutationFn: () =>
      api.mailSuppressions.create({
        address: values.address,
        ...(values.note.trim() === '' ? {} : { note: values.note.trim() }),
      }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail suppressions'] })
      onSaved(added)
    },
  })
  const { text, ...faults } = useFormFields({ values, change: setValues }, add.error, ['address', 'note'])
  return (
    <FormDialog
      title="Suppress an address"
      description="It gets no more mail, also none that waits already."
      className={record['form']}
      faults={faults}
      action="Suppress"
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="email"
        className={record['wide']}
        placeholder="ada@example.com"
        {...text('address')}
      />
      <TextField
        label="Note"
        optional
        className={record['wide']}
        placeholder="Asked for it on the telephone"
        {...text('note')}
      />
    </FormDialog>
  )
}

function RemoveButton({ suppression }: { suppression: MailSuppression }) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={`Delete the suppression of ${suppression.address}`}
      onClick={() => show(onDone => <RemoveDialog suppression={suppression} onClose={onDone} />)}
    >
      Remove
    </Button>
  )
}

function RemoveDialog({ suppression, onClose }: { suppression: MailSuppression; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.mailSuppressions.delete({ suppressionId: suppression.suppressionId }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail suppressions'] })
      toast({ text: `${suppression.address} can get mail again.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete the suppression of ${suppression.address}`}
      description="It can get mail again. Do this only when its holder asked for it, or the address was mended."
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: remove.error.message })}
      onConfirm={() => remove.mutate()}
    />
  )
}
