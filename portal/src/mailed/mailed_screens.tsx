// What the links of mails open: the login by mail, a new e-mail address, and the way back to the one before.

import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { LoginFrame } from '../login/frame.tsx'
import styles from '../login/login.module.css'
import { asksMore, LoginStep } from '../login/login_step.tsx'
import { useMailedToken } from '../navigation/mailed_token.ts'
import { apiOf } from '../session/api.ts'
import { accessToken, logInWithLink, type Refusal, useSessionState } from '../session/session.ts'
import { Button, ErrorNote, useDocumentTitle } from '../ui/index.ts'

function Frame({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return <LoginFrame>{children}</LoginFrame>
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['form']}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}

const incomplete = <ErrorNote text="The address is not complete. Open the link of the mail again, as a whole." />

export function SignInScreen() {
  const token = useMailedToken()
  const session = useSessionState()
  const { history } = useRouter()
  const [asked, setAsked] = useState<Refusal>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (session.status === 'in') history.replace('/')
  }, [session.status, history])
  const onRefused = (refusal: Refusal | undefined) => {
    const goesOn = refusal !== undefined && asksMore(refusal)
    setAsked(goesOn ? refusal : undefined)
    setFault(goesOn ? undefined : refusal?.message)
  }
  const logIn = async () => {
    setBusy(true)
    const refusal = await logInWithLink(token)
    setBusy(false)
    onRefused(refusal)
  }
  return (
    <Frame title="Log in by mail">
      {asked !== undefined ? (
        <LoginStep asked={asked} onBack={() => history.replace('/login')} onRefused={onRefused} />
      ) : (
        <Box title="Log in by mail">
          {token === '' ? (
            incomplete
          ) : (
            <>
              {fault !== undefined && <ErrorNote text={fault} />}
              <Button variant="primary" busy={busy} onClick={logIn}>
                Log in
              </Button>
            </>
          )}
        </Box>
      )}
    </Frame>
  )
}

export function ConfirmEmailScreen() {
  const title = 'Confirm your e-mail'
  const token = useMailedToken()
  const session = useSessionState()
  const confirm = useMutation({
    mutationFn: async () => {
      await accessToken('live')
      return apiOf('live').account.confirmEmail({ token })
    },
    gcTime: 0,
  })
  if (token === '')
    return (
      <Frame title={title}>
        <Box title={title}>{incomplete}</Box>
      </Frame>
    )
  return (
    <Frame title={title}>
      <Box title={title}>
        {confirm.isSuccess ? (
          <p role="status">From now on you log in with {confirm.data.email}.</p>
        ) : session.status === 'in' ? (
          <>
            <p>It becomes the address of the account that you are logged in with, {session.user.email}.</p>
            {confirm.error !== null && <ErrorNote text={confirm.error.message} />}
            <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
              Confirm
            </Button>
          </>
        ) : (
          <>
            <p>Log in with the address that your account has until now.</p>
            <Link to="/login" search={{ next: '/confirm-email' }}>
              Log in
            </Link>
          </>
        )}
      </Box>
    </Frame>
  )
}

export function UndoEmailScreen() {
  const title = 'Undo a change of e-mail'
  const token = useMailedToken()
  const undo = useMutation({ mutationFn: () => apiOf('live').auth.undoEmailChange({ token }), gcTime: 0 })
  return (
    <Frame title={title}>
      <Box title={title}>
        {token === '' ? (
          incomplete
        ) : undo.isSuccess ? (
          <>
            <p role="status">
              Your account has the address {undo.data.email} again, and all its sessions ended. Set another password
              now.
            </p>
            <Link to={'/reset' as '/'}>Set another password</Link>
          </>
        ) : (
          <>
            <p>Your account gets the address back that this mail went to, and all its sessions end.</p>
            {undo.error !== null && <ErrorNote text={undo.error.message} />}
            <Button variant="primary" busy={undo.isPending} onClick={() => undo.mutate()}>
              Undo the change
            </Button>
          </>
        )}
      </Box>
    </Frame>
  )
}
