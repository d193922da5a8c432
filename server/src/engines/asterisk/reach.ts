// Whether the sound of an Asterisk would arrive: its channels send it to our RTP ports, which nobody elsewhere reaches while they are
// bound to loopback.
import { lookup } from 'node:dns/promises'
import { onlyHere } from '../../config/voice_addresses.ts'
import { isLoopback } from '../../kernel/values/loopback.ts'

/** Why not; null where it would, or where nobody knows. `bound`: the address of our RTP ports. */
export async function whySilent(url: string, bound: string): Promise<string | null> {
  if (!isLoopback(bound)) return null
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  // An address is answered as it is. Names that lead nowhere are reported where the connection is made.
  const found = await lookup(host, { all: true }).catch(() => [])
  if (found.length === 0 || found.some(({ address }) => isLoopback(address))) return null
  return `The Asterisk is on another machine, and no sound would arrive from there: ${onlyHere(bound)}.`
}
