// Whether the sound of an Asterisk would arrive: its channels send it to our RTP ports, which nobody elsewhere reaches while they are
// bound to loopback.
import { lookup } from 'node:dns/promises'
import { isLoopback, onlyHere } from '../../kernel/voice_addresses.ts'

/** Why not; null where it would, or where nobody knows. `bound`: the address of our RTP ports. */
export async function whySilent(url: string, bound: string): Promise<string | null> {
  if (!isLoopback(bound)) return null
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  // An address is answered as it is. Names that lead nowhere are told where the connection is made.
  const found = await lookup(host, { all: true }).catch(() => [])
  if (found.length === 0 || found.some(({ address }) => isLoopback(address))) return null
  return `The Asterisk is on another machine, and no sound would arrive from there: ${onlyHere(bound)}.`
}
