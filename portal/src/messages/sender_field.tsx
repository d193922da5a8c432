// Who sends a text: a messaging service, a number or sender id of the organization, or what is typed.
import { useMemo } from 'react'
import { type OwnNumber, useNumbers, useServices } from '../data/messaging_lists.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'

/** The simulator takes every number, and this one in every role. */
export const simulatorSender = '+15005550006'

export const kindNames: Record<OwnNumber['kind'], string> = {
  long_code: 'Telephone number',
  short_code: 'Short code',
  alphanumeric: 'Sender id',
}

/** @param value a service's id, a sender, or empty */
export function SenderField(props: { value: string; onChange(value: string): void; error?: string | undefined }) {
  const { value, onChange, error } = props
  const { mode } = useSession()
  const services = useServices()
  const numbers = useNumbers()
  const options = useMemo(() => {
    const all: ComboboxOption[] = services.items.map(({ serviceId, name, senders }) => ({
      value: serviceId,
      label: name,
      hint: senders.length === 1 ? '1 sender' : `${senders.length} senders`,
      group: 'Messaging services',
    }))
    for (const { number, kind, label, sms } of numbers.items) {
      if (sms)
        all.push({ value: number, label: number, hint: label ?? kindNames[kind], group: 'Numbers and sender ids' })
    }
    if (mode === 'test' && !numbers.items.some(({ number }) => number === simulatorSender))
      all.push({ value: simulatorSender, label: simulatorSender, hint: 'Always valid', group: 'Simulator' })
    return all
  }, [services.items, numbers.items, mode])
  return (
    <Combobox
      label="Sender"
      options={options}
      value={value}
      onChange={onChange}
      placeholder="Service, number or sender id"
      freeText
      isLoading={services.isPending || numbers.isPending}
      {...(error === undefined ? {} : { error })}
    />
  )
}
