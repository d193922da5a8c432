// A destination policy, changed in place: countries, prefixes, kinds of numbers, ceilings.
import type { DestinationPoliciesUpdateParams, DestinationPolicy } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import record from '../data/record.module.css'
import { Form, useFormFields } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import type { Mode } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Button, CheckboxField, ErrorNote, TextArea, TextField, toast } from '../ui/index.ts'
import { countries, countryName } from './countries.ts'
import styles from './destinations.module.css'
import { kinds, type ShutKind } from './kinds.ts'
import { policyKey } from './policies.ts'

type Values = {
  allowedCountries: readonly string[]
  /** null: as the organization has them. */
  allowedKinds: readonly ShutKind[] | null
  allowedPrefixes: string
  blockedPrefixes: string
  concurrentCalls: string
  dailyCalls: string
  dailySpend: string
}

const shown = ['allowedPrefixes', 'blockedPrefixes', 'concurrentCalls', 'dailyCalls', 'dailySpend'] as const

function valuesOf(policy: DestinationPolicy): Values {
  return {
    allowedCountries: policy.allowedCountries ?? [],
    allowedKinds: policy.allowedKinds,
    allowedPrefixes: policy.allowedPrefixes.join('\n'),
    blockedPrefixes: policy.blockedPrefixes.join('\n'),
    concurrentCalls: policy.concurrentCalls?.toString() ?? '',
    dailyCalls: policy.dailyCalls?.toString() ?? '',
    dailySpend: (policy.dailySpend ?? []).map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
  }
}

const words = (text: string) => text.split(/[\s,]+/).filter(word => word !== '')

/** Text that is no number is sent as it is: the server says what is wrong with it. */
function most(text: string): number | null {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isNaN(number) ? (text as unknown as number) : number
}

function changesOf(values: Values): Omit<DestinationPoliciesUpdateParams, 'policy'> {
  const spend = values.dailySpend
    .split(',')
    .map(part => words(part))
    .filter(part => part.length > 0)
    .map(([amount = '', currency = '']) => ({ amount, currency: currency.toUpperCase() }))
  return {
    allowedCountries: values.allowedCountries.length === 0 ? null : [...values.allowedCountries],
    allowedKinds: values.allowedKinds && [...values.allowedKinds],
    allowedPrefixes: words(values.allowedPrefixes),
    blockedPrefixes: words(values.blockedPrefixes),
    concurrentCalls: most(values.concurrentCalls),
    dailyCalls: most(values.dailyCalls),
    dailySpend: spend.length === 0 ? null : spend,
  }
}

