// The vault: credentials in this page's memory and nowhere else. A pasted key or token, the tokens of an authorization and the
// short-lived tokens minted for one's own keys are forgotten after half an hour without use, on logout, and with the page.
import { NotAuthorized, type OAuthTokens } from './oauth.ts'
import type { CredentialRef } from './request.ts'

export type Minted = { token: string; expiresAtMs: number }

export type Sources = {
  /** A token that acts as the key. */
  mint(keyId: string): Promise<Minted>
  /** The access token of the login. */
  login(): Promise<string>
  /** The next tokens of an authorization. @throws NotAuthorized when it has ended */
  refresh(tokens: OAuthTokens): Promise<OAuthTokens>
  /** Ends an authorization that is forgotten here. */
  revoke(tokens: OAuthTokens): Promise<void>
  now(): number
}

export type Vault = {
  /** The credential to send with, minted or renewed if need be; undefined when the reference is to none. */
  resolve(ref: CredentialRef): Promise<string | undefined>
  /** The credential if it is at hand, for previews; never asks anybody. */
  peek(ref: CredentialRef): string | undefined
  paste(text: string): void
  /** Takes what an authorization has brought; one that was held before is ended. */
  authorize(tokens: OAuthTokens): void
  /** What the authorization at hand allows; undefined when there is none. */
  scopes(): readonly string[] | undefined
  forget(): void
  /** Forgets what was not used for so long. */
  expire(idleMs: number): void
  /** Every secret that is held, for the scanner that keeps them out of storage. */
  secrets(): string[]
  /** Hears of every change; gives the way to stop. */
  subscribe(listener: () => void): () => void
  /** A number that changes with every change. */
  version(): number
}

export const IDLE_MS = 30 * 60_000
/** A minted token is renewed when it has less than this left. */
const RENEW_BEFORE_MS = 60_000

export function createVault(sources: Sources): Vault {
  let pasted: string | undefined
  let login: string | undefined
  let oauth: OAuthTokens | undefined
  let refreshing: Promise<OAuthTokens> | undefined
  let usedAtMs = sources.now()
  let version = 0
  const minted = new Map<string, Minted>()
  const minting = new Map<string, Promise<Minted>>()
  const listeners = new Set<() => void>()
  // Kept for the scanner after they were forgotten: an answer on the screen may still show one.
  const seen = new Set<string>()

  const change = () => {
    version++
    for (const listener of listeners) listener()
  }
  const forget = () => {
    pasted = undefined
    login = undefined
    if (oauth !== undefined) void sources.revoke(oauth)
    oauth = undefined
    minted.clear()
    minting.clear()
    change()
  }
  const expire = (idleMs: number) => {
    const holds = pasted !== undefined || login !== undefined || oauth !== undefined || minted.size > 0
    if (holds && sources.now() - usedAtMs > idleMs) forget()
  }
  const touch = () => {
    expire(IDLE_MS)
    usedAtMs = sources.now()
  }
  const remember = (secret: string) => {
    seen.add(secret)
    return secret
  }

  async function tokenOfKey(keyId: string): Promise<string> {
    const held = minted.get(keyId)
    if (held !== undefined && held.expiresAtMs - sources.now() > RENEW_BEFORE_MS) return held.token
    let asked = minting.get(keyId)
    if (asked === undefined) {
      asked = sources.mint(keyId).finally(() => minting.delete(keyId))
      minting.set(keyId, asked)
    }
    const fresh = await asked
    minted.set(keyId, fresh)
    remember(fresh.token)
    change()
    return fresh.token
  }

  const hold = (tokens: OAuthTokens) => {
    oauth = tokens
    remember(tokens.access)
    remember(tokens.refresh)
    change()
  }

  /** The access token, renewed once for all who ask at the same time. */
  async function tokenOfAuthorization(): Promise<string | undefined> {
    const before = oauth
    if (before === undefined || before.expiresAtMs - sources.now() > RENEW_BEFORE_MS) return before?.access
    refreshing ??= sources.refresh(before).finally(() => {
      refreshing = undefined
    })
    try {
      const next = await refreshing
      // Forgotten or replaced meanwhile: then these tokens are of nobody.
      if (oauth === before) hold(next)
    } catch (error) {
      if (error instanceof NotAuthorized && oauth === before) {
        oauth = undefined
        change()
        throw new NotAuthorized('The authorization has ended. Get a new token.')
      }
      throw error
    }
    return oauth?.access
  }

  return {
    async resolve(ref) {
      touch()
      if (ref.kind === 'pasted') return pasted
      if (ref.kind === 'key') return tokenOfKey(ref.keyId)
      if (ref.kind === 'oauth') return tokenOfAuthorization()
      if (ref.kind === 'none') return undefined
      login = remember(await sources.login())
      change()
      return login
    },
    peek(ref) {
      if (sources.now() - usedAtMs > IDLE_MS) return undefined
      if (ref.kind === 'pasted') return pasted
      if (ref.kind === 'login') return login
      if (ref.kind === 'oauth') return oauth?.access
      return ref.kind === 'key' ? minted.get(ref.keyId)?.token : undefined
    },
    paste(text) {
      touch()
      const clean = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '')
      pasted = clean === '' ? undefined : remember(clean)
      change()
    },
    authorize(tokens) {
      touch()
      if (oauth !== undefined) void sources.revoke(oauth)
      hold(tokens)
    },
    scopes: () => oauth?.scopes,
    forget,
    expire,
    secrets: () => [...seen],
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
  }
}

/** What a pasted text is, known by its form. */
export function kindOfCredential(text: string): 'live key' | 'test key' | 'refresh token' | 'access token' | 'unknown' {
  if (text.startsWith('tdm_live_')) return 'live key'
  if (text.startsWith('tdm_test_')) return 'test key'
  if (text.startsWith('tdm_rt_')) return 'refresh token'
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text) ? 'access token' : 'unknown'
}

/** `tdm_test_…a1b2`: enough to distinguish two, too little to use. */
export function maskCredential(text: string): string {
  const head = /^(tdm_[a-z]+_|eyJ)/.exec(text)?.[0] ?? ''
  return text.length < head.length + 12 ? '••••••••' : `${head}…${text.slice(-4)}`
}
