// Names of customers lead only where this server may go.
import type { SipResolver } from '@tandem/sip'
import { type Cidr, forbiddenAddress } from '../../kernel/egress.ts'

/** The resolver without the addresses that are forbidden and not among `allow`. */
export function guardedResolver(resolver: SipResolver, allow: readonly Cidr[]): SipResolver {
  const open = (addresses: readonly string[]) => addresses.filter(address => !forbiddenAddress(address, allow))
  const { lookup } = resolver
  return {
    resolveNaptr: name => resolver.resolveNaptr(name),
    resolveSrv: name => resolver.resolveSrv(name),
    resolve4: async name => open(await resolver.resolve4(name)),
    resolve6: async name => open(await resolver.resolve6(name)),
    ...(lookup === undefined
      ? {}
      : {
          lookup: async (name: string, options: { all: true }) =>
            (await lookup(name, options)).filter(({ address }) => !forbiddenAddress(address, allow)),
        }),
  }
}
