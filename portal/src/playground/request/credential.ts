// The vault: credentials in this page's memory and nowhere else. A pasted key or token, the tokens of an authorization and the
// short-lived tokens minted for one's own keys are forgotten after half an hour without use, on logout, and with the page.

import { t } from '../texts.ts'
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
  let usedAtMs = sources.now()
  let version = 0
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
    authorization.end()
    minted.clear()
    change()
  }
  const expire = (idleMs: number) => {
    const holds = pasted !== undefined || login !== undefined || authorization.held() !== undefined || minted.size() > 0
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
  const minted = holdMinted(sources, ({ token }) => {
    remember(token)
    change()
  })
  const authorization = holdAuthorization(sources, tokens => {
    for (const secret of tokens === undefined ? [] : [tokens.access, tokens.refresh]) remember(secret)
    change()
  })

  return {
    async resolve(ref) {
      touch()
      if (ref.kind === 'pasted') return pasted
      if (ref.kind === 'key') return minted.token(ref.keyId)
      if (ref.kind === 'oauth') return authorization.token()
      if (ref.kind === 'none') return undefined
      login = remember(await sources.login())
      change()
      return login
    },
    peek(ref) {
      if (sources.now() - usedAtMs > IDLE_MS) return undefined
      if (ref.kind === 'pasted') return pasted
      if (ref.kind === 'login') return login
      if (ref.kind === 'oauth') return authorization.held()?.access
      return ref.kind === 'key' ? minted.peek(ref.keyId) : undefined
    },
    paste(text) {
      touch()
      const clean = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '')
      pasted = clean === '' ? undefined : remember(clean)
      change()
    },
    authorize(tokens) {
      touch()
      authorization.end()
      authorization.hold(tokens)
    },
    scopes: () => authorization.held()?.scopes,
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

/** The short-lived tokens of one's own keys. @param onChange hears of each that was made */
function holdMinted({ now, mint }: Sources, onChange: (minted: Minted) => void) {
  const minted = new Map<string, Minted>()
  const minting = new Map<string, Promise<Minted>>()
  return {
    size: () => minted.size,
    peek: (keyId: string) => minted.get(keyId)?.token,
    clear() {
      minted.clear()
      minting.clear()
    },
    async token(keyId: string): Promise<string> {
      const held = minted.get(keyId)
      if (held !== undefined && held.expiresAtMs - now() > RENEW_BEFORE_MS) return held.token
      let asked = minting.get(keyId)
      if (asked === undefined) {
        asked = mint(keyId).finally(() => minting.delete(keyId))
        minting.set(keyId, asked)
      }
      const fresh = await asked
      minted.set(keyId, fresh)
      onChange(fresh)
      return fresh.token
    },
  }
}

/** The tokens of one authorization. @param onChange hears of tokens that are held from now on; undefined when there are none any more */
function holdAuthorization({ now, refresh, revoke }: Sources, onChange: (tokens: OAuthTokens | undefined) => void) {
  let held: OAuthTokens | undefined
  let refreshing: Promise<OAuthTokens> | undefined
  const hold = (tokens: OAuthTokens | undefined) => {
    held = tokens
    onChange(tokens)
  }
  return {
    hold,
    held: () => held,
    /** Ends it at the server and here, where there is one; who calls reports the change. */
    end() {
      if (held !== undefined) void revoke(held)
      held = undefined
    },
    /** The access token, renewed once for all who ask at the same time. */
    async token(): Promise<string | undefined> {
      const before = held
      if (before === undefined || before.expiresAtMs - now() > RENEW_BEFORE_MS) return before?.access
      refreshing ??= refresh(before).finally(() => {
        refreshing = undefined
      })
      try {
        const next = await refreshing
        // Forgotten or replaced meanwhile: then these tokens are of nobody.
        if (held === before) hold(next)
      } catch (error) {
        if (!(error instanceof NotAuthorized) || held !== before) throw error
        hold(undefined)
        throw new NotAuthorized(t('authorizationEnded'))
      }
      return held?.access
    },
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
