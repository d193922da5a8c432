// Logging in by an identity provider: whether an address has one, and what came back from it. The ticket is in a cookie that no script
// reads; the address says only that there is one, or why there is none.
import { useEffect, useRef, useState } from 'react'
import { logInBySso, type Refusal } from '../session/session.ts'

const texts: Record<string, string> = {
  off: 'Single sign-on is switched off there. Log in with your password, or ask an Admin.',
  expired: 'The login took too long, or was begun in another browser. Begin again.',
  unreachable: 'The identity provider cannot be reached just now. Try again in a minute, or ask an Admin.',
  cancelled:
    'The identity provider did not let you in. Try again, or ask an Admin whether you may use this application.',
  wrong_answer: 'The identity provider answered otherwise than it is set up here. Ask an Admin to run the test of it.',
  not_fresh: 'The identity provider did not ask you again who you are. Log out there, and try again.',
  no_email: 'The identity provider does not say your address. Ask an Admin to run the test of it.',
  not_verified: 'The identity provider does not say that your address is verified. Ask an Admin.',
  other_domain:
    'Your address is at no verified domain of the organization. Log in with your password, or ask an Admin.',
  unknown_member: 'You are no member of the organization yet. Ask an Admin for an invitation.',
  conflict: 'Another person of the identity provider is linked to your account. Ask an Admin.',
  disabled: 'Your account is disabled. Ask an Admin.',
}

/** `organization` is null where a login was refused because it has to come by the provider. */
export type SsoOffer = { organization: string | null; startUrl: string }

/** In place of the server's words, which are for programs as well: here a button leads there. */
export const requiredText = 'Your organization lets people in by its identity provider only. Log in there.'

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
      refused.current({ code: `sso_${reason}`, message: texts[reason] ?? (texts['wrong_answer'] as string) })
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
