// The dialog that adds a number or changes one. Of a change only what differs is sent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetMessagingLists, type OwnNumber, useCarriers, useServices } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { kindNames } from '../messages/sender_field.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, ErrorNote, SelectField, TextField } from '../ui/index.ts'
import { additionsOf, changesOf, looksLikePhone, names, type Values, valuesOf } from './number_values.ts'

export type NumberFormProps = {
  /** The number to change; left out to add one. */
  number?: OwnNumber
  onClose(): void
  onSaved(number: OwnNumber): void
}
export function NumberForm({ number, onClose, onSaved }: NumberFormProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const start = valuesOf(number)
  const [values, setValues] = useState(start)
  const save = useMutation({
    mutationFn: () => {
      if (number !== undefined) return api.numbers.update({ numberId: number.numberId, ...changesOf(values, start) })
      return api.numbers.create({ number: values.number, ...additionsOf(values) })
    },
    onSuccess: saved => {
      forgetMessagingLists(cache, mode)
      onSaved(saved)
    },
  })
  const { fields, put, text, ...faults } = useFormFields({ values, change: setValues }, save.error, names)
  const nothing = number !== undefined && Object.keys(changesOf(values, start)).length === 0
  const boxFaults = (['sms', 'voice', 'createsLeads'] as const).flatMap(name => fields[name] ?? [])
  return (
    <FormDialog
      title={number === undefined ? 'Add a number' : `Update ${number.number}`}
      description={
        number === undefined
          ? 'A telephone number, a short code or a sender id that you hold with your carrier.'
          : kindNames[number.kind]
      }
      className={record['form']}
      faults={faults}
      action={number === undefined ? 'Add' : 'Save'}
      busy={save.isPending}
      disabled={nothing}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      {boxFaults.map(fault => (
        <div key={fault} className={record['wide']}>
          <ErrorNote text={fault} />
        </div>
      ))}
      <NumberFields number={number} values={values} put={put} text={text} />
    </FormDialog>
  )
}

type NumberFieldsProps = Pick<FormFields<Values>, 'values' | 'put' | 'text'> & { number: OwnNumber | undefined }
function NumberFields({ number, values, put, text }: NumberFieldsProps) {
  const { mode } = useSession()
  const services = useServices()
  const carriers = useCarriers()
  const check = (name: 'sms' | 'voice' | 'createsLeads') => ({
    name,
    checked: values[name],
    onChange: ({ target: { checked } }: { target: { checked: boolean } }) => put(name, checked),
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
          hint="A telephone number with + and country code; a short code of 3 to 8 digits; or a sender id of up to 11 letters and digits, such as Tandem."
          {...text('number')}
        />
      )}
      <TextField label="Label" optional placeholder="Front desk" className={record['wide']} {...text('label')} />
      <SelectField
        label="Messaging service"
        options={[
          { value: '', label: 'None' },
          ...services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name })),
        ]}
        hint="Whose senders it is one of. Opt-outs are shared within a service."
        {...text('serviceId')}
      />
      {mode === 'live' ? (
        <SelectField
          label="Carrier"
          options={[
            { value: '', label: 'As the routes say' },
            ...carriers.items.map(({ carrierId, name }) => ({ value: carrierId, label: `Only ${name}` })),
          ]}
          hint="A sender that only one carrier knows goes only there."
          {...text('carrierId')}
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
        {...text('segmentsPerSecond')}
      />
      <TextField
        label="Callback URL"
        optional
        type="url"
        placeholder="https://example.com/texts"
        hint="Gets the events of what comes in. Empty: that of its service."
        disabled={isName}
        {...text('callbackUrl')}
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
