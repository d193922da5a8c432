// Signing up: asks for the mail, and, from its link, for a password; then there are an account and an organization.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form, useFormFields } from '../forms/form.tsx'
import { LoginFrame } from '../login/frame.tsx'
import styles from '../login/login.module.css'
import { useMailedToken } from '../navigation/mailed_token.ts'
import { apiOf } from '../session/api.ts'
import { Button, ErrorNote, LoadingRows, TextField, useDocumentTitle } from '../ui/index.ts'
import { useSignUpMode } from './mode.ts'

export function SignUpScreen() {
  useDocumentTitle('Sign up')
  const token = useMailedToken()
  const mode = useSignUpMode()
  return (
    <LoginFrame>
      {mode === undefined ? (
        <LoadingRows label="Loading who may sign up" rows={3} />
      ) : mode === 'closed' ? (
        <div className={styles['form']}>
          <h1>Sign up</h1>
          <p>
            On this server only those who run it make organizations. Ask them for one, or an Admin of an organization
            for an invitation.
          </p>
        </div>
      ) : token === '' ? (
        <AskForMail needsCode={mode === 'invite'} />
      ) : (
        <ChoosePassword key={token} token={token} />
      )}
    </LoginFrame>
  )
}

function AskForMail({ needsCode }: { needsCode: boolean }) {
  const [values, setValues] = useState({ email: '', name: '', organization: '', code: '' })
  const ask = useMutation({
    mutationFn: () => {
      const { code, ...rest } = values
      return apiOf('live').auth.signUp({ ...rest, ...(code.trim() === '' ? {} : { code: code.trim() }) })
    },
  })
  const fields = useFormFields({ values, change: setValues }, ask.error, ['email', 'name', 'organization', 'code'])
  const { code, ...needed } = values
  const isMissing = Object.values(needed).some(value => value.trim() === '') || (needsCode && code.trim() === '')
  if (ask.isSuccess)
    return (
      <div className={styles['form']}>
        <h1>Sign up</h1>
        <p role="status">A mail to {values.email} is on its way and says how to go on. Its link is good for a day.</p>
      </div>
    )
  return (
    <Form ref={fields.form} className={styles['form']} onSubmit={() => ask.mutate()}>
      <h1>Sign up</h1>
      <p>You get a mail with a link; it makes your account and your organization.</p>
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        maxLength={254}
        autoFocus
        {...fields.text('email')}
      />
      <TextField label="Your name" autoComplete="name" maxLength={200} {...fields.text('name')} />
      <TextField
        label="Name of the organization"
        autoComplete="organization"
        maxLength={200}
        {...fields.text('organization')}
      />
      <TextField
        label={needsCode ? 'Code' : 'Code, if you have one'}
        hint="Of those who run this server; good for one organization."
        autoComplete="off"
        maxLength={100}
        {...fields.text('code')}
      />
      <Button variant="primary" type="submit" busy={ask.isPending} disabled={isMissing}>
        Send the mail
      </Button>
    </Form>
  )
}

function ChoosePassword({ token }: { token: string }) {
  const [values, setValues] = useState({ password: '' })
  const confirm = useMutation({
    mutationFn: () => apiOf('live').auth.confirmSignUp({ token, ...values }),
    gcTime: 0,
  })
  const fields = useFormFields({ values, change: setValues }, confirm.error, ['password'])
  if (confirm.isSuccess)
    return (
      <div className={styles['form']}>
        <h1>Your organization is ready</h1>
        <p role="status">Log in with {confirm.data.email} and your password.</p>
      </div>
    )
  return (
    <Form ref={fields.form} className={styles['form']} onSubmit={() => confirm.mutate()}>
      <h1>Choose a password</h1>
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 15 characters. Several words are easy to remember and hard to guess."
        maxLength={128}
        autoFocus
        {...fields.text('password')}
      />
      <Button variant="primary" type="submit" busy={confirm.isPending} disabled={values.password === ''}>
        Make the organization
      </Button>
    </Form>
  )
}
