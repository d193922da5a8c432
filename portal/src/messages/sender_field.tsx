// Who sends a text: a messaging service, a number or sender id of the organization, or what is typed.
import { useMemo } from 'react'
import { type OwnNumber, useNumbers, useServices } from '../data/messaging_lists.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'
import { useLanguage } from '../words/language.ts'
import { t } from './texts.ts'

/** The simulator takes every number, and this one in every role. */
export const simulatorSender = '+15005550006'

/** In the language that was chosen: to be asked while drawing. */
export const kindNames: Readonly<Record<OwnNumber['kind'], string>> = {
  get long_code() {
    return t('kind.long_code')
  },
  get short_code() {
    return t('kind.short_code')
  },
  get alphanumeric() {
    return t('kind.alphanumeric')
  },
}

/** @param value a service's id, a sender, or empty */
export function SenderField(props: { value: string; onChange(value: string): void; error?: string | undefined }) {
  const { value, onChange, error } = props
  const { mode } = useSession()
  const language = useLanguage()
  const services = useServices()
  const numbers = useNumbers()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language says them otherwise
  const options = useMemo(() => {
    const all: ComboboxOption[] = services.items.map(({ serviceId, name, senders }) => ({
      value: serviceId,
      label: name,
      hint: t('senders', { count: senders.length }),
      group: t('group.services'),
    }))
    for (const { number, kind, label, sms } of numbers.items) {
      if (sms) all.push({ value: number, label: number, hint: label ?? kindNames[kind], group: t('group.numbers') })
    }
    if (mode === 'test' && !numbers.items.some(({ number }) => number === simulatorSender))
      all.push({ value: simulatorSender, label: simulatorSender, hint: t('alwaysValid'), group: t('group.simulator') })
    return all
  }, [services.items, numbers.items, mode, language])
  return (
    <Combobox
      label={t('sender')}
      options={options}
      value={value}
      onChange={onChange}
      placeholder={t('senderExample')}
      freeText
      isLoading={services.isPending || numbers.isPending}
      {...(error === undefined ? {} : { error })}
    />
  )
}
