// The dialogs that make a team and that change its name and what it is for.
import type { Team } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import type { CreateFormProps } from '../lists/resource.ts'
import { apiOf } from '../session/api.ts'
import { TextArea, TextField, toast } from '../ui/index.ts'
import { useTeamSaved } from './saved.ts'
import { t } from './texts.ts'

type Values = { name: string; description: string }
const shown = ['name', 'description']

export function CreateTeam({ onClose, onSaved }: CreateFormProps<Team>) {
  const saved = useTeamSaved()
  const draft = useFormDraft<Values>('new team', { name: '', description: '' })
  const create = useMutation({
    mutationFn: () => apiOf('live').teams.create(draft.values),
    onSuccess: made => {
      draft.forget()
      saved(made)
      onSaved(made)
    },
  })
  const fields = useFormFields<Values>(draft, create.error, shown)
  return (
    <FormDialog
      title={t('create')}
      description={t('createText')}
      className={record['form']}
      faults={fields}
      action={t('create')}
      busy={create.isPending}
      aside={<EmptyFormButton draft={draft} request={create} form={fields.form} />}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Fields fields={fields} />
    </FormDialog>
  )
}

export function UpdateTeam({ team, onClose }: { team: Team; onClose(): void }) {
  const saved = useTeamSaved()
  const cache = useQueryClient()
  // What was read when the form opened is what is changed.
  const [{ teamId, name, description, version }] = useState(team)
  const [values, change] = useState<Values>({ name, description })
  const update = useMutation({
    mutationFn: () => apiOf('live').teams.update({ teamId, ...values }, { ifMatch: version }),
    onSuccess: now => {
      saved(now)
      toast({ text: t('saved', { name: now.name }) })
      onClose()
    },
    onError: () => void cache.invalidateQueries({ queryKey: ['live', 'team', teamId] }),
  })
  const fields = useFormFields<Values>({ values, change }, update.error, shown)
  return (
    <FormDialog
      title={t('editTitle', { name })}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={update.isPending}
      disabled={values.name === name && values.description === description}
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      <Fields fields={fields} />
    </FormDialog>
  )
}

function Fields({ fields: { text } }: { fields: FormFields<Values> }) {
  return (
    <>
      <TextField className={record['wide']} label={t('name')} maxLength={100} {...text('name')} />
      <TextArea
        className={record['wide']}
        label={t('description')}
        optional
        maxLength={500}
        rows={2}
        {...text('description')}
      />
    </>
  )
}
