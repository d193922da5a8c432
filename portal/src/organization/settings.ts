// The settings of an organization as people read them, and what became of them while somebody was changing them.
import type { Organization } from '@tandem/sdk'
import { countryName } from '../destinations/countries.ts'

export type Settings = Pick<
  Organization,
  'name' | 'timeZone' | 'currency' | 'defaultCountry' | 'duplicateMode' | 'invoiceNumbering'
>
export type SettingName = keyof Settings

export const labels: Readonly<Record<SettingName, string>> = {
  name: 'Name',
  timeZone: 'Time zone',
  currency: 'Currency',
  defaultCountry: 'Country',
  duplicateMode: 'Duplicate leads',
  invoiceNumbering: 'Invoice numbers',
}

export const duplicateModes: Readonly<Record<Settings['duplicateMode'], string>> = {
  warn: 'Create them, and name the others',
  block: 'Refuse them, unless somebody insists',
  off: 'Create them without checking',
}

export const numberings: Readonly<Record<Settings['invoiceNumbering'], string>> = {
  on_create: 'Given to drafts',
  on_issue: 'Given when an invoice is issued',
}

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })
export const currencyName = (code: string) => currencyNames.of(code) ?? code

const texts: { [Name in SettingName]: (value: Settings[Name]) => string } = {
  name: name => name,
  timeZone: zone => zone,
  currency: code => `${code}, ${currencyName(code)}`,
  defaultCountry: code => (code === null ? 'None' : countryName(code)),
  duplicateMode: mode => duplicateModes[mode],
  invoiceNumbering: numbering => numberings[numbering],
}

/** A setting in words. */
export function settingText<Name extends SettingName>(name: Name, settings: Settings): string {
  return texts[name](settings[name])
}

const names = Object.keys(labels) as SettingName[]

/** The settings of which `to` has another value than `from`. */
export function changedNames(from: Settings, to: Partial<Settings>): SettingName[] {
  return names.filter(name => to[name] !== undefined && to[name] !== from[name])
}
