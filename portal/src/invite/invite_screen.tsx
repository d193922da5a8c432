// Answers an invitation: into which organization, by whom, as what; with the account of its address, or with one that is made now.
import type { AuthShowInvitationReply } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Form, useFormFields } from '../forms/form.tsx'
import styles from '../login/login.module.css'
import { useMailedToken } from '../navigation/mailed_token.ts'
import { apiOf } from '../session/api.ts'
import { accessToken, logOut, useSessionState } from '../session/session.ts'
import { Button, ErrorNote, LoadingRows, TextField, useDocumentTitle } from '../ui/index.ts'

export function InviteScreen() {
  useDocumentTitle('Accept an invitation')
  const token = useMailedToken()
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => apiOf('live').auth.showInvitation({ token }),
    enabled: token !== '',
    gcTime: 0,
  })
  return (
    <main className={styles['page']}>
      <div className={styles['box']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" />
          Tandem
        </div>
        {token === '' ? (
          <div className={styles['form']}>
            <h1>Invitation</h1>
            <ErrorNote text="This address has no invitation in it. Open the link of the mail whole." />
          </div>
        ) : query.isPending ? (
          <LoadingRows label="Loading the invitation" rows={3} />
        ) : query.data === undefined ? (
          <div className={styles['form']}>
            <h1>Invitation</h1>
            <ErrorNote text={query.error.message} />
          </div>
        ) : (
          <Answer token={token} invitation={query.data} />
        )}
        <p className={styles['note']}>
          <Link to="/login">To the login</Link>
        </p>
      </div>
    </main>
  )
}

type AnswerProps = { token: string; invitation: AuthShowInvitationReply }

function Answer({ token, invitation }: AnswerProps) {
  const session = useSessionState()
  const { organization, invitedBy, role, email, hasAccount } = invitation
  const head = (
    <>
      <h1>Join {organization}</h1>
      <p>
        {invitedBy} invites {email} as {role}.
      </p>
    </>
  )
  if (session.status === 'in' && session.user.email.toLowerCase() !== email.toLowerCase())
    return (
      <Box head={head}>
        <p>
          You are logged in as {session.user.email}. The invitation is for {email}: log out and go on with that account.
        </p>
        <Button variant="primary" onClick={() => void logOut()}>
          Log out
        </Button>
      </Box>
    )
  if (session.status === 'in') return <WithAccount token={token} head={head} />
  if (hasAccount)
    return (
      <Box head={head}>
        <p>There is an account of this address. Log in with it to accept.</p>
        <Link to="/login" search={{ next: '/invite' }}>
          Log in
        </Link>
      </Box>
    )
  return <NewAccount token={token} head={head} />
}

function Box({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['form']}>
      {head}
      {children}
    </div>
  )
}

function WithAccount({ token, head }: { token: string; head: ReactNode }) {
  const accept = useMutation({
    mutationFn: async () => {
      const headers = { authorization: `Bearer ${await accessToken('live')}` }
      return apiOf('live').auth.acceptInvitation({ token }, { headers })
    },
    // The portal begins again, with one organization more to go to.
    onSuccess: () => window.location.assign('/'),
  })
  return (
    <Box head={head}>
      {accept.error !== null && <ErrorNote text={accept.error.message} />}
      <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
        Accept
      </Button>
    </Box>
  )
}

function NewAccount({ token, head }: { token: string; head: ReactNode }) {
  const [values, setValues] = useState({ name: '', password: '' })
  const accept = useMutation({
    mutationFn: () => apiOf('live').auth.acceptInvitation({ token, ...values }),
    gcTime: 0,
  })
  const fields = useFormFields({ values, change: setValues }, accept.error, ['name', 'password'])
  if (accept.isSuccess)
    return (
      <Box head={head}>
        <p role="status">You are a member now. Log in with {accept.data.email} and your password.</p>
      </Box>
    )
  return (
    <Form ref={fields.form} className={styles['form']} onSubmit={() => accept.mutate()}>
      {head}
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <TextField label="Your name" autoComplete="name" maxLength={200} {...fields.text('name')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 15 characters. Several words are easy to remember and hard to guess."
        maxLength={128}
        {...fields.text('password')}
      />
      <Button
        variant="primary"
        type="submit"
        busy={accept.isPending}
        disabled={values.name === '' || values.password === ''}
      >
        Accept
      </Button>
    </Form>
  )
}
