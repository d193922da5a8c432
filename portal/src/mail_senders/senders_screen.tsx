// Mail senders: addresses that mails are from, and which sorts of mails each is the default for.
import type { MailSender } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, TextField } from '../ui/index.ts'

const senders: Resource<MailSender> = {
  many: 'mail senders',
  about: 'Addresses that mails are from. Add the domain of each too, so that its mails are signed and arrive.',
  from: api => api.mailSenders.list,
  id: 'senderId',
  nameOf: ({ address }) => `the sender ${address}`,
  columns: [
    { name: 'address', label: 'Address' },
    { name: 'name', label: 'Name', px: 200 },
    { name: 'defaultFor', label: 'Default for', px: 240, cell: ({ defaultFor }) => defaultFor.join(', ') || null },
    { name: 'replyTo', label: 'Answers go to', px: 200, atFirst: 'wide' },
    { name: 'createdAt', label: 'Since', kind: 'time' },
  ],
  actions: {
    px: 110,
    needs: 'mail:manage',
    cell: ({ senderId, address }) => (
      <RemoveButton
        many="mail senders"
        name={`the sender ${address}`}
        text="Mails are not from it any more; those that wait keep it."
        remove={api => api.mailSenders.delete({ senderId })}
      />
    ),
  },
  create: {
    label: 'Add a sender',
    needs: 'mail:manage',
    Form: SenderForm,
    saved: ({ address }) => `Mails can be from ${address} now.`,
  },
  empty: { title: 'No sender of your own yet', text: 'Mails are from the address of the installation.' },
}

export const MailSendersScreen = () => <ResourceScreen of={senders} />

const streams = ['security', 'transactional', 'conversation', 'marketing'] as const

function SenderForm({ onClose, onSaved }: CreateFormProps<MailSender>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ address: '', name: '', replyTo: '', defaultFor: [...streams] as string[] })
  const add = useMutation({
    mutationFn: () =>
      api.mailSenders.create({
        address: values.address,
        defaultFor: streams.filter(stream => values.defaultFor.includes(stream)),
        ...(values.name.trim() === '' ? {} : { name: values.name.trim() }),
        ...(values.replyTo.trim() === '' ? {} : { replyTo: values.replyTo.trim() }),
      }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail senders'] })
      onSaved(added)
    },
  })
  const { text, put, ...faults } = useFormFields({ values, change: setValues }, add.error, [
    'address',
    'name',
    'replyTo',
  ])
  return (
    <FormDialog
      title="Add a mail sender"
      className={record['form']}
      faults={faults}
      action="Add"
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label="Address" type="email" placeholder="office@example.com" {...text('address')} />
      <TextField label="Name" optional placeholder="Example Company" {...text('name')} />
      <TextField label="Answers go to" optional type="email" className={record['wide']} {...text('replyTo')} />
      <fieldset className={record['checks']}>
        <legend>Default for</legend>
        {streams.map(stream => (
          <CheckboxField
            key={stream}
            label={stream}
            checked={values.defaultFor.includes(stream)}
            onChange={({ target }) =>
              put(
                'defaultFor',
                target.checked ? [...values.defaultFor, stream] : values.defaultFor.filter(one => one !== stream),
              )
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
