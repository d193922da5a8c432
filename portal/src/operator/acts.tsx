// What an operator does to an organization: makes one, changes its name and how many mails it may send, suspends, resumes, closes, reopens.
import type { Tandem } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { differing } from '../forms/differing.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { wholeOrNull } from '../forms/number_text.ts'
import { TextField, toast } from '../ui/index.ts'
import { operatorApi } from './client.ts'
import { ShownOnce } from './shown_once.tsx'
import { t } from './texts.ts'

export type Organization = Awaited<ReturnType<Tandem['operatorOrganizations']['get']>>
export type Move = 'suspend' | 'resume' | 'close' | 'reopen'

export function MoveDialog({
  organization,
  move,
  onClose,
}: {
  organization: Organization
  move: Move
  onClose(): void
}) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ reason: '' })
  const needsReason = move === 'suspend' || move === 'close'
  const { organizationId, name } = organization
  const act = useMutation({
    mutationFn: () => {
      const reason = values.reason.trim()
      const asked = { organizationId, ...(reason === '' ? {} : { reason }) }
      return operatorApi.operatorOrganizations[move](asked as { organizationId: number; reason: string })
    },
    onSuccess() {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      toast({ text: t(`moved.${move}`, { name }) })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, act.error, ['reason'])
  return (
    <FormDialog
      title={t(`moveTitle.${move}`, { name })}
      className={record['form']}
      faults={fields}
      action={t(`move.${move}`)}
      busy={act.isPending}
      disabled={needsReason && values.reason.trim().length < 3}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label={t(needsReason ? 'reason' : 'reasonOptional')}
        hint={t('reasonHint')}
        maxLength={500}
        {...fields.text('reason')}
      />
    </FormDialog>
  )
}

type Facts = { name: string; mailsPerDay: string }
const given = ({ name, mailsPerDay }: Facts) => ({ name: name.trim(), mailsPerDay: wholeOrNull(mailsPerDay) })

export function EditDialog({ organization, onClose }: { organization: Organization; onClose(): void }) {
  const cache = useQueryClient()
  const { organizationId, name, mailsPerDay } = organization
  const [before] = useState<Facts>({ name, mailsPerDay: String(mailsPerDay ?? '') })
  const [values, setValues] = useState(before)
  // Only what differs: what somebody else changed meanwhile stays as it is.
  const changes = differing(given(values), given(before))
  const save = useMutation({
    mutationFn: () => operatorApi.operatorOrganizations.update({ organizationId, ...changes }),
    onSuccess(saved) {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      toast({ text: t('edited', { name: saved.name }) })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, save.error, ['name', 'mailsPerDay'])
  return (
    <FormDialog
      title={t('editNamed', { name })}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={save.isPending}
      disabled={values.name.trim() === '' || Object.keys(changes).length === 0}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField className={record['wide']} label={t('name')} maxLength={200} {...fields.text('name')} />
      <TextField
        className={record['wide']}
        label={t('mailsPerDay')}
        optional
        inputMode="numeric"
        hint={t('mailsPerDayHint')}
        {...fields.text('mailsPerDay')}
      />
    </FormDialog>
  )
}

const empty = { name: '', ownerName: '', ownerEmail: '' }

export function CreateDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState(empty)
  const [link, setLink] = useState<string>()
  const create = useMutation({
    mutationFn: () =>
      operatorApi.operatorOrganizations.create({
        name: values.name,
        owner: { email: values.ownerEmail, name: values.ownerName },
      }),
    gcTime: 0,
    onSuccess({ name, passwordUrl }) {
      void cache.invalidateQueries({ queryKey: ['operator'] })
      toast({ text: t('created', { name }) })
      if (passwordUrl === null) onClose()
      else setLink(passwordUrl)
    },
  })
  const fields = useFormFields({ values, change: setValues }, create.error, ['name', 'owner.name', 'owner.email'])
  if (link !== undefined) {
    return (
      <ShownOnce title={t('ownerSets')} text={t('ownerSetsText')} label={t('link')} value={link} onClose={onClose} />
    )
  }
  return (
    <FormDialog
      title={t('create')}
      className={record['form']}
      faults={fields}
      action={t('createAction')}
      busy={create.isPending}
      disabled={Object.values(values).some(value => value.trim() === '')}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField className={record['wide']} label={t('name')} maxLength={200} {...fields.text('name')} />
      <TextField label={t('ownerName')} maxLength={200} {...fields.text('ownerName', 'owner.name')} />
      <TextField label={t('ownerEmail')} type="email" maxLength={254} {...fields.text('ownerEmail', 'owner.email')} />
    </FormDialog>
  )
}
