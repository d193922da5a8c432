// Whether a mail is from whom it says: DMARC (RFC 7489) over SPF and DKIM, looked up here, or what a server that is trusted wrote into the
// head (RFC 8601). What cannot be found out in time is not known, which is not the same as false.
import { Resolver } from 'node:dns/promises'
import type { ReadMail } from './read_mime.ts'
import type { SenderCheck } from './rules.ts'

export type AuthResults = {
  /** Who found out: a server that is trusted, or this one. */
  by: string | null
  dmarc: string | null
  spf: string | null
  dkim: readonly string[]
}

export type Checked = { check: SenderCheck; auth: AuthResults }

export type CheckOptions = {
  /** Who brought it, where it came over SMTP: without that SPF says nothing. */
  remote?: { ip: string; helo: string; envelopeFrom: string }
  /** The authserv-id of a server whose Authentication-Results are believed. */
  authservId?: string | null
  /** `address:port` instead of the name servers of the system. */
  nameServers?: readonly string[] | undefined
}

const waitMs = 6_000
const unknown: Checked = { check: 'unknown', auth: { by: null, dmarc: null, spf: null, dkim: [] } }

export async function checkSender(
  raw: Uint8Array,
  { from, hasOneSender, authResults }: Pick<ReadMail, 'from' | 'hasOneSender' | 'authResults'>,
  options: CheckOptions,
): Promise<Checked> {
  if (from === null) return unknown
  // What is shown and what was proved could be two.
  if (!hasOneSender) return { ...unknown, check: 'unverified' }
  if (options.authservId != null) return upstream(authResults, options.authservId)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Checked>(resolve => {
    timer = setTimeout(resolve, waitMs, unknown)
  })
  try {
    return await Promise.race([own(raw, options), late])
  } catch {
    return unknown
  } finally {
    clearTimeout(timer)
  }
}

const checkOf = (dmarc: string | null): SenderCheck =>
  dmarc === 'pass' ? 'verified' : dmarc === 'fail' ? 'unverified' : 'unknown'

async function own(raw: Uint8Array, { remote, nameServers }: CheckOptions): Promise<Checked> {
  const { authenticate } = await import('mailauth')
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (nameServers !== undefined) resolver.setServers([...nameServers])
  const found = (await authenticate(Buffer.from(raw), {
    ...(remote !== undefined && { ip: remote.ip, helo: remote.helo, sender: remote.envelopeFrom }),
    mta: 'localhost',
    disableArc: true,
    disableBimi: true,
    resolver: (name: string, type: string) => resolver.resolve(name, type as 'TXT') as never,
  } as never)) as Found
  const dmarc = found.dmarc === false ? null : (found.dmarc?.status?.result ?? null)
  const auth = {
    by: 'this server',
    dmarc,
    spf: found.spf === false ? null : (found.spf?.status?.result ?? null),
    dkim: (found.dkim?.results ?? [])
      .slice(0, 10)
      .map(one => `${one.status?.result ?? 'none'} ${one.signingDomain ?? ''}`.trim()),
  }
  return { check: checkOf(dmarc), auth }
}

type Result = { status?: { result?: string } }
type Found = {
  dmarc?: Result | false
  spf?: Result | false
  dkim?: { results?: (Result & { signingDomain?: string })[] }
}

/** The topmost of that server: anyone may have written those below. */
function upstream(headers: readonly string[], authservId: string): Checked {
  const is = (header: string) => /^\s*([^\s;]+)/.exec(header)?.[1]?.toLowerCase() === authservId.toLowerCase()
  const header = headers.find(is)
  if (header === undefined) return unknown
  const resultsOf = (method: string) =>
    [...withoutComments(header).matchAll(new RegExp(`;\\s*${method}\\s*=\\s*([a-z]+)`, 'gi'))].map(([, said]) =>
      said!.toLowerCase(),
    )
  const dmarc = resultsOf('dmarc')[0] ?? null
  return {
    check: checkOf(dmarc),
    auth: { by: authservId, dmarc, spf: resultsOf('spf')[0] ?? null, dkim: resultsOf('dkim') },
  }
}

const withoutComments = (text: string) => text.replaceAll(/\([^()]*\)/g, '')
