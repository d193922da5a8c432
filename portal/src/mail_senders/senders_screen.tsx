// Mail senders: addresses that mails are from, and which sorts of mails each is the default for.
import type { MailSender } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { streams, streamText } from '../mails/words.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, TextField } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

const senders = byLanguage(
  (): Resource<MailSender> => ({
    many: 'mail senders',
    things: t('things'),
    about: t('about'),
    from: api => api.mailSenders.list,
    id: 'senderId',
    nameOf: ({ address }) => address,
    columns: [
      { name: 'address', label: t('address') },
      { name: 'name', label: t('name'), px: 200 },
      {
        name: 'defaultFor',
        label: t('defaultFor'),
        px: 240,
        cell: ({ defaultFor }) => listText(defaultFor.map(streamText)) || null,
      },
      { name: 'replyTo', label: t('replyTo'), px: 200, atFirst: 'wide' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time' },
    ],
    actions: {
      px: 110,
      needs: 'mail:manage',
      cell: ({ senderId, address }) => (
        <RemoveButton
          many="mail senders"
          name={address}
          text={t('removeText')}
          remove={api => api.mailSenders.delete({ senderId })}
        />
      ),
    },
    create: {
      label: t('add'),
      needs: 'mail:manage',
      Form: SenderForm,
      saved: ({ address }) => t('added', { address }),
    },
    empty: { title: t('empty'), text: t('emptyText') },
  }),
)

export const MailSendersScreen = () => <ResourceScreen of={senders} />

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
      title={t('addTitle')}
      className={record['form']}
      faults={faults}
      action={t('addAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label={t('address')} type="email" placeholder={examples.office} {...text('address')} />
      <TextField label={t('name')} optional placeholder={t('exampleName')} {...text('name')} />
      <TextField label={t('replyTo')} optional type="email" className={record['wide']} {...text('replyTo')} />
      <fieldset className={record['checks']}>
        <legend>{t('defaultFor')}</legend>
        {streams.map(stream => (
          <CheckboxField
            key={stream}
            label={streamText(stream)}
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
