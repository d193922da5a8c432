// A destination policy, changed in place: countries, prefixes, kinds of numbers, ceilings.
import type { DestinationPolicy } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import record from '../data/record.module.css'
import { Form, useFormFields } from '../forms/form.tsx'
import { useTypedOver } from '../forms/typed_over.ts'
import { apiOf } from '../session/api.ts'
import type { Mode } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Button, CheckboxField, ErrorNote, TextArea, TextField, toast } from '../ui/index.ts'
import { countries, countryName } from './countries.ts'
import styles from './destinations.module.css'
import { kinds, type ShutKind } from './kinds.ts'
import { policyKey } from './policies.ts'
import { changesOf, type Values, valuesOf } from './policy_values.ts'
import { t } from './texts.ts'

const shown = ['allowedPrefixes', 'blockedPrefixes', 'concurrentCalls', 'dailyCalls', 'dailySpend'] as const

/** What was typed over the policy that is stored, and what saves it or takes the policy away. */
function usePolicy(policy: DestinationPolicy, mode: Mode) {
  const of = policy.policy
  const api = apiOf(mode)
  const cache = useQueryClient()
  const before = valuesOf(policy)
  const over = useTypedOver<Values>(before)
  const { values } = over
  const written = (text: () => string) => (stored: DestinationPolicy) => {
    cache.setQueryData(policyKey(mode, of), stored)
    void cache.invalidateQueries({ queryKey: [mode, 'destination-policies'] })
    toast({ text: text() })
  }
  const save = useMutation({
    mutationFn: async () => {
      const stored = await api.destinationPolicies.update({ policy: of, ...changesOf(values, before) })
      return { stored, sent: values }
    },
    onSuccess({ stored, sent }) {
      over.saved(sent)
      written(() => t('saved'))(stored)
    },
  })
  const reset = useMutation({
    mutationFn: () => api.destinationPolicies.delete({ policy: of }),
    onSuccess(stored) {
      over.saved(values)
      written(() => t(of === 'organization' ? 'wasReset' : 'deleted'))(stored)
    },
  })
  return { over, save, reset }
}

export type PolicyFormProps = { policy: DestinationPolicy; title: string; mode: Mode; mayChange: boolean }
export function PolicyForm({ policy, title, mode, mayChange }: PolicyFormProps) {
  const of = policy.policy
  const isOrganization = of === 'organization'
  const { over, save, reset } = usePolicy(policy, mode)
  const { values } = over
  const { form, general, put, text } = useFormFields<Values>(over, save.error ?? reset.error, shown)
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
