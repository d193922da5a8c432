// Adds a mail sender, and changes one: its name, where answers go, what its mails leave by and which sorts of mails it is the default for.
// Of a change only what differs is sent.

import type { MailSender } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { differing } from '../forms/differing.ts'
import { examples } from '../forms/examples.ts'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { textOrNull } from '../forms/text_or_null.ts'
import type { CreateFormProps } from '../lists/resource.ts'
import { streams, streamText } from '../mails/words.ts'
import { apiOf, useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, ErrorNote, SelectField, TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

type Values = { address: string; name: string; replyTo: string; transportId: string; defaultFor: readonly string[] }
const first: Values = { address: '', name: '', replyTo: '', transportId: '', defaultFor: streams }
const shown = ['address', 'name', 'replyTo', 'transportId', 'defaultFor']

/** As the API takes them: nothing said is null, and no list is read-only. */
const given = ({ name, replyTo, transportId, defaultFor }: Values) => ({
  name: textOrNull(name),
  replyTo: textOrNull(replyTo),
  transportId: textOrNull(transportId),
  defaultFor: streams.filter(stream => defaultFor.includes(stream)),
})

const valuesOf = ({ address, name, replyTo, transportId, defaultFor }: MailSender): Values => ({
  address,
  name: name ?? '',
  replyTo: replyTo ?? '',
  transportId: transportId ?? '',
  defaultFor,
})

function useSaving(save: () => Promise<MailSender>, done: (saved: MailSender) => void) {
  const { mode } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: saved => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail senders'] })
      done(saved)
    },
  })
}

export function NewSenderForm({ onClose, onSaved }: CreateFormProps<MailSender>) {
  const api = useApi()
  const [values, setValues] = useState(first)
  const add = useSaving(() => api.mailSenders.create({ address: values.address, ...given(values) }), onSaved)
  const fields = useFormFields({ values, change: setValues }, add.error, shown)
  return (
    <FormDialog
      title={t('addTitle')}
      className={record['form']}
      faults={fields}
      action={t('addAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label={t('address')} type="email" placeholder={examples.office} {...fields.text('address')} />
      <SenderFields fields={fields} />
    </FormDialog>
  )
}

export function EditSenderForm({ sender, onClose }: { sender: MailSender; onClose(): void }) {
  const api = useApi()
  const [before] = useState(() => valuesOf(sender))
  const [values, setValues] = useState(before)
  const changes = differing(given(values), given(before))
  const save = useSaving(
    () => api.mailSenders.update({ senderId: sender.senderId, ...changes }),
    ({ address }) => {
      toast({ text: t('saved', { address }) })
      onClose()
    },
  )
  const fields = useFormFields({ values, change: setValues }, save.error, shown)
  return (
    <FormDialog
      title={t('editName', { address: before.address })}
      description={t('editText')}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={save.isPending}
      disabled={Object.keys(changes).length === 0}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <SenderFields fields={fields} />
    </FormDialog>
  )
}

function SenderFields({ fields: { values, fields: faults, put, text } }: { fields: FormFields<Values> }) {
  return (
    <>
      <TextField label={t('name')} optional placeholder={t('exampleName')} {...text('name')} />
      <TextField label={t('replyTo')} optional type="email" {...text('replyTo')} />
      <TransportField text={text} />
      <fieldset className={record['checks']}>
        <legend>{t('defaultFor')}</legend>
        {faults['defaultFor'] !== undefined && <ErrorNote text={faults['defaultFor']} />}
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
    </>
  )
}

/** Only the live mode has mail servers. */
function TransportField({ text }: Pick<FormFields<Values>, 'text'>) {
  const { mode } = useSession()
  const isLive = mode === 'live'
  const { data = [] } = useQuery({
    queryKey: ['live', 'mail servers', 'to choose from'],
    queryFn: ({ signal }) => apiOf('live').mailTransports.list.all({}, { signal }).toArray(),
    enabled: isLive,
  })
  const field = text('transportId')
  const known = data.map(({ transportId, name, enabled }) => ({
    value: transportId,
    label: enabled ? name : t('transportOff', { name }),
  }))
  const isUnknown = field.value !== '' && !known.some(({ value }) => value === field.value)
  return (
    <SelectField
      label={t('transport')}
      className={record['wide']}
      disabled={!isLive}
      hint={isLive ? undefined : t('transportLive')}
      options={[
        { value: '', label: t('transportDefault') },
        ...known,
        ...(isUnknown ? [{ value: field.value, label: field.value }] : []),
      ]}
      {...field}
    />
  )
}
