// What an organization can send from and be reached at, and what each kind can do: a number does all, a short code takes
// texts, a name only sends.
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { AddressKind } from '../addresses.ts'

/**
 * Whether a telephone number of the live mode is the organization's: the first to add it holds it `unverified`, until it is
 * `verified` or another organization proves that it is theirs; then it is `contested`, takes no calls and is no sender.
 */
export const ownerships = ['unverified', 'verified', 'contested'] as const
export type Ownership = (typeof ownerships)[number]

export type NumberRow = {
  id: string
  kind: AddressKind
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
