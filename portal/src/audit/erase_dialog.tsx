// Erases the names of a person from the log for good: who, why, and the name typed to show that it is meant.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useRested } from '../forms/rested.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

type Person = { id: number; name: string }
/** The person is chosen where none is given. */
export type EraseDialogProps = { person?: Person; onClose(): void }

export function EraseDialog({ person: given, onClose }: EraseDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [person, setPerson] = useState(given)
  const [values, setValues] = useState({ reason: '', confirm: '' })
  const erase = useMutation({
    mutationFn: ({ id }: Person) => api.auditEvents.erase({ userId: id, reason: values.reason.trim() }),
    onSuccess: ({ erased }) => {
      void cache.invalidateQueries({ queryKey: [mode, 'audit events'] })
      void cache.invalidateQueries({ queryKey: [mode, 'audit event'] })
      toast({ text: t('erased', { count: erased }) })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, erase.error, ['userId', 'reason'])
  const isMeant = person !== undefined && isSame(values.confirm, person.name)
  return (
    <FormDialog
      title={given === undefined ? t('eraseTitle') : t('eraseNamed', { name: given.name })}
      description={t('eraseText')}
      className={record['form']}
      faults={fields}
      action={t('erase')}
      danger
      busy={erase.isPending}
      disabled={!isMeant || values.reason.trim().length < 3}
      onSubmit={() => person !== undefined && erase.mutate(person)}
      onClose={onClose}
    >
      {given === undefined && (
        <PersonField
          value={person}
          error={fields.fields['userId']}
          onChange={chosen => {
            fields.mend('userId')
            setPerson(chosen)
          }}
        />
      )}
      <TextField
        label={t('reason')}
        hint={t('reasonHint')}
        className={record['wide']}
        required
        maxLength={200}
        {...fields.text('reason')}
      />
      {person !== undefined && (
        <TextField
          label={t('eraseType', { name: person.name })}
          className={record['wide']}
          required
          {...fields.text('confirm')}
        />
      )}
    </FormDialog>
  )
}

const isSame = (typed: string, name: string) => typed.trim().toLowerCase() === name.trim().toLowerCase()

/** Typing rests for so long before the server is asked. */
const restMs = 200

type PersonFieldProps = { value: Person | undefined; error: string | undefined; onChange(person: Person): void }

function PersonField({ value, error, onChange }: PersonFieldProps) {
  const api = useApi()
  const { mode } = useSession()
  const [typed, setTyped] = useState('')
  const q = useRested(typed.trim(), restMs)
  const query = useQuery({
    queryKey: [mode, 'directory', 'found', q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await api.colleagues.list(q === '' ? {} : { q }, { signal })).colleagues,
  })
  const found = query.data ?? []
  const people = value === undefined || found.some(({ id }) => id === value.id) ? found : [value, ...found]
  return (
    <Combobox
      label={t('erasePerson')}
      className={record['wide'] ?? ''}
      hint={t('erasePersonHint')}
      {...(error !== undefined && { error })}
      options={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      isLoading={query.isPending || q !== typed.trim()}
      value={value === undefined ? '' : String(value.id)}
      onTyped={setTyped}
      onChange={id => {
        const chosen = people.find(one => String(one.id) === id)
        if (chosen !== undefined) onChange({ id: chosen.id, name: chosen.name })
      }}
    />
  )
}
