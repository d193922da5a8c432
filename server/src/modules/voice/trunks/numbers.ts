// How numbers are written for a trunk and read back: carriers differ in the form of a number, and in the header they look
// for the caller id in. Inside, numbers are E.164 with + everywhere. Pure.
import { escapeUser, formatAddress, type SipUri, unescapeUri } from '@tandem/sip'
import { dialledIn, isE164, parsePhone } from '../../../kernel/values/phone.ts'
import type { TrunkSettings } from './settings.ts'

type Form = Pick<TrunkSettings, 'numberFormat' | 'numberCountry'>

/** A called number as the trunk takes it, the part before the @. What has no national form goes with its country code. */
export function dialledForm(e164: string, { numberFormat, numberCountry }: Form): string {
  if (numberFormat === 'e164') return e164
  const national = numberFormat === 'national' && numberCountry !== null ? dialledIn(e164, numberCountry) : undefined
  return national ?? e164.replace(/^\+/, '')
}

/**
 * A number as it came in, back in E.164: what is given before the @, read in the form of the trunk first and then, because
 * carriers are not always true to theirs, in the others. Undefined for what is no number, such as `anonymous`.
 */
export function e164From(user: string, { numberFormat, numberCountry }: Form): string | undefined {
  const text = plainUser(user)
  if (!/^\+?[\d().\-/ ]{3,}$/.test(text)) return undefined
  if (text.startsWith('+')) return parsePhone(text)
  const international = () => {
    const digits = text.replaceAll(/\D/g, '')
    return isE164(`+${digits}`) ? `+${digits}` : undefined
  }
  const national = () => parsePhone(text, numberCountry ?? undefined)
  // A leading zero never starts a country code.
  const readings =
    numberFormat === 'national' || text.startsWith('0') ? [national, international] : [international, national]
  for (const reading of readings) {
    const number = reading()
    if (number !== undefined) return number
  }
  return undefined
}

/** Without parameters (`+4930123;phone-context=…`, `4930123;npdi`) and escapes. */
function plainUser(user: string): string {
  const [number = '', ...parameters] = user.split(';')
  const context = parameters
    .find(text => text.toLowerCase().startsWith('phone-context=+'))
    ?.slice('phone-context='.length)
  const text = unescapeUri(number)
  return context === undefined || text.startsWith('+') ? text.trim() : context + text.trim()
}

/** Who is said to call. */
export type CallerId = {
  /** E.164; null when none is to be shown. */
  number: string | null
  /** A name to show, free of control characters. */
  name: string | null
}

/** What stands in From, and the headers beside it. */
export type CallerIdForm = {
  from: { user: string; host: string; displayName: string | null }
  headers: { name: string; value: string }[]
}

type Caller = Form & Pick<TrunkSettings, 'callerIdIn' | 'username' | 'fromUser' | 'fromDomain' | 'domain' | 'host'>

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** The domain of From, of called numbers and of the registration, as it is in an address. */
export const domainOf = ({ domain, host }: Pick<TrunkSettings, 'domain' | 'host'>) => bracketed(domain ?? host)
export const fromDomainOf = (settings: Pick<TrunkSettings, 'fromDomain' | 'domain' | 'host'>) =>
  settings.fromDomain === null ? domainOf(settings) : bracketed(settings.fromDomain)

/** The caller id as the trunk looks for it. One that is not to be shown is anonymous in every header (RFC 3323). */
export function callerIdForm({ number, name }: CallerId, settings: Caller): CallerIdForm {
  const { callerIdIn, username, fromUser } = settings
  const host = fromDomainOf(settings)
  if (number === null) {
    const hidden = { user: 'anonymous', host: 'anonymous.invalid', displayName: 'Anonymous' }
    // A carrier that asks who calls is sent the account, with a request to keep it private.
    const account = fromUser ?? username
    const headers =
      account === null || callerIdIn === 'from'
        ? []
        : [identityHeader(callerIdIn, { user: account, host, name: null, isHidden: true })]
    return { from: hidden, headers: [...headers, { name: 'Privacy', value: 'id' }] }
  }
  const user = dialledForm(number, settings)
  if (callerIdIn === 'from') return { from: { user, host, displayName: name }, headers: [] }
  const header = identityHeader(callerIdIn, { user, host: domainOf(settings), name, isHidden: false })
  return { from: { user: fromUser ?? user, host, displayName: name }, headers: [header] }
}

type Identity = { user: string; host: string; name: string | null; isHidden: boolean }

function identityHeader(place: 'p_asserted_identity' | 'remote_party_id', identity: Identity) {
  const { user, host, name, isHidden } = identity
  const uri: SipUri = {
    scheme: 'sip',
    user: escapeUser(user),
    password: undefined,
    host,
    port: undefined,
    params: [],
    headers: [],
  }
  const address = formatAddress({ displayName: name ?? undefined, uri, params: [] })
  if (place === 'p_asserted_identity') return { name: 'P-Asserted-Identity', value: address }
  return { name: 'Remote-Party-ID', value: `${address};party=calling;privacy=${isHidden ? 'full' : 'off'};screen=yes` }
}
