// The way in: e-mail or administrator identifier, and a password; or a passkey, which the field of the name offers too.
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { mayUsePasskeys } from '../account/passkey.ts'
import { logIn, type Refusal, useSessionState } from '../session/session.ts'
import { Button, ErrorNote, TextField, useDocumentTitle } from '../ui/index.ts'
import styles from './login.module.css'
import { asksMore, LoginStep } from './login_step.tsx'
import { safeNext } from './next.ts'
import { usePasskeyLogin } from './passkey_login.ts'

export function LoginScreen() {
  useDocumentTitle('Log in')
  const session = useSessionState()
  const { history } = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  const [fault, setFault] = useState(session.status === 'out' ? session.notice : undefined)
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<Refusal>()
  const [wait, setWait] = useSecondsLeft()
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (session.status === 'in') history.replace(safeNext(next, window.location.origin))
  }, [session.status, next, history])

  const passkey = usePasskeyLogin(asked === undefined && session.status === 'out', refusal => {
    setAsked(asksMore(refusal) ? refusal : undefined)
    setFault(asksMore(refusal) ? undefined : refusal.message)
  })

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || wait > 0) return
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setFault(undefined)
    const refusal = await logIn(String(form.get('identifier')), String(form.get('password')))
    setBusy(false)
    if (refusal === undefined) return
    if (asksMore(refusal)) return setAsked(refusal)
    setFault(refusal.message)
    setWait(refusal.retryAfterSeconds ?? 0)
    password.current?.select()
  }
  return (
    <main className={styles['page']}>
      <div className={styles['box']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" />
          Tandem
        </div>
        {asked !== undefined ? (
          <LoginStep
            asked={asked}
            onBack={() => setAsked(undefined)}
            onRefused={refusal => {
              // A login that took too long begins again.
              const goesOn = refusal !== undefined && asksMore(refusal)
              setAsked(goesOn ? refusal : undefined)
              setFault(goesOn ? undefined : refusal?.message)
            }}
          />
        ) : (
          <PasswordForm {...{ fault, busy, wait, password, passkey }} onSubmit={submit} />
        )}
        <p className={styles['note']}>
          <Link to={'/reset' as '/'}>Forgot the password?</Link> The first start of the server printed the login of the
          first Admin. An Admin can give you an account or a new password.
        </p>
      </div>
    </main>
  )
}

type PasswordFormProps = {
  fault: string | undefined
  busy: boolean
  /** Seconds until it may be sent again. */
  wait: number
  password: RefObject<HTMLInputElement | null>
  passkey: ReturnType<typeof usePasskeyLogin>
  onSubmit(event: FormEvent<HTMLFormElement>): void
}

function PasswordForm({ fault, busy, wait, password, passkey, onSubmit }: PasswordFormProps) {
  return (
    <form className={styles['form']} onSubmit={onSubmit}>
      <h1>Log in</h1>
      {fault !== undefined && <ErrorNote text={fault} />}
      <TextField
        label="E-mail or administrator ID"
        name="identifier"
        autoComplete="username webauthn"
        required
        autoFocus
      />
      <TextField
        ref={password}
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={128}
      />
      <Button variant="primary" type="submit" busy={busy} disabled={wait > 0}>
        {wait > 0 ? `Log in again in ${wait} s` : 'Log in'}
      </Button>
      {mayUsePasskeys() && (
        <Button busy={passkey.isBusy} onClick={passkey.logIn}>
          Log in with a passkey
        </Button>
      )}
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
