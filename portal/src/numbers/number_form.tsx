// The dialog that adds a number or changes one. Of a change only what differs is sent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetMessagingLists, type OwnNumber, useCarriers, useServices } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, ErrorNote, SelectField, TextField } from '../ui/index.ts'
import { additionsOf, changesOf, looksLikePhone, names, type Values, valuesOf } from './number_values.ts'
import { t } from './texts.ts'

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
      title={number === undefined ? t('add') : t('editName', { number: number.number })}
      description={number === undefined ? t('addText') : t(`kind.${number.kind}`)}
      className={record['form']}
      faults={faults}
      action={t(number === undefined ? 'addAction' : 'save')}
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
  const services = useServices()
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
          label={t('number')}
          className={record['wide']}
          required
          placeholder="+49 30 12345678"
          hint={t('numberHint')}
          {...text('number')}
        />
      )}
      <TextField
        label={t('label')}
        optional
        placeholder={t('exampleLabel')}
        className={record['wide']}
        {...text('label')}
      />
      <SelectField
        label={t('messagingService')}
        options={[
          { value: '', label: t('none') },
          ...services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name })),
        ]}
        hint={t('serviceHint')}
        {...text('serviceId')}
      />
      <CarrierField text={text} />
      <TextField
        label={t('segmentsPerSecond')}
        optional
        inputMode="decimal"
        hint={t('segmentsHint')}
        {...text('segmentsPerSecond')}
      />
      <TextField
        label={t('callbackUrl')}
        optional
        type="url"
        placeholder={examples.textsUrl}
        hint={t('callbackHint')}
        disabled={isName}
        {...text('callbackUrl')}
      />
      <div className={record['checks']}>
        <CheckboxField label={t('sendsTexts')} {...check('sms')} />
        <CheckboxField
          label={t('callsBox')}
          hint={isPhone ? undefined : t('callsHint')}
          disabled={!isPhone}
          {...check('voice')}
          checked={values.voice && isPhone}
        />
        <CheckboxField
          label={t('createsLeads')}
          hint={t(isName ? 'leadsNameHint' : 'leadsHint')}
          disabled={isName}
          {...check('createsLeads')}
        />
      </div>
    </>
  )
}

/** Only the live mode has carriers. */
function CarrierField({ text }: Pick<FormFields<Values>, 'text'>) {
  const { mode } = useSession()
  const carriers = useCarriers()
  if (mode !== 'live')
    return (
      <SelectField
        label={t('carrier')}
        disabled
        options={[{ value: '', label: t('simulator') }]}
        value=""
        hint={t('liveOnly')}
        onChange={() => undefined}
      />
    )
  return (
    <SelectField
      label={t('carrier')}
      options={[
        { value: '', label: t('byRoute') },
        ...carriers.items.map(({ carrierId, name }) => ({ value: carrierId, label: t('only', { carrier: name }) })),
      ]}
      hint={t('carrierHint')}
      {...text('carrierId')}
    />
  )
}
