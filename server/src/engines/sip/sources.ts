// Where calls of a trunk come in from: its settings, or what its host and proxy lead to.
import type { SipAgent } from '@tandem/sip'
import type { SipTrunk } from '../trunks/line.ts'
import { requestTarget } from './addresses.ts'

/** How long what a name led to is taken for the address of a carrier. */
const resolvedMs = 60_000

/** By trunk as it was set up: with other settings it is another one. */
const resolved = new WeakMap<SipTrunk, { addresses: readonly string[]; untilMs: number }>()

export async function sourcesOf(trunk: SipTrunk, agent: SipAgent): Promise<readonly string[]> {
  const { settings } = trunk
  if (settings.sourceAddresses.length > 0) return settings.sourceAddresses
  const known = resolved.get(trunk)
  if (known !== undefined && performance.now() < known.untilMs) return known.addresses
  const addresses = await agent.addressesOf(requestTarget(settings)).catch(() => known?.addresses ?? [])
  resolved.set(trunk, { addresses, untilMs: performance.now() + resolvedMs })
  return addresses
}
