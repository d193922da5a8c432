// Names of customers lead only where this server may go, and it is said when they lead elsewhere.
import { type SipResolver, transportError } from '@tandem/sip'
import { onlyHere } from '../../config/voice_addresses.ts'
import { type Cidr, forbiddenAddress } from '../../kernel/outbound/egress.ts'
import { isLoopback } from '../../kernel/values/loopback.ts'

const notAllowed = 'this server may not send to that address; its operator can allow it (TANDEM_EGRESS_ALLOW)'

export type Reach = {
  allow: readonly Cidr[]
  /** The address that SIP is bound to: from loopback no packet leaves the machine. */
  bound: string
}

/** True, or why not. */
export function mayReach(address: string, { allow, bound }: Reach): true | string {
  if (forbiddenAddress(address, allow)) return notAllowed
  return isLoopback(bound) && !isLoopback(address) ? onlyHere(bound) : true
}

/** The resolver without the addresses that cannot be reached; a name that has no others is refused. */
export function guardedResolver(resolver: SipResolver, reach: Reach): SipResolver {
  function open<Found>(name: string, found: readonly Found[], addressOf: (one: Found) => string): Found[] {
    const left = found.filter(one => mayReach(addressOf(one), reach) === true)
    const [first] = found.map(addressOf)
    if (left.length > 0 || first === undefined) return left
    throw transportError('unsupported', `${name} is ${first}: ${mayReach(first, reach)}`)
  }
  const { lookup } = resolver
  return {
    resolveNaptr: name => resolver.resolveNaptr(name),
    resolveSrv: name => resolver.resolveSrv(name),
    resolve4: async name => open(name, await resolver.resolve4(name), address => address),
    resolve6: async name => open(name, await resolver.resolve6(name), address => address),
    ...(lookup === undefined
      ? {}
      : {
          lookup: async (name: string, options: { all: true }) =>
            open(name, await lookup(name, options), ({ address }) => address),
        }),
  }
}
