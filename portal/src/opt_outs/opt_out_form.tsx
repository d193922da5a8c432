// The dialog that lets nothing more be sent to somebody: what a STOP does, by hand.
import type { OptOut } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNumbers, useServices } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps } from '../lists/resource.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'
import { TextField } from '../ui/index.ts'

const names = ['scope', 'recipient'] as const

export function OptOutForm({ onClose, onSaved }: CreateFormProps<OptOut>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const services = useServices()
  const numbers = useNumbers()
  const [values, setValues] = useState({ scope: '', recipient: '' })
  const add = useMutation({
    mutationFn: () => api.optOuts.create(values),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'opt-outs'] })
      onSaved(added)
    },
  })
  const { fields, put, text, ...faults } = useFormFields({ values, change: setValues }, add.error, names)
  const options = useMemo(
    (): ComboboxOption[] => [
      ...services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name, group: 'Messaging services' })),
      ...numbers.items
        .filter(({ serviceId }) => serviceId === null)
        .map(({ number, label }) => ({
          value: number,
          label: number,
          hint: label ?? '',
          group: 'Senders without a service',
        })),
    ],
    [services.items, numbers.items],
  )
  return (
    <FormDialog
      title="Create an opt-out"
      description="Nothing more is sent to the recipient, as after a STOP, but no reply goes out."
      className={record['form']}
      faults={faults}
      action="Create"
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label="Recipient"
        type="tel"
        className={record['wide']}
        placeholder="+1 500 555 0110"
        {...text('recipient')}
      />
      <Combobox
        label="Gets nothing more from"
        className={record['wide'] ?? ''}
        options={options}
        value={values.scope}
        freeText
        isLoading={services.isPending || numbers.isPending}
        placeholder="A service, or a sender"
        hint="The senders of a service share their opt-outs: one of them means the service."
        {...(fields['scope'] === undefined ? {} : { error: fields['scope'] })}
        onChange={value => put('scope', value)}
      />
    </FormDialog>
  )
}
