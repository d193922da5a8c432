// A number as its form holds it, and what of it is to be sent.
import type { NumbersUpdateParams } from '@tandem/sdk'
import type { OwnNumber } from '../data/messaging_lists.ts'
import { decimalText } from '../forms/number_text.ts'

export type Values = {
  number: string
  label: string
  serviceId: string
  carrierId: string
  sms: boolean
  voice: boolean
  segmentsPerSecond: string
  callbackUrl: string
  createsLeads: boolean
}
export const names = [
  'number',
  'label',
  'serviceId',
  'carrierId',
  'sms',
  'voice',
  'segmentsPerSecond',
  'callbackUrl',
  'createsLeads',
] as const satisfies (keyof Values)[]

export function valuesOf(number: OwnNumber | undefined): Values {
  return {
    number: number?.number ?? '',
    label: number?.label ?? '',
    serviceId: number?.serviceId ?? '',
    carrierId: number?.carrierId ?? '',
    sms: number?.sms ?? true,
    voice: number?.voice ?? true,
    segmentsPerSecond: number?.segmentsPerSecond?.toString() ?? '',
    callbackUrl: number?.callbackUrl ?? '',
    createsLeads: number?.createsLeads ?? false,
  }
}

/** A name and a short code (3 to 8 digits) make no calls: what is no telephone number by its looks is added without. */
export const looksLikePhone = (text: string) => !/[a-z]/i.test(text) && !/^\d{0,8}$/.test(text.trim())

/** What differs from `from`, as the API takes it: empty text is null, text of a number is the number. */
export function changesOf(values: Values, from: Values): Omit<NumbersUpdateParams, 'numberId'> {
  const changed: Record<string, unknown> = {}
  for (const name of names) {
    const value = values[name]
    if (name === 'number' || value === from[name]) continue
    if (typeof value === 'boolean') changed[name] = value
    else if (value.trim() === '') changed[name] = null
    // What is no number is sent as it is: the server says so beside the field.
    else changed[name] = name === 'segmentsPerSecond' ? numberOf(value) : value.trim()
  }
  return changed
}

function numberOf(text: string): number | string {
  const value = Number(decimalText(text, 2))
  return Number.isNaN(value) ? text : value
}

/** What is to be sent of a new number: what is not as a number of its kind begins. */
export function additionsOf(values: Values): Omit<NumbersUpdateParams, 'numberId'> {
  const start = { ...valuesOf(undefined), voice: looksLikePhone(values.number) }
  return changesOf({ ...values, voice: values.voice && start.voice }, start)
}
