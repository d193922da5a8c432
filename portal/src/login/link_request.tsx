// A mail with a link in place of the password, offered where some organization of the server allows it: of an address it says nothing.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiOf } from '../session/api.ts'
import { requestLink } from '../session/session.ts'
import { problemText } from '../ui/faults.ts'
import { Button, ErrorNote, TextField } from '../ui/index.ts'
import styles from './login.module.css'
import { t } from './texts.ts'

/** Whether the page of the login has a button for it. */
export function useLinksOffered(): boolean {
  const query = useQuery({ queryKey: ['sign_in_links'], queryFn: () => apiOf('live').auth.signInLinks() })
  return query.data?.offered === true
}

export function LinkRequest({ onBack }: { onBack(): void }) {
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const email = String(new FormData(event.currentTarget).get('email'))
    setBusy(true)
    const refusal = await requestLink(email)
    setBusy(false)
    setFault(refusal && problemText(refusal.code, refusal.message))
    if (refusal === undefined) setSentTo(email)
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      <h1>{t('linkTitle')}</h1>
      {fault !== undefined && <ErrorNote text={fault} />}
      {sentTo === undefined ? (
        <>
          <TextField label={t('email')} name="email" type="email" autoComplete="username" required autoFocus />
          <Button variant="primary" type="submit" busy={busy}>
            {t('linkSend')}
          </Button>
        </>
      ) : (
        <p role="status">{t('linkSent', { email: sentTo })}</p>
      )}
      <Button onClick={onBack}>{t('back')}</Button>
    </form>
  )
}
