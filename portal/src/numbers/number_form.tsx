// The dialog that adds a number or changes one. Of a change only what differs is sent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../app/api.ts'
import { useFormFaults } from '../app/faults.ts'
import { forgetMessagingLists, type OwnNumber, useCarriers, useServices } from '../app/messaging_lists.ts'
import record from '../app/record.module.css'
import { useSession } from '../app/session.ts'
import { kindNames } from '../messages/sender_field.tsx'
import { Button, CheckboxField, Dialog, ErrorNote, SelectField, TextField } from '../ui/index.ts'
import { additionsOf, changesOf, looksLikePhone, names, type Values, valuesOf } from './number_values.ts'

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
  const start = valuesOf(number)
  const [values, setValues] = useState(start)
  const save = useMutation({
    mutationFn: () => {
      if (number !== undefined) return api.numbers.update({ numberId: number.numberId, ...changesOf(values, start) })
      return api.numbers.create({ number: values.number, ...additionsOf(values) })
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
        <NumberFields number={number} values={values} faults={fields} onChange={put} />
      </form>
    </Dialog>
  )
}

type NumberFieldsProps = {
  number: OwnNumber | undefined
  values: Values
  faults: Readonly<Record<string, string>>
  onChange<Name extends keyof Values>(name: Name, value: Values[Name]): void
}
function NumberFields({ number, values, faults, onChange }: NumberFieldsProps) {
  const { mode } = useSession()
  const services = useServices()
  const carriers = useCarriers()
  const field = (name: Exclude<keyof Values, 'sms' | 'voice' | 'createsLeads'>) => ({
    name,
    value: values[name],
    error: faults[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => onChange(name, value),
  })
  const check = (name: 'sms' | 'voice' | 'createsLeads') => ({
    name,
    checked: values[name],
    onChange: ({ target: { checked } }: { target: { checked: boolean } }) => onChange(name, checked),
  })
  const isPhone =
    number === undefined ? values.number === '' || looksLikePhone(values.number) : number.kind === 'long_code'
  const isName = number?.kind === 'alphanumeric' || (number === undefined && /[a-z]/i.test(values.number))
  return (
    <>
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
    </>
  )
}
