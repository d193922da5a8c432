// The dialog that lets nothing more be sent to somebody: what a STOP does, by hand.
import type { OptOut } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNumbers, useServices } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps } from '../lists/resource.ts'
import { usePhoneText } from '../people/use_phone_text.ts'
import { useAskWho } from '../people/who.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'
import { TextField, toast } from '../ui/index.ts'
import { useLanguage } from '../words/language.ts'
import { t } from './texts.ts'

const names = ['scope', 'recipient'] as const

export function OptOutForm({ onClose, onSaved }: CreateFormProps<OptOut>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const askWho = useAskWho()
  const phoneText = usePhoneText()
  const language = useLanguage()
  const services = useServices()
  const numbers = useNumbers()
  const [values, setValues] = useState({ scope: '', recipient: '' })
  const add = useMutation({
    mutationFn: () => api.optOuts.create(values),
    onSuccess: async added => {
      void cache.invalidateQueries({ queryKey: [mode, 'opt-outs'] })
      onSaved(added)
      const person = await askWho(added.recipient)
      toast({ text: t('added', { name: person?.name ?? phoneText(added.recipient) }) })
    },
  })
  const { fields, put, text, ...faults } = useFormFields({ values, change: setValues }, add.error, names)
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups are named in the language
  const options = useMemo(
    (): ComboboxOption[] => [
      ...services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name, group: t('services') })),
      ...numbers.items
        .filter(({ serviceId }) => serviceId === null)
        .map(({ number, label }) => ({
          value: number,
          label: number,
          hint: label ?? '',
          group: t('senders'),
        })),
    ],
    [services.items, numbers.items, language],
  )
  return (
    <FormDialog
      title={t('create')}
      description={t('createText')}
      className={record['form']}
      faults={faults}
      action={t('createAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('recipient')}
        type="tel"
        className={record['wide']}
        placeholder="+1 500 555 0110"
        {...text('recipient')}
      />
      <Combobox
        label={t('from')}
        className={record['wide'] ?? ''}
        options={options}
        value={values.scope}
        freeText
        isLoading={services.isPending || numbers.isPending}
        placeholder={t('choose')}
        hint={t('scopeHint')}
        {...(fields['scope'] === undefined ? {} : { error: fields['scope'] })}
        onChange={value => put('scope', value)}
      />
    </FormDialog>
  )
}
