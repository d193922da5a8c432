// What a browser keeps of a login on its way to the provider and back, in a cookie that only this server can read and that goes to the
// addresses of one connection only: who did not begin it cannot end it. And the ticket that the login page opens sessions with.

import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal, sealMark } from '../../../kernel/values/seal.ts'
import type { Checks } from './provider.ts'

export const attemptSeconds = 600
export const ticketSeconds = 120
const testSeconds = 600

export type Attempt = Checks & {
  connectionId: string
  until: number
  /** Who runs it as a test. */
  testedBy: number | null
  /** Where the person wanted to go in the portal. */
  next: string | null
}

/** Who somebody is, by the provider, until sessions are opened. */
export type Ticket = {
  organizationId: number
  userId: number
  accountId: number
  isStrong: boolean
  authAtMs: number | null
  nonce: string
  until: number
}

/** That somebody may run a test of a connection that nobody else can use yet. */
export type TestPass = { connectionId: string; userId: number; nonce: string; until: number }

function keeper<Kept extends { until: number }>(purpose: string, seconds: number) {
  return {
    close(keyring: Keyring, kept: Omit<Kept, 'until'>, nowMs: number): string {
      const text = JSON.stringify({ ...kept, until: nowMs + seconds * 1_000 })
      return createSeal(keyring, purpose).close(purpose, text).slice(sealMark.length)
    },
    /** Undefined for what is none of ours, or over. */
    open(keyring: Keyring, sealed: string | undefined, nowMs: number): Kept | undefined {
      if (sealed === undefined || sealed === '') return undefined
      try {
        const kept = JSON.parse(createSeal(keyring, purpose).open(purpose, sealMark + sealed)) as Kept
        return kept.until > nowMs ? kept : undefined
      } catch {
        return undefined
      }
    },
  }
}

export const attempts = keeper<Attempt>('sso attempt', attemptSeconds)
export const tickets = keeper<Ticket>('sso ticket', ticketSeconds)
export const testPasses = keeper<TestPass>('sso test', testSeconds)

/** A page of the portal, and nothing else: a path that no browser takes for another place. */
export function safePath(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 500 || !/^\/(?![/\\])[\x21-\x5B\x5D-\x7E]*$/.test(text)) return null
  const url = URL.parse(text, 'http://own.invalid')
  return url?.origin === 'http://own.invalid' && url.pathname.startsWith('/') && !url.pathname.startsWith('//')
    ? text
    : null
}
