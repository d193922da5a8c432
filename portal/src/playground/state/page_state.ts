// What the Playground keeps while the page lives, also when one looks at another screen in between: the vault, which
// credential is chosen, what was confirmed, the last answer. Nothing of it is stored.
import { useSyncExternalStore } from 'react'
import { apiOf } from '../../session/api.ts'
import { accessToken, type Mode, sessionState } from '../../session/session.ts'
import type { OpenRequest } from '../collections/content.ts'
import { unparkDraft } from '../kept/drafts.ts'
import { openStore, type Store } from '../kept/store.ts'
import { createVault, IDLE_MS, type Vault } from '../request/credential.ts'
import { refresh, revoke } from '../request/oauth.ts'
import type { CredentialRef } from '../request/request.ts'
import type { SentResult } from './use_sender.ts'

/** Of the request that was opened with this number; without the file itself where it was another's, until that is said. */
export type KeptFile = { opened: number; place: string; name: string; file?: File; isSaid: boolean }

export type PageState = {
  userId: number
  vaults: Record<Mode, Vault>
  credentials: Partial<Record<Mode, CredentialRef>>
  confirmed: Set<string>
  results: { [mode in Mode]?: SentResult | undefined }
  store: Promise<Store>
  /** Undo steps of the body editors, by mode, method and path. */
  editors: Map<string, unknown>
  /** The file chosen to be sent. */
  files: { [mode in Mode]?: KeptFile | undefined }
  /** The request of a collection that is on the screen, or was last. */
  opened: { [mode in Mode]?: OpenRequest | undefined }
  /** Of secret variables, by environment and name. */
  secretValues: Map<string, string>
  secretsUsedAtMs: number
  /** Every secret that the page holds, by mode. */
  secrets: Record<Mode, () => string[]>
}

let state: PageState | undefined

function vaultOf(mode: Mode): Vault {
  return createVault({
    now: () => Date.now(),
    login: () => accessToken(mode),
    refresh,
    revoke,
    async mint(keyId) {
      const { token, expiresAt } = await apiOf(mode).apiKeys.createToken({ keyId })
      return { token, expiresAtMs: Date.parse(expiresAt) }
    },
  })
}

/** The state of the user who is logged in; another user finds nothing of the one before. */
export function pageState(userId: number): PageState {
  if (state?.userId === userId) return state
  forgetAll()
  const vaults = { live: vaultOf('live'), test: vaultOf('test') }
  const secretValues = new Map<string, string>()
  const secretsOf = (mode: Mode) => () => [...vaults[mode].secrets(), ...secretValues.values()]
  state = {
    userId,
    vaults,
    opened: {},
    files: {},
    secretValues,
    secretsUsedAtMs: Date.now(),
    secrets: { live: secretsOf('live'), test: secretsOf('test') },
    credentials: {},
    confirmed: new Set(),
    results: {},
    store: readyStore(String(userId)),
    editors: new Map(),
  }
  return state
}

async function readyStore(userId: string): Promise<Store> {
  const store = await openStore(userId)
  await unparkDraft(localStorage, store, userId, Date.now()).catch(() => undefined)
  return store
}

function forgetAll(): void {
  state?.vaults.live.forget()
  state?.vaults.test.forget()
  state?.secretValues.clear()
  state = undefined
}

/** Forgets everything when nobody is logged in any more. */
export function forgetWhenOut(): void {
  if (sessionState().status === 'out') forgetAll()
}

// Logged out elsewhere, or left alone for half an hour: nothing may be left to find.
setInterval(() => {
  forgetWhenOut()
  if (state === undefined) return
  for (const vault of Object.values(state.vaults)) vault.expire(IDLE_MS)
  if (Date.now() - state.secretsUsedAtMs > IDLE_MS) state.secretValues.clear()
}, 5_000)

/** Renders again whenever the vault changes. */
export function useVault(vault: Vault): number {
  return useSyncExternalStore(vault.subscribe, vault.version)
}
