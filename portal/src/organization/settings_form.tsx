// The settings as one form. Only what was changed is sent, for the version that the person sees: where somebody else changed settings
// meanwhile, that is said, nothing typed is lost, and the next press saves.
import type { Organization } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import record from '../data/record.module.css'
import { countries } from '../destinations/countries.ts'
import { isStale } from '../forms/faults.ts'
import { Form, type FormFields, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Button, Card, ErrorNote, SelectField, TextField, toast } from '../ui/index.ts'
import { nameOfCode } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { currencies } from './currencies.generated.ts'
import styles from './organization.module.css'
import {
  changedNames,
  duplicateModes,
  labelOf,
  numberings,
  type Settings,
  settingNames,
  settingText,
} from './settings.ts'
import { t } from './texts.ts'

type Draft = {
  /** What was typed, and nothing else: the rest follows what is stored. */
  typed: Partial<Settings>
  /** As it was when the first of it was typed. */
  begun: Organization | null
}

const empty: Draft = { typed: {}, begun: null }

export function SettingsForm({ stored }: { stored: Organization }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const draft = useFormDraft<Draft>('settings of the organization', empty)
  const { typed, begun } = draft.values
  const changed = changedNames(stored, typed)
  const save = useMutation({
    mutationFn: () =>
      api.organization.update(Object.fromEntries(changed.map(name => [name, typed[name]])), {
        ifMatch: stored.version,
      }),
    onSuccess(saved) {
      draft.forget()
      cache.setQueryData([mode, 'organization'], saved)
      toast({ text: t('saved') })
    },
    onError(error) {
      if (isStale(error)) void cache.invalidateQueries({ queryKey: [mode, 'organization'] })
    },
  })
  const state = {
    values: { ...stored, ...typed } as Settings,
    change: (next: (old: Settings) => Settings) =>
      draft.change(old => {
        const values: Settings = { ...stored, ...old.typed }
        const after = next(values)
        const names = changedNames(values, after)
        return {
          typed: { ...old.typed, ...Object.fromEntries(names.map(name => [name, after[name]])) },
          begun: old.begun ?? stored,
        }
      }),
  }
  const fields = useFormFields<Settings>(state, isStale(save.error) ? null : save.error, settingNames)
  return (
    <Form ref={fields.form} className={styles['cards']} onSubmit={() => changed.length > 0 && save.mutate()}>
      <General fields={fields} />
      <Region fields={fields} />
      <Records fields={fields} />
      {begun !== null && changed.length > 0 && (
        <Meanwhile begun={begun} stored={stored} isRefused={isStale(save.error)} />
      )}
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <div className={styles['foot']}>
        <Button variant="primary" type="submit" busy={save.isPending} disabled={changed.length === 0}>
          {t('save')}
        </Button>
        {changed.length > 0 && !save.isPending && (
          <Button
            variant="ghost"
            onClick={() => {
              draft.forget()
              save.reset()
              fields.form.current?.querySelector('input')?.focus()
            }}
          >
            {t('discard')}
          </Button>
        )}
      </div>
    </Form>
  )
}

/** What somebody else changed since the first of it was typed. */
function Meanwhile({ begun, stored, isRefused }: { begun: Organization; stored: Organization; isRefused: boolean }) {
  const others = changedNames(begun, stored)
  if (others.length === 0) return isRefused ? <ErrorNote text={t('refused')} /> : null
  return (
    <Card title={t('meanwhile')}>
      <div role="alert">
        <p>{t('meanwhileText')}</p>
        <ul className={styles['conflict']}>
          {others.map(name => (
            <li key={name}>
              {t('meanwhileRow', {
                setting: labelOf(name),
                now: settingText(name, stored),
                before: settingText(name, begun),
              })}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

type SectionProps = { fields: FormFields<Settings> }

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className={record['form']}>{children}</div>
    </Card>
  )
}

function General({ fields: { text } }: SectionProps) {
  return (
    <Section title={t('general')}>
      <TextField label={labelOf('name')} className={record['wide']} maxLength={200} {...text('name')} />
    </Section>
  )
}

const zones = Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone }))
const currencyOptions = byLanguage(() =>
  currencies.map(code => {
    const name = nameOfCode('currency', code)
    return { value: code, label: code, hint: name, keywords: name }
  }),
)
const noCountry = 'none'
const countryOptions = byLanguage(() => [
  { value: noCountry, label: t('noCountry') },
  ...countries().map(({ code, name }) => ({ value: code, label: name, hint: code, keywords: code })),
])

function Region({ fields: { values, put, fields: faults } }: SectionProps) {
  const faultOf = (name: string) => (faults[name] === undefined ? {} : { error: faults[name] })
  return (
    <Section title={t('region')}>
      <Combobox
        label={labelOf('timeZone')}
        options={zones}
        freeText
        value={values.timeZone}
        hint={t('timeZoneHint')}
        {...faultOf('timeZone')}
        onChange={zone => put('timeZone', zone)}
      />
      <Combobox
        label={labelOf('currency')}
        options={currencyOptions()}
        freeText
        value={values.currency}
        hint={t('currencyHint')}
        {...faultOf('currency')}
        onChange={code => put('currency', code.toUpperCase())}
      />
      <Combobox
        label={labelOf('defaultCountry')}
        className={record['wide'] ?? ''}
        options={countryOptions()}
        value={values.defaultCountry ?? noCountry}
        hint={t('countryHint')}
        {...faultOf('defaultCountry')}
        onChange={code => put('defaultCountry', code === noCountry ? null : code)}
      />
    </Section>
  )
}

function Records({ fields: { values, put, fields: faults } }: SectionProps) {
  return (
    <Section title={t('records')}>
      <SelectField
        label={labelOf('duplicateMode')}
        options={duplicateModes.map(value => ({ value, label: t(`duplicates.${value}`) }))}
        hint={t('duplicatesHint')}
        value={values.duplicateMode}
        error={faults['duplicateMode']}
        onChange={event => put('duplicateMode', event.target.value as Settings['duplicateMode'])}
      />
      <SelectField
        label={labelOf('invoiceNumbering')}
        options={numberings.map(value => ({ value, label: t(`numbering.${value}`) }))}
        hint={t('numberingHint')}
        value={values.invoiceNumbering}
        error={faults['invoiceNumbering']}
        onChange={event => put('invoiceNumbering', event.target.value as Settings['invoiceNumbering'])}
      />
    </Section>
  )
}
