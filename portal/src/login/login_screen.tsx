// The way in: e-mail or administrator identifier, and a password.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { logIn, useSessionState } from '../app/session.ts'
import { Button, TextField, useDocumentTitle } from '../ui/index.ts'
import styles from './login.module.css'

/** Where to go on: an address of ours, or the dashboard. */
function safeNext(next: string | undefined): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/login') ? next : '/'
}

export function LoginScreen() {
  useDocumentTitle('Log in')
  const session = useSessionState()
  const navigate = useNavigate()
  const { next } = useSearch({ strict: false }) as { next?: string }
  const [fault, setFault] = useState(session.status === 'out' ? session.notice : undefined)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (session.status === 'in') void navigate({ to: safeNext(next) as '/', replace: true })
  }, [session.status, next, navigate])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setFault(undefined)
    const refusal = await logIn(String(form.get('identifier')), String(form.get('password')))
    setBusy(false)
    if (refusal !== undefined) setFault(refusal.message)
  }
  return (
    <main className={styles['page']}>
      <div className={styles['box']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" />
          Tandem
        </div>
        <form className={styles['form']} onSubmit={submit}>
          <h1>Log in</h1>
          {fault !== undefined && (
            <div className={styles['error']} role="alert">
              {fault}
            </div>
          )}
          <TextField label="E-mail or administrator ID" name="identifier" autoComplete="username" required autoFocus />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            maxLength={128}
          />
          <Button variant="primary" type="submit" busy={busy}>
            Log in
          </Button>
        </form>
        <p className={styles['note']}>
          The first start of the server printed the login of the first Admin. An Admin can give you an account or a new
          password.
        </p>
      </div>
    </main>
  )
}