export type PolicyFormProps = { policy: DestinationPolicy; title: string; mode: Mode; mayChange: boolean }
export function PolicyForm({ policy, title, mode, mayChange }: PolicyFormProps) {
  const of = policy.policy
  const isOrganization = of === 'organization'
  const api = apiOf(mode)
  const cache = useQueryClient()
  const [values, setValues] = useState(() => valuesOf(policy))
  const written = (text: string) => (stored: DestinationPolicy) => {
    cache.setQueryData(policyKey(mode, of), stored)
    void cache.invalidateQueries({ queryKey: [mode, 'destination-policies'] })
    toast({ text })
  }
  const save = useMutation({
    mutationFn: () => api.destinationPolicies.update({ policy: of, ...changesOf(values) }),
    onSuccess: written('The policy was saved.'),
  })
  const reset = useMutation({
    mutationFn: () => api.destinationPolicies.delete({ policy: of }),
    onSuccess: written(isOrganization ? 'The defaults hold again.' : 'The policy was removed.'),
  })
  const { form, general, put, text } = useFormFields({ values, change: setValues }, save.error ?? reset.error, shown)
  return (
    <Form ref={form} onSubmit={() => save.mutate()}>
      <fieldset className={styles['set']} disabled={!mayChange}>
        <legend className="visually-hidden">{title}</legend>
        <div className={record['form']}>
          <Countries
            chosen={values.allowedCountries}
            mayChange={mayChange}
            onChange={list => put('allowedCountries', list)}
          />
          <Kinds
            chosen={values.allowedKinds}
            isOrganization={isOrganization}
            onChange={list => put('allowedKinds', list)}
          />
          <TextArea
            label="Prefixes always allowed"
            optional
            rows={3}
            mono
            hint="One a line, such as +1900555: whatever country and kind. The longest prefix decides."
            {...text('allowedPrefixes')}
          />
          <TextArea
            label="Prefixes blocked"
            optional
            rows={3}
            mono
            hint="One a line, such as +1242."
            {...text('blockedPrefixes')}
          />
          <TextField
            label="Calls at a time"
            inputMode="numeric"
            hint="Empty: no ceiling."
            {...text('concurrentCalls')}
          />
          <TextField label="Calls a day" inputMode="numeric" hint="Empty: no ceiling." {...text('dailyCalls')} />
          <TextField
            label="Spend a day"
            className={record['wide']}
            placeholder="50 USD, 20 EUR"
            hint="Of texts and calls, by currency, with commas between; what is priced in another currency is refused, and a call for which nothing is left is ended. Empty: no ceiling."
            {...text('dailySpend')}
          />
          {general !== undefined && <ErrorNote text={general} />}
          {mayChange && (
            <div className={record['wide']}>
              <Button variant="primary" type="submit" busy={save.isPending}>
                Save the policy
              </Button>{' '}
              {policy.updatedAt !== null && (
                <Button busy={reset.isPending} onClick={() => reset.mutate()}>
                  {isOrganization ? 'Put the defaults back' : 'Delete the policy'}
                </Button>
              )}
            </div>
          )}
        </div>
      </fieldset>
    </Form>
  )
}

type KindsProps = {
  chosen: readonly ShutKind[] | null
  isOrganization: boolean
  onChange(list: readonly ShutKind[] | null): void
}

function Kinds({ chosen, isOrganization, onChange }: KindsProps) {
  const list = chosen ?? []
  return (
    <div className={record['checks']}>
      {!isOrganization && (
        <CheckboxField
          label="Kinds of numbers as the organization has them"
          hint="Otherwise each kind must be open here, too."
          checked={chosen === null}
          onChange={event => onChange(event.target.checked ? null : [])}
        />
      )}
      {chosen !== null &&
        kinds.map(({ kind, label, hint }) => (
          <CheckboxField
            key={kind}
            label={`${label} are open`}
            hint={hint}
            checked={list.includes(kind)}
            onChange={event => onChange(event.target.checked ? [...list, kind] : list.filter(one => one !== kind))}
          />
        ))}
    </div>
  )
}

type CountriesProps = { chosen: readonly string[]; mayChange: boolean; onChange(list: readonly string[]): void }

function Countries({ chosen, mayChange, onChange }: CountriesProps) {
  const options = countries
    .filter(({ code }) => !chosen.includes(code))
    .map(({ code, name }) => ({ value: code, label: name, hint: code, keywords: code }))
  return (
    <>
      {mayChange && (
        <Combobox
          // Emptied after each choice.
          key={chosen.length}
          label="Allow a country"
          className={record['wide'] ?? ''}
          options={options}
          value=""
          placeholder="Name or code"
          hint="Without any, numbers of all countries are allowed."
          onChange={code => countries.some(one => one.code === code) && onChange([...chosen, code])}
        />
      )}
      <ul className={styles['chosen']} aria-label="Allowed countries">
        {chosen.length === 0 && <li>All countries</li>}
        {chosen.map(code => (
          <li key={code}>
            <Button
              size="sm"
              icon={<X size={12} />}
              aria-label={`Do not allow ${countryName(code)}`}
              onClick={() => onChange(chosen.filter(one => one !== code))}
            >
              {countryName(code)}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
