// A forgotten password: asks for the mail, and, from its link, for another password.

import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormFaults } from '../forms/faults.ts'
import { Form } from '../forms/form.tsx'
import { LoginFrame } from '../login/frame.tsx'
import styles from '../login/login.module.css'
import { useMailedToken } from '../navigation/mailed_token.ts'
import { apiOf } from '../session/api.ts'
import { Button, ErrorNote, TextField, useDocumentTitle } from '../ui/index.ts'
import { t } from './texts.ts'

export function ResetScreen() {
  useDocumentTitle(t('title'))
  const token = useMailedToken()
  return (
    <LoginFrame note={<Link to="/login">{t('back')}</Link>}>
      {token === '' ? <AskForMail /> : <ChoosePassword key={token} token={token} />}
    </LoginFrame>
  )
}

function AskForMail() {
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => apiOf('live').auth.requestPasswordReset({ email }) })
  const faults = useFormFaults(ask.error, ['email'])
  return (
    <Form ref={faults.form} className={styles['form']} onSubmit={() => ask.mutate()}>
      <h1>{t('forgot')}</h1>
      {faults.general !== undefined && <ErrorNote text={faults.general} />}
      {ask.isSuccess ? (
        <p role="status">{t('sent', { email })}</p>
      ) : (
        <>
          <p>{t('forgotText')}</p>
          <TextField
            label={t('email')}
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            error={faults.fields['email']}
            onChange={event => {
              faults.mend('email')
              setEmail(event.target.value)
            }}
            autoFocus
          />
          <Button variant="primary" type="submit" busy={ask.isPending} disabled={email === ''}>
            {t('send')}
          </Button>
        </>
      )}
    </Form>
  )
}

function ChoosePassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useState('')
  const set = useMutation({
    mutationFn: () => apiOf('live').auth.resetPassword({ token, newPassword }),
    gcTime: 0,
  })
  const faults = useFormFaults(set.error, ['newPassword'])
  return (
    <Form ref={faults.form} className={styles['form']} onSubmit={() => set.mutate()}>
      <h1>{t('title')}</h1>
      {faults.general !== undefined && <ErrorNote text={faults.general} />}
      {set.isSuccess ? (
        <p role="status">{t('done')}</p>
      ) : (
        <>
          <TextField
            label={t('newPassword')}
            type="password"
            autoComplete="new-password"
            hint={t('newPasswordHint')}
            maxLength={128}
            value={newPassword}
            error={faults.fields['newPassword']}
            onChange={event => {
              faults.mend('newPassword')
              setNewPassword(event.target.value)
            }}
            autoFocus
          />
          <Button variant="primary" type="submit" busy={set.isPending} disabled={newPassword === ''}>
            {t('set')}
          </Button>
        </>
      )}
    </Form>
  )
}
