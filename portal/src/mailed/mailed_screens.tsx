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
import { faultText, problemText } from '../ui/faults.ts'
import { Button, ErrorNote, useDocumentTitle } from '../ui/index.ts'
import { t } from './texts.ts'

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

const Incomplete = () => <ErrorNote text={t('incomplete')} />

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
    setFault(goesOn || refusal === undefined ? undefined : problemText(refusal.code, refusal.message))
  }
  const logIn = async () => {
    setBusy(true)
    const refusal = await logInWithLink(token)
    setBusy(false)
    onRefused(refusal)
  }
  return (
    <Frame title={t('linkTitle')}>
      {asked !== undefined ? (
        <LoginStep asked={asked} onBack={() => history.replace('/login')} onRefused={onRefused} />
      ) : (
        <Box title={t('linkTitle')}>
          {token === '' ? (
            <Incomplete />
          ) : (
            <>
              {fault !== undefined && <ErrorNote text={fault} />}
              <Button variant="primary" busy={busy} onClick={logIn}>
                {t('logIn')}
              </Button>
            </>
          )}
        </Box>
      )}
    </Frame>
  )
}

export function ConfirmEmailScreen() {
  const title = t('confirmTitle')
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
        <Box title={title}>
          <Incomplete />
        </Box>
      </Frame>
    )
  return (
    <Frame title={title}>
      <Box title={title}>
        {confirm.isSuccess ? (
          <p role="status">{t('confirmed', { email: confirm.data.email })}</p>
        ) : session.status === 'in' ? (
          <>
            <p>{t('confirmText', { email: session.user.email })}</p>
            {confirm.error !== null && <ErrorNote text={faultText(confirm.error)} />}
            <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
              {t('confirm')}
            </Button>
          </>
        ) : (
          <>
            <p>{t('confirmLogIn')}</p>
            <Link to="/login" search={{ next: '/confirm-email' }}>
              {t('logIn')}
            </Link>
          </>
        )}
      </Box>
    </Frame>
  )
}

export function UndoEmailScreen() {
  const title = t('undoTitle')
  const token = useMailedToken()
  const undo = useMutation({ mutationFn: () => apiOf('live').auth.undoEmailChange({ token }), gcTime: 0 })
  return (
    <Frame title={title}>
      <Box title={title}>
        {token === '' ? (
          <Incomplete />
        ) : undo.isSuccess ? (
          <>
            <p role="status">{t('undone', { email: undo.data.email })}</p>
            <Link to={'/reset' as '/'}>{t('undonePassword')}</Link>
          </>
        ) : (
          <>
            <p>{t('undoText')}</p>
            {undo.error !== null && <ErrorNote text={faultText(undo.error)} />}
            <Button variant="primary" busy={undo.isPending} onClick={() => undo.mutate()}>
              {t('undo')}
            </Button>
          </>
        )}
      </Box>
    </Frame>
  )
}
