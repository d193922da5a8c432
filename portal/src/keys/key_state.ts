// What a key row says about its key, worked out of its times.
import type { ApiKey } from '@tandem/sdk'
import { t } from './texts.ts'

export type KeyState = 'active' | 'ending' | 'revoked' | 'expired'

/** active; ending (rotated, still works for a while); revoked; expired. */
export function stateOfKey(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): KeyState {
  if (key.revokedAt !== null) return Date.parse(key.revokedAt) > nowMs ? 'ending' : 'revoked'
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active'
}

/** As keys are distinguished: the beginning and the last four characters. */
export function maskedKey(key: Pick<ApiKey, 'mode' | 'lastFour'>): string {
  return `tdm_${key.mode}_…${key.lastFour}`
}

const unusedMs = 30 * 86_400_000

/** A key that works and that nothing has used for 30 days, or ever since it is as old. */
export function isForgotten(key: ApiKey, nowMs: number): boolean {
  return stateOfKey(key, nowMs) === 'active' && nowMs - Date.parse(key.lastUsedAt ?? key.createdAt) > unusedMs
}

/** Scopes by the noun they are about, in the order given: leads → create, read. */
export function byNoun(scopes: readonly string[]): [noun: string, verbs: string[]][] {
  const groups = new Map<string, string[]>()
  for (const scope of scopes) {
    const [noun = '', verb = ''] = scope.split(':')
    groups.set(noun, [...(groups.get(noun) ?? []), verb])
  }
  return [...groups]
}

/** "leads: create, read; messages: send", or what null means. */
export function scopesText(scopes: readonly string[] | null): string {
  if (scopes === null) return t('allOfRole')
  return byNoun(scopes)
    .map(([noun, verbs]) => `${noun}: ${verbs.join(', ')}`)
    .join('; ')
}

/** Whether a cached answer is about keys, of either mode: they are listed together. */
export function isOfKeys({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[1] === 'keys'
}

/** What keys are often for: `preset.<key>` is its name. */
export const presets = [
  { key: 'website', scopes: ['leads:create'] },
  { key: 'messages', scopes: ['messages:send', 'messages:read', 'calls:create', 'calls:read'] },
  { key: 'billing', scopes: ['invoices:read', 'invoices:create', 'invoices:send', 'payments:create'] },
] as const
