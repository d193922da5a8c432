// The settings of an organization as people read them, and what became of them while somebody was changing them.
import type { Organization } from '@tandem/sdk'

import { nameOfCode } from '../words/format.ts'
import { t } from './texts.ts'

export type Settings = Pick<
  Organization,
  'name' | 'timeZone' | 'currency' | 'defaultCountry' | 'duplicateMode' | 'invoiceNumbering'
>
export type SettingName = keyof Settings

export const settingNames: readonly SettingName[] = [
  'name',
  'timeZone',
  'currency',
  'defaultCountry',
  'duplicateMode',
  'invoiceNumbering',
]
export const labelOf = (name: SettingName): string => t(`setting.${name}`)

export const duplicateModes: readonly Settings['duplicateMode'][] = ['warn', 'block', 'off']
export const numberings: readonly Settings['invoiceNumbering'][] = ['on_create', 'on_issue']

const texts: { [Name in SettingName]: (value: Settings[Name]) => string } = {
  name: name => name,
  timeZone: zone => zone,
  currency: code => t('currencyText', { code, name: nameOfCode('currency', code) }),
  defaultCountry: code => (code === null ? t('noCountry') : nameOfCode('region', code)),
  duplicateMode: mode => t(`duplicates.${mode}`),
  invoiceNumbering: numbering => t(`numbering.${numbering}`),
}

/** A setting in words. */
export function settingText<Name extends SettingName>(name: Name, settings: Settings): string {
  return texts[name](settings[name])
}

/** The settings of which `to` has another value than `from`. */
export function changedNames(from: Settings, to: Partial<Settings>): SettingName[] {
  return settingNames.filter(name => to[name] !== undefined && to[name] !== from[name])
}
