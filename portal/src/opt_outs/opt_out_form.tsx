// The dialog that lets nothing more be sent to somebody: what a STOP does, by hand.
import type { OptOut } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useApi } from '../app/api.ts'
import { useFormFaults } from '../app/faults.ts'
import { useNumbers, useServices } from '../app/messaging_lists.ts'
import record from '../app/record.module.css'
import { Button, Combobox, type ComboboxOption, Dialog, ErrorNote, TextField } from '../ui/index.ts'

const names = ['scope', 'recipient'] as const

export function OptOutForm({ onClose, onAdded }: { onClose(): void; onAdded(optOut: OptOut): void }) {
  const api = useApi()
  const formId = useId()
  const services = useServices()
  const numbers = useNumbers()
  const [scope, setScope] = useState('')
  const [recipient, setRecipient] = useState('')
  const add = useMutation({
    mutationFn: () => api.optOuts.create({ scope, recipient }),
    onSuccess: onAdded,
  })
  const { form, fields, general, mend } = useFormFaults(add.error, names)
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
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title="Add an opt-out"
      description="Nothing more is sent to the recipient, as after a STOP, but no reply goes out."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={add.isPending}>
            Add
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={record['form']}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          add.mutate()
        }}
      >
        {general !== undefined && (
          <div className={record['wide']}>
            <ErrorNote text={general} />
          </div>
        )}
        <TextField
          label="Recipient"
          type="tel"
          className={record['wide']}
          placeholder="+1 500 555 0110"
          value={recipient}
          error={fields['recipient']}
          onChange={event => {
            mend('recipient')
            setRecipient(event.target.value)
          }}
        />
        <Combobox
          label="Gets nothing more from"
          className={record['wide'] ?? ''}
          options={options}
          value={scope}
          freeText
          placeholder="A service, or a sender"
          hint="The senders of a service share their opt-outs: one of them means the service."
          {...(fields['scope'] === undefined ? {} : { error: fields['scope'] })}
          onChange={value => {
            mend('scope')
            setScope(value)
          }}
        />
      </form>
    </Dialog>
  )
}
