// Logging in with a passkey: by a button, or as the browser offers it in the field of the name while the page stands.
import { useEffect, useRef, useState } from 'react'
import { askForPasskey, mayUsePasskeys, passkeyOfField } from '../account/passkey.ts'
import { logInWithPasskey, type Refusal } from '../session/session.ts'
import { t } from './texts.ts'

/** Options are good for five minutes: what the browser offers is renewed before. */
const renewMs = 4 * 60_000

/** @param isOffered whether the field of the name stands, and offers them */
export function usePasskeyLogin(isOffered: boolean, onRefused: (refusal: Refusal) => void) {
  const [isBusy, setBusy] = useState(false)
  const [offers, setOffers] = useState(0)
  const refused = useRef(onRefused)
  refused.current = onRefused
  useEffect(() => {
    if (!isOffered || isBusy || !mayUsePasskeys()) return undefined
    let isOver = false
    const timer = setTimeout(() => setOffers(offers + 1), renewMs)
    const offer = async () => {
      // Without the server, or in a browser that offers none there, the button is left.
      const assertion = await passkeyOfField().catch(() => undefined)
      const refusal = assertion === undefined || isOver ? undefined : await logInWithPasskey(assertion)
      if (refusal !== undefined) refused.current(refusal)
    }
    void offer()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isOffered, isBusy, offers])
  const logIn = async () => {
    setBusy(true)
    const assertion = await askForPasskey().catch(() => undefined)
    const refusal =
      assertion === undefined
        ? { code: 'passkey_refused', message: t('passkeyNone') }
        : await logInWithPasskey(assertion)
    setBusy(false)
    if (refusal !== undefined) refused.current(refusal)
  }
  return { isBusy, logIn }
}
