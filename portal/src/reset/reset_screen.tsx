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

export function ResetScreen() {
  useDocumentTitle('Set another password')
  const token = useMailedToken()
  return (
    <LoginFrame note={<Link to="/login">Back to the login</Link>}>
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
      <h1>Forgot the password?</h1>
      {faults.general !== undefined && <ErrorNote text={faults.general} />}
      {ask.isSuccess ? (
        <p role="status">
          If {email} is the address of an account, a mail with a link is on its way. The link is good for thirty
          minutes.
        </p>
      ) : (
        <>
          <p>You get a mail with a link that sets another one.</p>
          <TextField
            label="E-mail"
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
            Send the mail
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
      <h1>Set another password</h1>
      {faults.general !== undefined && <ErrorNote text={faults.general} />}
      {set.isSuccess ? (
        <p role="status">Your password was changed, and you were logged out everywhere. Log in with the new one.</p>
      ) : (
        <>
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="At least 15 characters, or 10 with a second factor. Several words are easy to remember and hard to guess."
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
            Set the password
          </Button>
        </>
      )}
    </Form>
  )
}
