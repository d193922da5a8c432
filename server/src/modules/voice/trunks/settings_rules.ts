// What is wrong with settings of a SIP trunk together, and what is less safe than it looks.
import { type Cidr, parseCidr } from '../../../kernel/outbound/egress.ts'
import { isCountry } from '../../../kernel/values/phone.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { TrunkSettings } from './settings.ts'

/** Whether calls that come in must bring a password. */
export function asksForDigest({ inboundUsername }: Pick<TrunkSettings, 'inboundUsername'>): boolean {
  return inboundUsername !== null
}

/** Wider than this names half the world, not a carrier. */
const widest = { ipv4: 8, ipv6: 16 } as const

const fault = (field: string, message: string, code = 'not_allowed'): FieldFault => ({ field, code, message })

/** What the schema cannot say. `field` is the path below the settings. */
export function trunkFaults(settings: TrunkSettings): FieldFault[] {
  return [...identityFaults(settings), ...sourceFaults(settings), ...numberFaults(settings)]
}

function identityFaults(settings: TrunkSettings): FieldFault[] {
  const { username, authUsername, password, register, fromUser, callerIdIn, outboundProxy } = settings
  const faults: FieldFault[] = []
  if (register && username === null)
    faults.push(fault('username', 'is needed to register; enter it or set register to false', 'required'))
  if (password !== null && username === null && authUsername === null)
    faults.push(fault('password', 'belongs to a user name; enter one or leave the password out'))
  if (password === null && authUsername !== null)
    faults.push(fault('authUsername', 'belongs to a password; enter one or leave it out'))
  if (fromUser !== null && callerIdIn === 'from')
    faults.push(
      fault('fromUser', 'takes the place of the caller id; let callerIdIn name another header or leave it out'),
    )
  const port = outboundProxy === null ? undefined : /:(\d+)$/.exec(outboundProxy.replace(/^\[.*\]/, ''))?.[1]
  if (Number(port ?? 1) > 65_535) faults.push(fault('outboundProxy', 'names a port above 65535'))
  return faults
}

function sourceFaults(settings: TrunkSettings): FieldFault[] {
  const { sourceAddresses, inboundUsername, inboundPassword } = settings
  const faults: FieldFault[] = []
  for (const [index, text] of sourceAddresses.entries()) {
    const field = `sourceAddresses[${index}]`
    const range = parseCidr(text)
    if (range === undefined) faults.push(fault(field, `${text} is neither an address nor a range`))
    else if (isTooWide(range) && !asksForDigest(settings))
      faults.push(fault(field, `${text} lets anybody call; name the addresses of the carrier, or set inboundUsername`))
  }
  if (inboundUsername !== null && inboundPassword === null)
    faults.push(fault('inboundPassword', 'is needed with inboundUsername', 'required'))
  if (inboundUsername === null && inboundPassword !== null)
    faults.push(
      fault('inboundUsername', 'is needed with inboundPassword; enter it or take the password out', 'required'),
    )
  return faults
}

const isTooWide = ([network, prefix]: Cidr) => prefix < widest[network.kind()]

export function numberFaults({
  numberFormat,
  numberCountry,
}: Pick<TrunkSettings, 'numberFormat' | 'numberCountry'>): FieldFault[] {
  if (numberCountry === null)
    return numberFormat === 'national'
      ? [fault('numberCountry', 'is needed for national numbers, such as DE', 'required')]
      : []
  return isCountry(numberCountry) ? [] : [fault('numberCountry', `${numberCountry} is not a country`)]
}

/** What works, but not as safely as it looks; each names its field and the remedy. */
export function trunkWarnings(settings: TrunkSettings): { field: string; message: string }[] {
  const { transport, srtp, tlsVerify, tlsCa, allowTransfers } = settings
  const isTls = transport === 'tls'
  const warnings: { field: string; message: string }[] = []
  if (srtp !== 'off' && !isTls)
    warnings.push({ field: 'srtp', message: `The keys of the sound travel readable over ${transport}; use tls.` })
  if (isTls && srtp !== 'required')
    warnings.push({ field: 'srtp', message: 'SIP is encrypted, the sound may not be; only required makes sure of it.' })
  if (isTls && !tlsVerify)
    warnings.push({
      field: 'tlsVerify',
      message: 'Anybody on the way can pass for the carrier; verify its certificate.',
    })
  if (allowTransfers)
    warnings.push({
      field: 'allowTransfers',
      message: 'Who calls in, or is called, can have you call any number you may call; leave it off for a carrier.',
    })
  if (!isTls && tlsCa !== null)
    warnings.push({ field: 'tlsCa', message: `Certificates are of no use over ${transport}; use tls.` })
  return warnings
}
