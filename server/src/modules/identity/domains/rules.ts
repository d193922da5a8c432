// Domains of organizations: the row that shows whose one is, and what looks into the DNS make of it.
import { domainToASCII } from 'node:url'
import { move, type Table } from '../../../kernel/values/states.ts'

export const domainStatuses = ['pending', 'verified', 'lapsed'] as const
export type DomainStatus = (typeof domainStatuses)[number]

/** `found`: the row is there. `missed`: it was not, three times in a row. */
export const domainTable = {
  found: { from: ['pending', 'lapsed'], to: 'verified' },
  missed: { from: ['verified'], to: 'lapsed' },
} as const satisfies Table<DomainStatus, string>

export type DomainRow = {
  id: string
  domain: string
  token: string
  status: DomainStatus
  misses: number
  found: string[] | null
  checked_at: string | null
  check_at: string | null
  verified_at: string | null
  version: number
  created_at: string
  updated_at: string
}

export const domainsAtMost = 50
const missesAtMost = 3
const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/** The row for the DNS. */
export function domainRecord({ domain, token }: Pick<DomainRow, 'domain' | 'token'>) {
  return { type: 'TXT' as const, name: `_tandem.${domain}`, value: `tandem-verification=${token}` }
}

/** What a look found: texts; undefined when no name server answered, which says nothing. */
export type Looked = readonly string[] | undefined

export type Verdict = Pick<DomainRow, 'status' | 'misses' | 'found' | 'check_at'>

/**
 * The state after a look. One that was verified is looked up every week; nobody loses it by a name server that is down, or by looking
 * again and again while the DNS is being changed: a look `byHand` counts what is there, never what is missing.
 */
export function afterLook(row: DomainRow, looked: Looked, nowMs: number, { byHand = false } = {}): Verdict {
  const { status, misses, found, check_at } = row
  if (byHand && looked === undefined) return { status, misses, found, check_at }
  const at = (ms: number) => new Date(nowMs + ms).toISOString()
  if (looked === undefined) return { status, misses, found, check_at: status === 'verified' ? at(hourMs) : null }
  const kept = looked.slice(0, 10).map(text => text.slice(0, 300))
  const { value } = domainRecord(row)
  if (looked.some(text => text.trim() === value))
    return { status: move(domainTable, status, 'found') ?? status, misses: 0, found: kept, check_at: at(weekMs) }
  if (status !== 'verified') return { status, misses: 0, found: kept, check_at: null }
  if (byHand) return { status, misses, found: kept, check_at }
  const isOver = misses + 1 >= missesAtMost
  return {
    status: isOver ? (move(domainTable, status, 'missed') as DomainStatus) : status,
    misses: isOver ? 0 : misses + 1,
    found: kept,
    check_at: isOver ? null : at(weekMs),
  }
}

/** When a verified domain lapses whose row was just missed, if it stays away. */
export function lapsesAt({ misses }: Pick<DomainRow, 'misses'>, nowMs: number): string {
  return new Date(nowMs + (missesAtMost - misses) * weekMs).toISOString()
}

/** The domain of an address, in the letters of the DNS. */
export function domainOf(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return domainToASCII(domain) || domain.toLowerCase()
}

/** An address whose domain is in the letters of the DNS, to be compared with domains. */
export function asciiAddress(email: string): string {
  return `${email.slice(0, email.lastIndexOf('@'))}@${domainOf(email)}`
}
