// What the DNS says at the name of a domain's row.
import { Resolver } from 'node:dns/promises'
import type { Looked } from './rules.ts'

/** The name is not there, or has no row of the kind (RFC 2308 §2): an answer. */
const answered = new Set(['ENOTFOUND', 'ENODATA'])

/** @param nameServers `address:port` to ask instead of those of the system */
export async function lookUpText(name: string, nameServers?: readonly string[]): Promise<Looked> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers !== undefined) resolver.setServers([...nameServers])
  try {
    return (await resolver.resolveTxt(name)).map(parts => parts.join(''))
  } catch (error) {
    return answered.has((error as { code?: string }).code ?? '') ? [] : undefined
  }
}
