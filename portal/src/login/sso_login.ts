// Logging in by an identity provider: whether an address has one, and what came back from it. The ticket is in a cookie that no script
// reads; the address says only that there is one, or why there is none.
import { useEffect, useRef, useState } from 'react'
import { beginSso, logInBySso, type Refusal } from '../session/session.ts'
import { t } from './texts.ts'

/** `organization` is null where a login was refused because it has to come by the provider. */
export type SsoOffer = { organization: string | null; startUrl: string }

/** Goes on with what came back, once. */
export function useSsoReturn(onRefused: (refusal: Refusal) => void): void {
  const refused = useRef(onRefused)
  refused.current = onRefused
  useEffect(() => {
    const match = /^#sso(?:=([a-z_]+))?$/.exec(window.location.hash)
    if (match === null) return
    const [, reason] = match
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
    if (reason !== undefined) return refused.current(refusalOf(reason))
    void logInBySso().then(refusal => refusal !== undefined && refused.current(refusal))
  }, [])
}

/** The provider of an address, asked when it is typed. */
export function useSsoOffer() {
  const [offer, setOffer] = useState<SsoOffer | null>(null)
  const asked = useRef('')
  const ask = async (typed: string) => {
    const email = typed.trim()
    const domain = email.slice(email.lastIndexOf('@') + 1)
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
      asked.current = ''
      return setOffer(null)
    }
    if (asked.current === domain) return undefined
    asked.current = domain
    const found = await fetch('/v2/auth/sso/discover', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    })
      .then(async response =>
        response.ok ? ((await response.json()) as { data: { sso: SsoOffer | null } }) : undefined,
      )
      .catch(() => undefined)
    if (asked.current === domain) setOffer(found?.data.sso ?? null)
    return undefined
  }
  /** What a refused login leads on to. */
  const require = (startUrl: string) =>
    setOffer(known => (known?.startUrl === startUrl ? known : { organization: null, startUrl }))
  return { offer, ask, require }
}

export type SsoStart = { connectionId: string; fresh: boolean }

/** The connection whose start address somebody followed: it waits for a press, for anybody may have made the link. */
export function useSsoStart(
  onRefused: (refusal: Refusal | undefined) => void,
): [SsoStart | undefined, end: (refusal: Refusal | undefined) => void] {
  const [start, setStart] = useState<SsoStart | undefined>(() => {
    const match = /^#sso-at=(sso_[0-9a-z]{26})(\.fresh)?$/.exec(window.location.hash)
    return match === null ? undefined : { connectionId: match[1] ?? '', fresh: match[2] !== undefined }
  })
  useEffect(() => {
    if (start === undefined) return
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
  }, [start])
  const end = (refusal: Refusal | undefined) => {
    setStart(undefined)
    onRefused(refusal)
  }
  return [start, end]
}

/** Leads on to the provider. @returns why it does not */
export async function leadOn(start: SsoStart, next: string | undefined): Promise<Refusal | undefined> {
  const { url, reason } = await beginSso({ ...start, next })
  if (url === undefined) return refusalOf(reason ?? 'unreachable')
  window.location.assign(url)
  return undefined
}

/** The same for what an address offers. The way back leads to the address that the server is known by: elsewhere it begins there. */
export async function leadOnTo({ startUrl }: SsoOffer, next: string | undefined): Promise<Refusal | undefined> {
  const { origin, pathname } = new URL(startUrl)
  const [, connectionId = ''] = /^\/sso\/(\w+)\/start$/.exec(pathname) ?? []
  if (origin === window.location.origin) return leadOn({ connectionId, fresh: false }, next)
  window.location.assign(next === undefined ? startUrl : `${startUrl}?next=${encodeURIComponent(next)}`)
  return undefined
}

const refusalOf = (reason: string): Refusal => ({
  code: `sso_${reason}`,
  message: t.of('sso', reason) ?? t('sso.wrong_answer'),
})
