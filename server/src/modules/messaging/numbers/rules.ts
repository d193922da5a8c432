// What an organization can send from and be reached at, and what each kind can do: a number does all, a short code takes
// texts, a name only sends.
import { countryOf, parsePhone } from '../../../kernel/phone.ts'
import type { FieldFault } from '../../../kernel/problem.ts'
import { readSender } from '../sms/rules.ts'

export const numberKinds = ['long_code', 'short_code', 'alphanumeric'] as const
export type NumberKind = (typeof numberKinds)[number]

/**
 * Whether a telephone number of the live mode is the organization's: the first to add it holds it `unverified`, until it is
 * `verified` or another organization proves that it is theirs; then it is `contested`, takes no calls and is no sender.
 */
export const ownerships = ['unverified', 'verified', 'contested'] as const
export type Ownership = (typeof ownerships)[number]

export type NumberRow = {
  id: string
  kind: NumberKind
  address: string
  country: string | null
  label: string | null
  service_id: string | null
  carrier_id: string | null
  sms: boolean
  voice: boolean
  segments_per_second: number | null
  callback_url: string | null
  creates_leads: boolean
  /** Null where nobody else can have it: in the test mode, short codes, names. */
  ownership: Ownership | null
  version: number
  created_at: string
  updated_at: string
}

/** A number as the API and its events show it. */
export function presentNumber(row: NumberRow) {
  return {
    numberId: row.id,
    number: row.address,
    kind: row.kind,
    country: row.country,
    label: row.label,
    serviceId: row.service_id,
    carrierId: row.carrier_id,
    sms: row.sms,
    voice: row.voice,
    segmentsPerSecond: row.segments_per_second,
    callbackUrl: row.callback_url,
    createsLeads: row.creates_leads,
    ownership: row.ownership,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export type Address = Pick<NumberRow, 'kind' | 'address' | 'country'>

/**
 * What a text means as a sender, in its canonical form; undefined when it is none. The country is that of the numbering
 * plan: short codes and names have none, nor do numbers of no range handed out.
 * @param home country of numbers written without +
 */
export function readAddress(text: string, home: string | null): Address | undefined {
  const address = readSender(text, home)
  if (address === undefined) return undefined
  if (address.startsWith('+')) return { kind: 'long_code', address, country: countryOf(address) ?? null }
  return { kind: /^\d+$/.test(address) ? 'short_code' : 'alphanumeric', address, country: null }
}

/** A sender that texts can come in to, in its canonical form: a number or a short code; undefined for all else. */
export function readReceiver(text: string, home: string | null): string | undefined {
  const address = readSender(text, home)
  return address === undefined || /[a-z]/i.test(address) ? undefined : address
}

/** The E.164 form of a telephone number, or undefined. */
export function readTelephone(text: string, home: string | null): string | undefined {
  return parsePhone(text, home ?? undefined)
}

/** What a number of this kind is asked to do but cannot. */
export function kindFaults({ kind, ...asked }: Pick<NumberRow, 'kind' | 'voice' | 'creates_leads' | 'callback_url'>) {
  const faults: FieldFault[] = []
  const refuse = (field: string, message: string) => faults.push({ field, code: 'not_allowed', message })
  if (kind === 'long_code') return faults
  if (asked.voice) refuse('voice', 'only a telephone number carries calls; leave voice out')
  if (kind === 'short_code') return faults
  if (asked.creates_leads) refuse('createsLeads', 'nobody can write to a name; leave createsLeads out')
  if (asked.callback_url !== null) refuse('callbackUrl', 'nothing comes in to a name; leave callbackUrl out')
  return faults
}
