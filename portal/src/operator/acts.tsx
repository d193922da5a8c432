// What an operator does to an organization: makes one, suspends, resumes, closes, reopens.
import type { Tandem } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { TextField, toast } from '../ui/index.ts'
import { operatorApi } from './client.ts'
import { ShownOnce } from './shown_once.tsx'

export type Organization = Awaited<ReturnType<Tandem['operatorOrganizations']['get']>>
export type Move = 'suspend' | 'resume' | 'close' | 'reopen'

const texts: Readonly<Record<Move, { title: string; action: string; done: string }>> = {
  suspend: { title: 'Suspend', action: 'Suspend it', done: 'suspended' },
  resume: { title: 'Resume', action: 'Resume it', done: 'active again' },
  close: { title: 'Close', action: 'Close it', done: 'being closed' },
  reopen: { title: 'Reopen', action: 'Reopen it', done: 'open again' },
}

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
      toast({ text: `${name} is ${texts[move].done}.` })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, act.error, ['reason'])
  return (
    <FormDialog
      title={`${texts[move].title} ${name}`}
      className={record['form']}
      faults={fields}
      action={texts[move].action}
      busy={act.isPending}
      disabled={needsReason && values.reason.trim().length < 3}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label={needsReason ? 'Reason' : 'Reason, if there is one'}
        hint="Its people read it, and its audit log keeps it."
        maxLength={500}
        {...fields.text('reason')}
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
      toast({ text: `${name} was created.` })
      if (passwordUrl === null) onClose()
      else setLink(passwordUrl)
    },
  })
  const fields = useFormFields({ values, change: setValues }, create.error, ['name', 'owner.name', 'owner.email'])
  if (link !== undefined) {
    return (
      <ShownOnce
        title="The owner sets a password"
        text="A mail with this link goes to the owner. It is good for seven days, and shown only now."
        label="Link"
        value={link}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Create an organization"
      className={record['form']}
      faults={fields}
      action="Create it"
      busy={create.isPending}
      disabled={Object.values(values).some(value => value.trim() === '')}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField className={record['wide']} label="Name of the organization" maxLength={200} {...fields.text('name')} />
      <TextField label="Name of the owner" maxLength={200} {...fields.text('ownerName', 'owner.name')} />
      <TextField
        label="E-mail of the owner"
        type="email"
        maxLength={254}
        {...fields.text('ownerEmail', 'owner.email')}
      />
    </FormDialog>
  )
}
