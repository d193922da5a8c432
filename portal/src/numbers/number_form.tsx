// The dialog that adds a number or changes one. Of a change only what differs is sent.
import type { NumbersUpdateParams } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../app/api.ts'
import { useFormFaults } from '../app/faults.ts'
import { forgetMessagingLists, type OwnNumber, useCarriers, useServices } from '../app/messaging_lists.ts'
import record from '../app/record.module.css'
import { useSession } from '../app/session.ts'
import { kindNames } from '../messages/sender_field.tsx'
import { Button, CheckboxField, Dialog, ErrorNote, SelectField, TextField } from '../ui/index.ts'

type Values = {
  number: string
  label: string
  serviceId: string
  carrierId: string
  sms: boolean
  voice: boolean
  segmentsPerSecond: string
  callbackUrl: string
  createsLeads: boolean
}
const names = [
  'number',
  'label',
  'serviceId',
  'carrierId',
  'sms',
  'voice',
  'segmentsPerSecond',
  'callbackUrl',
  'createsLeads',
] as const satisfies (keyof Values)[]

function valuesOf(number: OwnNumber | undefined): Values {
  return {
    number: number?.number ?? '',
    label: number?.label ?? '',
    serviceId: number?.serviceId ?? '',
    carrierId: number?.carrierId ?? '',
    sms: number?.sms ?? true,
    voice: number?.voice ?? true,
    segmentsPerSecond: number?.segmentsPerSecond?.toString() ?? '',
    callbackUrl: number?.callbackUrl ?? '',
    createsLeads: number?.createsLeads ?? false,
  }
}

/** A name and a short code make no calls: what is not a telephone number by its looks is added without. */
const looksLikePhone = (text: string) => !/[a-z]/i.test(text) && (text.match(/\d/g)?.length ?? 0) > 8

/** What differs from `from`, as the API takes it: empty text is null, text of a number is the number. */
function changesOf(values: Values, from: Values): Omit<NumbersUpdateParams, 'numberId'> {
  const changed: Record<string, unknown> = {}
  for (const name of names) {
    const value = values[name]
    if (name === 'number' || value === from[name]) continue
    if (typeof value === 'boolean') changed[name] = value
    else if (value.trim() === '') changed[name] = null
    // What is no number is sent as it is: the server says so beside the field.
    else changed[name] = name === 'segmentsPerSecond' ? numberOf(value) : value.trim()
  }
  return changed
}

function numberOf(text: string): number | string {
  const value = Number(text.trim().replace(',', '.'))
  return Number.isNaN(value) ? text : value
}

export type NumberFormProps = {
  /** The number to change; left out to add one. */
  number?: OwnNumber
  onClose(): void
  onDone(number: OwnNumber): void
}
export function NumberForm({ number, onClose, onDone }: NumberFormProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const formId = useId()
  const services = useServices()
  const carriers = useCarriers()
  const start = valuesOf(number)
  const [values, setValues] = useState(start)
  const save = useMutation({
    mutationFn: () => {
      if (number !== undefined) return api.numbers.update({ numberId: number.numberId, ...changesOf(values, start) })
      const defaults = { ...start, voice: looksLikePhone(values.number) }
      const wanted = { ...values, voice: values.voice && defaults.voice }
      return api.numbers.create({ number: values.number, ...changesOf(wanted, defaults) })
    },
    onSuccess: saved => {
      forgetMessagingLists(cache, mode)
      onDone(saved)
    },
  })
  const { form, fields, general, mend } = useFormFaults(save.error, names)
  const put = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    mend(name)
    setValues(old => ({ ...old, [name]: value }))
  }
  const field = (name: Exclude<keyof Values, 'sms' | 'voice' | 'createsLeads'>) => ({
    name,
    value: values[name],
    error: fields[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => put(name, value),
  })
  const check = (name: 'sms' | 'voice' | 'createsLeads') => ({
    name,
    checked: values[name],
    onChange: ({ target: { checked } }: { target: { checked: boolean } }) => put(name, checked),
  })
  const isPhone =
    number === undefined ? values.number === '' || looksLikePhone(values.number) : number.kind === 'long_code'
  const isName = number?.kind === 'alphanumeric' || (number === undefined && /[a-z]/i.test(values.number))
  const nothing = number !== undefined && Object.keys(changesOf(values, start)).length === 0
  const boxFaults = (['sms', 'voice', 'createsLeads'] as const).flatMap(name => fields[name] ?? [])
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={number === undefined ? 'Add a number' : `Change ${number.number}`}
      description={
        number === undefined
          ? 'A telephone number, a short code or a sender id that you hold with your carrier.'
          : kindNames[number.kind]
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={save.isPending} disabled={nothing}>
            {number === undefined ? 'Add' : 'Save'}
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
          save.mutate()
        }}
      >
        {[general, ...boxFaults].map(text =>
          text === undefined ? null : (
            <div key={text} className={record['wide']}>
              <ErrorNote text={text} />
            </div>
          ),
        )}
        {number === undefined && (
          <TextField
            label="Number"
            className={record['wide']}
            required
            placeholder="+49 30 12345678"
            hint="E.164 is best. A short code has 3 to 8 digits; a sender id up to 11 letters and digits, such as Tandem."
            {...field('number')}
          />
        )}
        <TextField label="Label" optional placeholder="Front desk" className={record['wide']} {...field('label')} />
        <SelectField
          label="Messaging service"
          options={[
            { value: '', label: 'None' },
            ...services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name })),
          ]}
          hint="Whose senders it is one of. Opt-outs are shared within a service."
          {...field('serviceId')}
        />
        {mode === 'live' ? (
          <SelectField
            label="Carrier"
            options={[
              { value: '', label: 'As the routes say' },
              ...carriers.items.map(({ carrierId, name }) => ({ value: carrierId, label: `Only ${name}` })),
            ]}
            hint="A sender that only one carrier knows goes only there."
            {...field('carrierId')}
          />
        ) : (
          <SelectField
            label="Carrier"
            disabled
            options={[{ value: '', label: 'The simulator' }]}
            value=""
            hint="Carriers belong to live mode."
            onChange={() => undefined}
          />
        )}
        <TextField
          label="Segments per second"
          optional
          inputMode="decimal"
          hint="Empty sends as fast as the carrier takes them."
          {...field('segmentsPerSecond')}
        />
        <TextField
          label="Callback URL"
          optional
          type="url"
          placeholder="https://example.com/texts"
          hint="Gets the events of what comes in. Empty: that of its service."
          disabled={isName}
          {...field('callbackUrl')}
        />
        <div className={record['checks']}>
          <CheckboxField label="Sends texts" {...check('sms')} />
          <CheckboxField
            label="Makes and takes calls"
            hint={isPhone ? undefined : 'Only a telephone number does.'}
            disabled={!isPhone}
            {...check('voice')}
            checked={values.voice && isPhone}
          />
          <CheckboxField
            label="Makes leads"
            hint={isName ? 'Nobody can text a name.' : 'A text from a number that no lead has adds a lead.'}
            disabled={isName}
            {...check('createsLeads')}
          />
        </div>
      </form>
    </Dialog>
  )
}
