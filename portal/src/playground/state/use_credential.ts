// The credential of the Playground: which is chosen, the token at hand, what it may do, and in which mode it acts.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../session/api.ts'
import { type Mode, useSession } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { isFields } from '../kept/records.ts'
import { kindOfCredential } from '../request/credential.ts'
import { authorize } from '../request/oauth.ts'
import type { CredentialRef } from '../request/request.ts'
import type { CredentialFacts } from '../sending/explain.ts'
import { t } from '../texts.ts'
import { pageState, useVault } from './page_state.ts'

export type OwnKey = { keyId: string; name: string; lastFour: string; scopes: readonly string[] | null }

export type Credential = {
  ref: CredentialRef
  choose(ref: CredentialRef): void
  keys: readonly OwnKey[]
  /** At hand, for previews. */
  token: string | undefined
  /** A token good to send with; minted or renewed if need be. */
  resolve(): Promise<string | undefined>
  facts: CredentialFacts | undefined
  /** Live when a live key was pasted in test mode, and the other way round. */
  actingMode: Mode
  /** Why no token could be had. */
  error: string | undefined
  paste(text: string): void
  /** Asks the person for these scopes and takes the token; another wait ends. @throws when they say no */
  authorize(scopes: readonly string[], signal: AbortSignal): Promise<void>
  /** What the authorization at hand allows. */
  scopes: readonly string[] | undefined
  forget(): void
  secrets(): string[]
}

/** What the server said of a pasted credential. */
type Checked = { token: string; permissions?: ReadonlySet<string>; mode?: Mode; who?: string; error?: string }

export function useCredential(): Credential {
  const { mode, user, permissions } = useSession()
  const api = useApi()
  const page = pageState(user.id)
  const vault = page.vaults[mode]
  useVault(vault)
  const [ref, setRef] = useState<CredentialRef>(page.credentials[mode] ?? { kind: 'login' })
  const [error, setError] = useState<string>()
  const token = vault.peek(ref)
  const checked = useChecked(ref.kind === 'pasted' || ref.kind === 'oauth' ? token : undefined)

  const { data: keys = [] } = useQuery({
    queryKey: [mode, 'apiKeys', 'own', user.id],
    enabled: permissions.has('keys:read') && permissions.has('keys:manage'),
    queryFn: async ({ signal }) => {
      const page = await api.apiKeys.list({ mode, active: true, limit: 100 }, { signal })
      return page.items.filter(key => key.userId === user.id) as OwnKey[]
    },
  })

  const id = ref.kind === 'key' ? ref.keyId : ref.kind
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice asks for its token
  useEffect(() => {
    let gone = false
    setError(undefined)
    vault.resolve(ref).catch(reason => {
      if (!gone) setError(reason instanceof Error ? faultText(reason) : t('noToken'))
    })
    return () => {
      gone = true
    }
  }, [vault, id])

  const choose = (next: CredentialRef) => {
    page.credentials[mode] = next
    setRef(next)
  }
  return {
    ref,
    choose,
    keys,
    token,
    resolve: () => vault.resolve(ref),
    facts: factsOf(ref, { keys, held: permissions, role: user.role, checked, token, scopes: vault.scopes() }),
    actingMode: actingMode(ref, mode, checked, token),
    error: error ?? checked?.error,
    paste(text) {
      vault.paste(text)
      choose({ kind: 'pasted' })
    },
    async authorize(scopes, signal) {
      vault.authorize(await authorize(scopes, signal))
      setError(undefined)
      choose({ kind: 'oauth' })
    },
    scopes: vault.scopes(),
    forget: () => vault.forget(),
    secrets: page.secrets[mode],
  }
}

function factsOf(
  ref: CredentialRef,
  known: {
    keys: readonly OwnKey[]
    held: ReadonlySet<string> | undefined
    role: string
    checked: Checked | undefined
    token: string | undefined
    scopes: readonly string[] | undefined
  },
): CredentialFacts | undefined {
  const { keys, held, role, checked, token, scopes } = known
  if (ref.kind === 'none') return undefined
  if (ref.kind === 'login') return { label: t('who.login', { role }), permissions: held }
  if (ref.kind === 'oauth') {
    if (scopes === undefined) return undefined
    return { label: t('who.oauth'), permissions: new Set(scopes.filter(scope => held?.has(scope))) }
  }
  if (ref.kind === 'pasted') {
    if (token === undefined) return undefined
    const kind = kindOfCredential(token)
    return { label: t(`who.${kind}`), permissions: checked?.permissions }
  }
  const key = keys.find(each => each.keyId === ref.keyId)
  const label = t('who.key', { name: key?.name ?? ref.keyId })
  if (key === undefined || held === undefined) return { label, permissions: undefined }
  return { label, permissions: key.scopes === null ? held : new Set(key.scopes.filter(scope => held.has(scope))) }
}

/** Until the server has said whose a token is, it counts as the more careful one. */
function actingMode(ref: CredentialRef, mode: Mode, checked: Checked | undefined, token: string | undefined): Mode {
  if (ref.kind === 'oauth' && token !== undefined) return checked?.mode ?? 'live'
  if (ref.kind !== 'pasted' || token === undefined) return mode
  const kind = kindOfCredential(token)
  if (kind === 'live key') return 'live'
  if (kind === 'test key') return 'test'
  return checked?.mode ?? 'live'
}

/** Asks the server once who a pasted credential is. */
function useChecked(token: string | undefined): Checked | undefined {
  const [checked, setChecked] = useState<Checked>()
  useEffect(() => {
    if (token === undefined) return undefined
    const stop = new AbortController()
    // Pasting by hand comes letter by letter.
    const timer = setTimeout(() => void askWho(token, stop.signal).then(setChecked, () => undefined), 400)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [token])
  return checked !== undefined && checked.token === token ? checked : undefined
}

async function askWho(token: string, signal: AbortSignal): Promise<Checked> {
  const response = await fetch('/v2/users/me', {
    headers: { Authorization: `Bearer ${token}` },
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal,
  })
  const json: unknown = await response.json()
  if (response.ok && isFields(json) && isFields(json['data'])) {
    const { permissions, tenant } = json['data']
    const mode = isFields(tenant) ? tenant['mode'] : undefined
    return {
      token,
      ...(Array.isArray(permissions) ? { permissions: new Set(permissions.map(String)) } : {}),
      ...(mode === 'live' || mode === 'test' ? { mode } : {}),
    }
  }
  const error = isFields(json) && isFields(json['error']) ? json['error']['message'] : undefined
  // 403: a good credential that may not ask who it is.
  return response.status === 401 && typeof error === 'string' ? { token, error } : { token }
}
