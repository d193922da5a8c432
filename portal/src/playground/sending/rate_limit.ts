// Where a client stands with its limit, read from the headers of an answer
// (draft-ietf-httpapi-ratelimit-headers-10 §3-4; Retry-After: RFC 9110 §10.2.3).

import { retryAfterSeconds } from '@tandem/sdk'

export type RateLimit = {
  /** `key`, `keys` (all of a user), `user`, `session` or `ip`. */
  policy: string
  /** Requests allowed in one window; undefined when the policy was not sent. */
  quota: number | undefined
  windowSeconds: number | undefined
  remaining: number
  /** Seconds until all is free again. */
  resetSeconds: number
}

type HeaderList = readonly (readonly [name: string, value: string])[]

export function headerOf(headers: HeaderList, name: string): string | undefined {
  const lower = name.toLowerCase()
  return headers.find(([each]) => each.toLowerCase() === lower)?.[1]
}

/** The limit an answer reports; undefined when it reports none. */
export function readRateLimit(headers: HeaderList): RateLimit | undefined {
  const state = readItem(headerOf(headers, 'RateLimit'))
  const remaining = state?.numbers.get('r')
  if (state === undefined || remaining === undefined) return undefined
  const policy = readItem(headerOf(headers, 'RateLimit-Policy'))
  return {
    policy: state.name,
    quota: policy?.name === state.name ? policy.numbers.get('q') : undefined,
    windowSeconds: policy?.numbers.get('w'),
    remaining,
    resetSeconds: state.numbers.get('t') ?? 0,
  }
}

/** One item of a structured field (RFC 9651 §3.3): `"key";r=871;t=24`. Of a list only the first. */
function readItem(text: string | undefined): { name: string; numbers: Map<string, number> } | undefined {
  const match = /^\s*"([^"]*)"((?:\s*;\s*[a-z*][\w.*-]*=[^;,]*)*)/.exec(text ?? '')
  if (match === null) return undefined
  const pairs = match[2]!.matchAll(/;\s*([a-z*][\w.*-]*)=\s*(\d+)/g)
  return { name: match[1]!, numbers: new Map(Array.from(pairs, pair => [pair[1]!, Number(pair[2])])) }
}

/** Seconds to wait, from a number or a date; undefined when the header is missing or unreadable. */
export function readRetryAfter(headers: HeaderList, nowMs: number): number | undefined {
  return retryAfterSeconds(headerOf(headers, 'Retry-After') ?? null, nowMs)
}
