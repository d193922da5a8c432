// Answers an invitation: into which organization, by whom, as what; with the account of its address, or with one that is made now.

import { type AuthShowInvitationReply, isTandemError } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Form, useFormFields } from '../forms/form.tsx'
import { LoginFrame } from '../login/frame.tsx'
import styles from '../login/login.module.css'
import { useMailedToken } from '../navigation/mailed_token.ts'
import { apiOf } from '../session/api.ts'
import { accessToken, logOut, switchOrganization, useSessionState } from '../session/session.ts'
import { Button, ConfirmDialog, ErrorNote, LoadingRows, TextField, useDocumentTitle } from '../ui/index.ts'

export function InviteScreen() {
  useDocumentTitle('Accept an invitation')
  const token = useMailedToken()
  return (
    <LoginFrame>
      {token === '' ? (
        <Box head={<h1>Accept an invitation</h1>}>
          <p>
            Open the link of the mail that invites you. It is good in this window only, and not after the page was
            loaded again: then open it once more.
          </p>
        </Box>
      ) : (
        <Invitation key={token} token={token} />
      )}
    </LoginFrame>
  )
}

function Invitation({ token }: { token: string }) {
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => apiOf('live').auth.showInvitation({ token }),
    gcTime: 0,
  })
  if (query.isPending) return <LoadingRows label="Loading the invitation" rows={3} />
  if (query.data !== undefined) return <Answer token={token} invitation={query.data} />
  const isOver = isTandemError(query.error) && query.error.code === 'invitation_expired'
  return (
    <Box head={<h1>{isOver ? 'The invitation is over' : 'Accept an invitation'}</h1>}>
      <ErrorNote text={query.error.message} />
      {isOver ? (
        <p>Ask who invited you for another one. If you answered it already, log in.</p>
      ) : (
        <Button onClick={() => void query.refetch()}>Try again</Button>
      )}
    </Box>
  )
}

type AnswerProps = { token: string; invitation: AuthShowInvitationReply }

function Answer({ token, invitation }: AnswerProps) {
  const session = useSessionState()
  const [declined, setDeclined] = useState(false)
  const { organization, invitedBy, role, email, hasAccount, isMember } = invitation
  const head = (
    <>
      <h1>Join {organization}</h1>
      <p>
        {invitedBy} invites {email} as {role}.
      </p>
    </>
  )
  const decline = <Decline token={token} onDeclined={() => setDeclined(true)} />
  if (declined)
    return (
      <Box head={<h1>Invitation declined</h1>}>
        <p role="status">You are no member of {organization}, and the link does not work any more.</p>
      </Box>
    )
  if (isMember)
    return (
      <Box head={<h1>You are a member already</h1>}>
        <p>
          {email} is a member of {organization}. Nothing has to be accepted.
        </p>
        {session.status === 'in' ? <Link to="/">To the dashboard</Link> : <Link to="/login">Log in</Link>}
      </Box>
    )
  if (session.status === 'in' && session.user.email.toLowerCase() !== email.toLowerCase())
    return (
      <Box head={head}>
        <p>
          You are logged in as {session.user.email}. The invitation is for {email}: log out and go on with that account.
        </p>
        <Button variant="primary" onClick={() => void logOut()}>
          Log out and go on
        </Button>
      </Box>
    )
  if (session.status === 'in') return <WithAccount token={token} head={head} decline={decline} />
  if (hasAccount)
    return (
      <Box head={head}>
        <p>There is an account of this address. Log in with it to accept.</p>
        <Link to="/login" search={{ next: '/invite' }}>
          Log in
        </Link>
        {decline}
      </Box>
    )
  return <NewAccount token={token} head={head} decline={decline} />
}

function Decline({ token, onDeclined }: { token: string; onDeclined(): void }) {
  const [asks, setAsks] = useState(false)
  const decline = useMutation({
    mutationFn: () => apiOf('live').auth.declineInvitation({ token }),
    onSuccess: onDeclined,
  })
  return (
    <>
      <Button onClick={() => setAsks(true)}>Decline</Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Decline the invitation"
        description="The link does not work any more. Who invited you can do so again."
        confirmLabel="Decline it"
        busy={decline.isPending}
        {...(decline.error !== null && { error: decline.error.message })}
        onConfirm={() => decline.mutate()}
      />
    </>
  )
}

function Box({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['form']}>
      {head}
      {children}
    </div>
  )
}

type AcceptProps = { token: string; head: ReactNode; decline: ReactNode }

function WithAccount({ token, head, decline }: AcceptProps) {
  const accept = useMutation({
    mutationFn: async () => {
      const headers = { authorization: `Bearer ${await accessToken('live')}` }
      return apiOf('live').auth.acceptInvitation({ token }, { headers })
    },
    // The portal begins again in the organization that was joined; where that asks for another login, it says so there.
    async onSuccess({ organizationId }) {
      if ((await switchOrganization(organizationId)) !== undefined) window.location.assign('/account')
    },
  })
  return (
    <Box head={head}>
      {accept.error !== null && <ErrorNote text={accept.error.message} />}
      <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
        Accept
      </Button>
      {decline}
    </Box>
  )
}

function NewAccount({ token, head, decline }: AcceptProps) {
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
        <Link to="/login">Log in</Link>
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
      {decline}
    </Form>
  )
}
