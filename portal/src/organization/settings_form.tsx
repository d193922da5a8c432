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
import { currencies } from './currencies.generated.ts'
import styles from './organization.module.css'
import {
  changedNames,
  currencyName,
  duplicateModes,
  labels,
  numberings,
  type Settings,
  settingText,
} from './settings.ts'

type Draft = {
  /** What was typed, and nothing else: the rest follows what is stored. */
  typed: Partial<Settings>
  /** As it was when the first of it was typed. */
  begun: Organization | null
}

const empty: Draft = { typed: {}, begun: null }
const shown = Object.keys(labels)

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
      toast({ text: 'The settings were saved.' })
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
  const fields = useFormFields<Settings>(state, isStale(save.error) ? null : save.error, shown)
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
          Save the settings
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
            Discard changes
          </Button>
        )}
      </div>
    </Form>
  )
}

/** What somebody else changed since the first of it was typed. */
function Meanwhile({ begun, stored, isRefused }: { begun: Organization; stored: Organization; isRefused: boolean }) {
  const others = changedNames(begun, stored)
  if (others.length === 0)
    return isRefused ? <ErrorNote text="Somebody else saved the settings meanwhile. Save yours once more." /> : null
  return (
    <Card title="Changed meanwhile">
      <div role="alert">
        <p>
          Somebody else saved settings while you were changing them. What you typed is still here; save it if it is to
          hold.
        </p>
        <ul className={styles['conflict']}>
          {others.map(name => (
            <li key={name}>{`${labels[name]}: ${settingText(name, stored)} (before: ${settingText(name, begun)})`}</li>
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
    <Section title="Organization">
      <TextField label={labels.name} className={record['wide']} maxLength={200} {...text('name')} />
    </Section>
  )
}

const zones = Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone }))
const currencyOptions = currencies.map(code => ({
  value: code,
  label: code,
  hint: currencyName(code),
  keywords: currencyName(code),
}))
const noCountry = 'none'
const countryOptions = [
  { value: noCountry, label: 'None' },
  ...countries().map(({ code, name }) => ({ value: code, label: name, hint: code, keywords: code })),
]

function Region({ fields: { values, put, fields: faults } }: SectionProps) {
  const faultOf = (name: string) => (faults[name] === undefined ? {} : { error: faults[name] })
  return (
    <Section title="Region">
      <Combobox
        label={labels.timeZone}
        options={zones}
        freeText
        value={values.timeZone}
        hint="Decides when an invoice is overdue, to which year it belongs, and where a day of a report begins."
        {...faultOf('timeZone')}
        onChange={zone => put('timeZone', zone)}
      />
      <Combobox
        label={labels.currency}
        options={currencyOptions}
        freeText
        value={values.currency}
        hint="For amounts that are given without one. What there is keeps its own."
        {...faultOf('currency')}
        onChange={code => put('currency', code.toUpperCase())}
      />
      <Combobox
        label={labels.defaultCountry}
        className={record['wide'] ?? ''}
        options={countryOptions}
        value={values.defaultCountry ?? noCountry}
        hint="Telephone numbers without + are read as of there. With none they are refused."
        {...faultOf('defaultCountry')}
        onChange={code => put('defaultCountry', code === noCountry ? null : code)}
      />
    </Section>
  )
}

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

function Records({ fields: { values, put, fields: faults } }: SectionProps) {
  return (
    <Section title="Leads and invoices">
      <SelectField
        label={labels.duplicateMode}
        options={optionsOf(duplicateModes)}
        hint="Leads with the e-mail or phone of another."
        value={values.duplicateMode}
        error={faults['duplicateMode']}
        onChange={event => put('duplicateMode', event.target.value as Settings['duplicateMode'])}
      />
      <SelectField
        label={labels.invoiceNumbering}
        options={optionsOf(numberings)}
        hint="Holds for invoices that are created from then on."
        value={values.invoiceNumbering}
        error={faults['invoiceNumbering']}
        onChange={event => put('invoiceNumbering', event.target.value as Settings['invoiceNumbering'])}
      />
    </Section>
  )
}
