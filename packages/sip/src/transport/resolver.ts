// The DNS as `locate` asks it: answers are remembered for a short while, equal questions asked once, and when the DNS falls
// silent the last answer serves on, so that calls go through while it is away.
import { promises } from 'node:dns'
import type { SipResolver } from './locate.ts'
import { systemCode } from './types.ts'

export type CachedResolverOptions = {
  /** In milliseconds, of any origin. */
  now(): number
  /** How long an answer is taken as it is; default 30 s. */
  freshMs?: number
  /** And an answer that there is nothing; default 5 s. */
  absentMs?: number
  /** How long an answer serves when no newer one can be had; default 10 minutes. */
  staleMs?: number
  /** Names remembered; default 2,000. */
  maxEntries?: number
}

type Entry = { atMs: number; value: unknown; error: unknown }

/** A resolver in front of another one. A question that failed, neither yes nor no, is asked again the next time. */
export function createCachedResolver(resolver: SipResolver, options: CachedResolverOptions): SipResolver {
  const { now, freshMs = 30_000, absentMs = 5_000, staleMs = 600_000, maxEntries = 2_000 } = options
  const entries = new Map<string, Entry>()
  const running = new Map<string, Promise<unknown>>()

  function remember(key: string, value: unknown, error: unknown): void {
    entries.delete(key)
    entries.set(key, { atMs: now(), value, error })
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!)
  }

  async function ask<T>(key: string, question: () => Promise<T>): Promise<T> {
    try {
      const value = await question()
      remember(key, value, undefined)
      return value
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOTFOUND' || code === 'ENODATA') {
        remember(key, undefined, error)
        throw error
      }
      const last = entries.get(key)
      if (last === undefined || now() - last.atMs >= staleMs) throw error
      if (last.error !== undefined) throw last.error
      return last.value as T
    } finally {
      running.delete(key)
    }
  }

  function cached<T>(kind: string, name: string, question: () => Promise<T>): Promise<T> {
    const key = `${kind} ${name.toLowerCase()}`
    const entry = entries.get(key)
    if (entry !== undefined && now() - entry.atMs < (entry.error === undefined ? freshMs : absentMs)) {
      return entry.error === undefined ? Promise.resolve(entry.value as T) : Promise.reject(entry.error)
    }
    const other = running.get(key)
    if (other !== undefined) return other as Promise<T>
    const answer = ask(key, question)
    running.set(key, answer)
    return answer
  }

  const { lookup } = resolver
  const plain: SipResolver = {
    resolveNaptr: name => cached('NAPTR', name, () => resolver.resolveNaptr(name)),
    resolveSrv: name => cached('SRV', name, () => resolver.resolveSrv(name)),
    resolve4: name => cached('A', name, () => resolver.resolve4(name)),
    resolve6: name => cached('AAAA', name, () => resolver.resolve6(name)),
  }
  if (lookup === undefined) return plain
  return { ...plain, lookup: (name, all) => cached('hosts', name, () => lookup.call(resolver, name, all)) }
}

export type SystemResolverOptions = {
  /** As `192.0.2.53` or `192.0.2.53:5353`; left out: those of the machine. */
  servers?: readonly string[]
  /** Of one question to one server; default 2 s. */
  timeoutMs?: number
  /** Default 2. */
  tries?: number
}

/** The machine's resolver. Node's own waits are made for patience; a call cannot wait 20 s for the second server of a list. */
export function createSystemResolver({
  servers,
  timeoutMs = 2_000,
  tries = 2,
}: SystemResolverOptions = {}): SipResolver {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries })
  if (servers !== undefined) resolver.setServers([...servers])
  return {
    resolveNaptr: name => resolver.resolveNaptr(name),
    resolveSrv: name => resolver.resolveSrv(name),
    resolve4: name => resolver.resolve4(name),
    resolve6: name => resolver.resolve6(name),
    lookup: (name, options) => promises.lookup(name, options),
  }
}
