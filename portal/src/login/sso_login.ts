// Logging in by an identity provider: whether an address has one, and what came back from it. The ticket is in a cookie that no script
// reads; the address says only that there is one, or why there is none.
import { useEffect, useRef, useState } from 'react'
import { logInBySso, type Refusal } from '../session/session.ts'
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
    if (reason !== undefined) {
      refused.current({ code: `sso_${reason}`, message: t.of('sso', reason) ?? t('sso.wrong_answer') })
      return
    }
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

/** Where the login begins, with the page that somebody wanted. */
export function startOf({ startUrl }: SsoOffer, next: string | undefined): string {
  return next === undefined ? startUrl : `${startUrl}?next=${encodeURIComponent(next)}`
}
