// What a form holds of a field while it is filled in, and what is sent of it. Empty text is no value.

import { clearText, decimalText, refuseUnclear } from '../forms/number_text.ts'
import { decimalsOf } from '../words/currency_decimals.ts'
import type { Address, Entry, MoneyValue, NounDescription, NounField, NounRecord } from './noun.ts'

export type EntryDraft = { value: unknown; label: string; is_primary: boolean }
export type MoneyDraft = { amount: string; currency: string }

export const emptyAddress: Address = { street: null, postal_code: null, city: null, region: null, country: null }

const listKinds = ['emails', 'phones', 'addresses', 'refs']
export const isList = ({ kind }: NounField) => listKinds.includes(kind)

export function draftOf(field: NounField, value: unknown): unknown {
  if (isList(field))
    return ((value ?? []) as Entry[]).map(({ label, ...entry }): EntryDraft => ({ ...entry, label: label ?? '' }))
  switch (field.kind) {
    case 'boolean':
      return value === true
    case 'money': {
      const money = value as MoneyValue | null | undefined
      const text = money == null ? '' : clearText(String(money.amount), decimalsOf(money.currency))
      return { amount: text, currency: money?.currency ?? '' } satisfies MoneyDraft
    }
    case 'moment':
      return value == null ? '' : localMoment(String(value))
    case 'user':
    case 'ref':
      return value ?? null
    default:
      return value == null ? '' : String(value)
  }
}

/** What the API is sent for a draft; null empties a field. */
export function sentOf(field: NounField, draft: unknown): unknown {
  if (isList(field)) return (draft as EntryDraft[]).filter(isFilled).map(sentEntry)
  switch (field.kind) {
    case 'money': {
      const { amount, currency } = draft as MoneyDraft
      if (amount.trim() === '') return null
      return {
        amount: numberOf(amount, placesOf(field, draft)),
        ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
      }
    }
    case 'integer':
      return String(draft).trim() === '' ? null : numberOf(String(draft), 0)
    case 'moment':
      return draft === '' ? null : new Date(String(draft)).toISOString()
    case 'boolean':
    case 'user':
    case 'ref':
      return draft
    default:
      return String(draft).trim() === '' ? null : String(draft)
  }
}

/** Decimals that a field of a number takes. */
const placesOf = ({ kind }: NounField, draft: unknown) =>
  kind === 'integer' ? 0 : decimalsOf((draft as MoneyDraft).currency.trim().toUpperCase())

/** Throws what the form shows beside fields whose number can be read in two ways. */
export function refuseUnclearDrafts(fields: readonly NounField[], drafts: Drafts): void {
  refuseUnclear(
    fields
      .filter(({ kind }) => kind === 'money')
      .map(field => {
        const draft = drafts[field.name] as MoneyDraft
        return { field: field.name, text: draft.amount, places: placesOf(field, draft) }
      }),
  )
}

/** Text that is no number is sent as it is, and the server says what is wrong with it. */
function numberOf(text: string, places: number): number | string {
  const number = Number(decimalText(text, places))
  return Number.isNaN(number) ? text : number
}

function isFilled({ value }: EntryDraft): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some(part => part !== null && part !== '')
  return value !== null && String(value).trim() !== ''
}

function sentEntry({ value, label, is_primary }: EntryDraft) {
  return { value, label: label.trim() === '' ? null : label.trim(), is_primary }
}

/** A moment as an input of dates and times has it: where the reader is, without seconds. */
function localMoment(iso: string): string {
  const date = new Date(iso)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

export type Drafts = Readonly<Record<string, unknown>>

/** Fields that a form shows. @param isOwnOnly whether the person keeps to own records, and so gives none away */
export const formFields = ({ fields, rows }: NounDescription, isOwnOnly = false) =>
  fields.filter(({ fixed, name }) => fixed !== true && !(isOwnOnly && name === rows?.owner))

export function draftsOf(noun: NounDescription, record?: NounRecord): Drafts {
  return Object.fromEntries(
    formFields(noun).map(field => [
      field.name,
      draftOf(field, record === undefined ? field.initial : record[field.name]),
    ]),
  )
}

/** The fields of a form that differ from what it began with, as they are sent. */
export function changesOf(noun: NounDescription, drafts: Drafts, begun: Drafts): Record<string, unknown> {
  return Object.fromEntries(
    formFields(noun)
      .filter(({ name }) => JSON.stringify(drafts[name]) !== JSON.stringify(begun[name]))
      .map(field => [field.name, sentOf(field, drafts[field.name])]),
  )
}

/** What a creation sends: everything that is filled in. */
export function bodyOf(noun: NounDescription, drafts: Drafts): Record<string, unknown> {
  const sent = formFields(noun).map(field => [field.name, sentOf(field, drafts[field.name])] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)))
}
