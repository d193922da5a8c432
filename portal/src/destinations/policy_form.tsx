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
import { t } from './texts.ts'

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
  const written = (text: () => string) => (stored: DestinationPolicy) => {
    cache.setQueryData(policyKey(mode, of), stored)
    void cache.invalidateQueries({ queryKey: [mode, 'destination-policies'] })
    toast({ text: text() })
  }
  const save = useMutation({
    mutationFn: () => api.destinationPolicies.update({ policy: of, ...changesOf(values) }),
    onSuccess: written(() => t('saved')),
  })
  const reset = useMutation({
    mutationFn: () => api.destinationPolicies.delete({ policy: of }),
    onSuccess: written(() => t(isOrganization ? 'wasReset' : 'deleted')),
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
            label={t('allowedPrefixes')}
            optional
            rows={3}
            mono
            hint={t('allowedPrefixesHint')}
            {...text('allowedPrefixes')}
          />
          <TextArea
            label={t('blockedPrefixes')}
            optional
            rows={3}
            mono
            hint={t('blockedPrefixesHint')}
            {...text('blockedPrefixes')}
          />
          <TextField
            label={t('concurrentCalls')}
            inputMode="numeric"
            hint={t('noLimitHint')}
            {...text('concurrentCalls')}
          />
          <TextField label={t('dailyCalls')} inputMode="numeric" hint={t('noLimitHint')} {...text('dailyCalls')} />
          <TextField
            label={t('dailySpend')}
            className={record['wide']}
            placeholder={t('dailySpendExample')}
            hint={t('dailySpendHint')}
            {...text('dailySpend')}
          />
          {general !== undefined && <ErrorNote text={general} />}
          {mayChange && (
            <div className={record['wide']}>
              <Button variant="primary" type="submit" busy={save.isPending}>
                {t('save')}
              </Button>{' '}
              {policy.updatedAt !== null && (
                <Button busy={reset.isPending} onClick={() => reset.mutate()}>
                  {t(isOrganization ? 'reset' : 'delete')}
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
          label={t('sameKinds')}
          hint={t('sameKindsHint')}
          checked={chosen === null}
          onChange={event => onChange(event.target.checked ? null : [])}
        />
      )}
      {chosen !== null &&
        kinds.map(kind => (
          <CheckboxField
            key={kind}
            label={t(`open.${kind}`)}
            hint={t(`hint.${kind}`)}
            checked={list.includes(kind)}
            onChange={event => onChange(event.target.checked ? [...list, kind] : list.filter(one => one !== kind))}
          />
        ))}
    </div>
  )
}

type CountriesProps = { chosen: readonly string[]; mayChange: boolean; onChange(list: readonly string[]): void }

function Countries({ chosen, mayChange, onChange }: CountriesProps) {
  const options = countries()
    .filter(({ code }) => !chosen.includes(code))
    .map(({ code, name }) => ({ value: code, label: name, hint: code, keywords: code }))
  return (
    <>
      {mayChange && (
        <Combobox
          // Emptied after each choice.
          key={chosen.length}
          label={t('allowCountry')}
          className={record['wide'] ?? ''}
          options={options}
          value=""
          placeholder={t('nameOrCode')}
          hint={t('countryHint')}
          onChange={code => countries().some(one => one.code === code) && onChange([...chosen, code])}
        />
      )}
      <ul className={styles['chosen']} aria-label={t('allowedCountries')}>
        {chosen.length === 0 && <li>{t('allCountries')}</li>}
        {chosen.map(code => (
          <li key={code}>
            <Button
              size="sm"
              icon={<X size={12} />}
              aria-label={t('removeCountry', { country: countryName(code) })}
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
