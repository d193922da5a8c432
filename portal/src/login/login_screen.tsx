// The way in: e-mail or administrator identifier, and a password; or a passkey, which the field of the name offers too.

import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { mayUsePasskeys } from '../account/passkey.ts'
import { logIn, type Refusal, useSessionState } from '../session/session.ts'
import { useSignUpMode } from '../sign_up/mode.ts'
import { problemText } from '../ui/faults.ts'
import { Button, ErrorNote, TextField, useDocumentTitle } from '../ui/index.ts'
import { LoginFrame } from './frame.tsx'
import { LinkRequest, useLinksOffered } from './link_request.tsx'
import styles from './login.module.css'
import { asksMore, LoginStep } from './login_step.tsx'
import { safeNext } from './next.ts'
import { usePasskeyLogin } from './passkey_login.ts'
import { leadOnTo, useSsoOffer, useSsoReturn, useSsoStart } from './sso_login.ts'
import { SsoStartForm } from './sso_start.tsx'
import { t } from './texts.ts'

export function LoginScreen() {
  useDocumentTitle(t('title'))
  const session = useSessionState()
  const { history } = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  const [fault, setFault] = useState(session.status === 'out' ? session.notice : undefined)
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<Refusal>()
  const [wait, setWait] = useSecondsLeft()
  const [byMail, setByMail] = useState(false)
  const offersLinks = useLinksOffered()
  const password = useRef<HTMLInputElement>(null)
  const sso = useSsoOffer()
  useEffect(() => {
    if (session.status === 'in') history.replace(safeNext(next, window.location.origin))
  }, [session.status, next, history])

  /** Goes on where more is asked for; else the login begins again, as one that took too long does. */
  const refused = (refusal: Refusal | undefined) => {
    const goesOn = refusal !== undefined && asksMore(refusal)
    setAsked(goesOn ? refusal : undefined)
    setFault(goesOn ? undefined : textOf(refusal))
  }
  const textOf = (refusal: Refusal | undefined) => {
    if (refusal?.ssoUrl === undefined) return refusal && problemText(refusal.code, refusal.message)
    sso.require(refusal.ssoUrl)
    return t('ssoRequired')
  }
  const passkey = usePasskeyLogin(asked === undefined && !byMail && session.status === 'out', refused)
  useSsoReturn(refused)
  const [start, endStart] = useSsoStart(refused)
  const toProvider = async () => {
    setBusy(true)
    refused(sso.offer === null ? undefined : await leadOnTo(sso.offer, next))
    setBusy(false)
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || wait > 0) return
    const form = new FormData(event.currentTarget)
    const typed = String(form.get('password'))
    // Enter behind an address that has a provider leads to it.
    if (typed === '' && sso.offer !== null) return toProvider()
    setBusy(true)
    setFault(undefined)
    const refusal = await logIn(String(form.get('identifier')), typed)
    setBusy(false)
    if (refusal === undefined) return
    if (asksMore(refusal)) return setAsked(refusal)
    setFault(textOf(refusal))
    setWait(refusal.retryAfterSeconds ?? 0)
    password.current?.select()
  }
  return (
    <LoginFrame note={<Note />}>
      {asked !== undefined ? (
        <LoginStep asked={asked} onBack={() => setAsked(undefined)} onRefused={refused} />
      ) : start !== undefined ? (
        <SsoStartForm start={start} next={next} onBack={endStart} />
      ) : byMail ? (
        <LinkRequest onBack={() => setByMail(false)} />
      ) : (
        <PasswordForm {...{ fault, busy, wait, password, sso, toProvider }} onSubmit={submit}>
          {mayUsePasskeys() && (
            <Button busy={passkey.isBusy} onClick={passkey.logIn}>
              {t('withPasskey')}
            </Button>
          )}
          {offersLinks && <Button onClick={() => setByMail(true)}>{t('withEmail')}</Button>}
        </PasswordForm>
      )}
    </LoginFrame>
  )
}

/** For anyone who cannot log in. */
function Note() {
  const signUp = useSignUpMode()
  return (
    <>
      <span className={styles['ways']}>
        <Link to={'/reset' as '/'}>{t('forgot')}</Link>{' '}
        {(signUp === 'invite' || signUp === 'open') && <Link to={'/sign-up' as '/'}>{t('signUp')}</Link>}{' '}
      </span>
      {t('help')}
    </>
  )
}

type PasswordFormProps = {
  fault: string | undefined
  busy: boolean
  /** Seconds until the next try. */
  wait: number
  password: RefObject<HTMLInputElement | null>
  sso: ReturnType<typeof useSsoOffer>
  toProvider(): void
  onSubmit(event: FormEvent<HTMLFormElement>): void
  /** Other ways in. */
  children: ReactNode
}

function PasswordForm({ fault, busy, wait, password, sso, toProvider, onSubmit, children }: PasswordFormProps) {
  return (
    <form className={styles['form']} onSubmit={onSubmit}>
      <h1>{t('title')}</h1>
      {fault !== undefined && <ErrorNote text={fault} />}
      <TextField
        label={t('identifier')}
        name="identifier"
        autoComplete="username webauthn"
        required
        autoFocus
        onChange={event => void sso.ask(event.target.value)}
      />
      {sso.offer !== null && (
        <Button variant="primary" busy={busy} onClick={toProvider}>
          {sso.offer.organization === null
            ? t('withProvider')
            : t('withProviderOf', { organization: sso.offer.organization })}
        </Button>
      )}
      <TextField
        ref={password}
        label={t('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required={sso.offer === null}
        maxLength={128}
      />
      <Button variant={sso.offer === null ? 'primary' : 'secondary'} type="submit" busy={busy} disabled={wait > 0}>
        {wait > 0 ? t('logInAgainIn', { seconds: wait }) : t('logIn')}
      </Button>
      {children}
    </form>
  )
}

/** Counts whole seconds down to 0 from whatever it is set to. */
function useSecondsLeft(): [seconds: number, set: (seconds: number) => void] {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return undefined
    const timer = setTimeout(() => setSeconds(seconds - 1), 1_000)
    return () => clearTimeout(timer)
  }, [seconds])
  return [seconds, setSeconds]
}
