// Mail suppressions: who gets no mail and why, adding an address by hand, taking one away.
import type { MailSuppression } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveRelated } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { streamText } from '../mails/words.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, TextField, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

const reasons = ['hard_bounce', 'complaint', 'unsubscribe', 'manual'] as const

const suppressions = byLanguage(
  (): Resource<MailSuppression> => ({
    many: 'mail suppressions',
    things: t('things'),
    about: t('about'),
    from: api => api.mailSuppressions.list,
    id: 'suppressionId',
    nameOf: ({ address }) => address,
    filters: [
      { name: 'address', label: t('address'), placeholder: examples.person },
      { name: 'reason', label: t('reason'), options: reasons.map(value => ({ value, label: t(`reason.${value}`) })) },
    ],
    columns: [
      { name: 'address', label: t('address') },
      { name: 'reason', label: t('reason'), px: 220, cell: ({ reason }) => t.of('reason', reason) ?? reason },
      {
        name: 'stream',
        label: t('stream'),
        px: 140,
        cell: ({ stream }) => (stream === null ? t('allMail') : streamText(stream)),
      },
      { name: 'note', label: t('note'), atFirst: 'wide' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time' },
    ],
    actions: { px: 110, needs: 'mail:erase', cell: one => <RemoveButton suppression={one} /> },
    create: {
      label: t('suppress'),
      needs: 'mail:manage',
      Form: SuppressionForm,
      saved: ({ address }) => t('suppressed', { address }),
    },
    useNews: list =>
      useLiveRelated({
        events: ['mail_suppression.*'],
        isMine: () => true,
        onChange: () => void list.query.refetch(),
      }),
    empty: { title: t('empty'), text: t('emptyText') },
  }),
)

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
      title={t('suppress')}
      description={t('suppressText')}
      className={record['form']}
      faults={faults}
      action={t('suppressAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('address')}
        type="email"
        className={record['wide']}
        placeholder={examples.person}
        {...text('address')}
      />
      <TextField
        label={t('note')}
        optional
        className={record['wide']}
        placeholder={t('exampleNote')}
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
      aria-label={t('removeAddress', { address: suppression.address })}
      onClick={() => show(onDone => <RemoveDialog suppression={suppression} onClose={onDone} />)}
    >
      {t('remove')}
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
      toast({ text: t('removed', { address: suppression.address }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('removeTitle', { address: suppression.address })}
      description={t('removeText')}
      confirmLabel={t('remove')}
      danger
      busy={remove.isPending}
      {...(remove.error === null ? {} : { error: faultText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}
