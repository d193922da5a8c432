// What the DNS has of the rows of a domain.
import { Resolver } from 'node:dns/promises'
import { type DnsRow, type Found, isThere } from './rules.ts'

/** @param nameServers `address:port` to ask instead of those of the system */
export async function lookUpRows(rows: readonly DnsRow[], nameServers?: readonly string[]): Promise<Found> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers !== undefined) resolver.setServers([...nameServers])
  const answersOf = async ({ type, name }: DnsRow) => {
    if (type === 'TXT') return (await resolver.resolveTxt(name)).map(parts => parts.join(''))
    return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`)
  }
  const looked = await Promise.all(
    rows.map(async row => {
      const answers = await answersOf(row).catch((): string[] => [])
      const found = answers.slice(0, 10).map(text => text.slice(0, 1_000))
      return [row.purpose, { isThere: isThere(row, found), found }] as const
    }),
  )
  return Object.fromEntries(looked)
}
