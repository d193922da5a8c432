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
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, ErrorNote, LoadingRows, TextField, useDocumentTitle } from '../ui/index.ts'
import { t } from './texts.ts'

export function InviteScreen() {
  useDocumentTitle(t('title'))
  const token = useMailedToken()
  return (
    <LoginFrame>
      {token === '' ? (
        <Box head={<h1>{t('title')}</h1>}>
          <p>{t('noToken')}</p>
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
  if (query.isPending) return <LoadingRows label={t('loading')} rows={3} />
  if (query.data !== undefined) return <Answer token={token} invitation={query.data} />
  const isOver = isTandemError(query.error) && query.error.code === 'invitation_expired'
  return (
    <Box head={<h1>{t(isOver ? 'over' : 'title')}</h1>}>
      {!isOver && <ErrorNote text={faultText(query.error)} />}
      {isOver ? <p>{t('overText')}</p> : <Button onClick={() => void query.refetch()}>{t('retry')}</Button>}
    </Box>
  )
}

type AnswerProps = { token: string; invitation: AuthShowInvitationReply }

function Answer({ token, invitation }: AnswerProps) {
  const session = useSessionState()
  const [declined, setDeclined] = useState(false)
  const { organization, invitedBy, role, roleName, email, hasAccount, isMember } = invitation
  const head = (
    <>
      <h1>{t('join', { organization })}</h1>
      <p>{t('invited', { inviter: invitedBy, email, role: roleName ?? role })}</p>
    </>
  )
  const decline = <Decline token={token} onDeclined={() => setDeclined(true)} />
  if (declined)
    return (
      <Box head={<h1>{t('declined')}</h1>}>
        <p role="status">{t('declinedText', { organization })}</p>
      </Box>
    )
  if (isMember)
    return (
      <Box head={<h1>{t('member')}</h1>}>
        <p>{t('memberText', { email, organization })}</p>
        {session.status === 'in' ? <Link to="/">{t('home')}</Link> : <Link to="/login">{t('logIn')}</Link>}
      </Box>
    )
  if (session.status === 'in' && session.user.email.toLowerCase() !== email.toLowerCase())
    return (
      <Box head={head}>
        <p>{t('otherAccount', { account: session.user.email, email })}</p>
        <Button variant="primary" onClick={() => void logOut()}>
          {t('logOut')}
        </Button>
      </Box>
    )
  if (session.status === 'in') return <WithAccount token={token} head={head} decline={decline} />
  if (hasAccount)
    return (
      <Box head={head}>
        <p>{t('hasAccount')}</p>
        <Link to="/login" search={{ next: '/invite' }}>
          {t('logIn')}
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
      <Button onClick={() => setAsks(true)}>{t('decline')}</Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('declineTitle')}
        description={t('declineText')}
        confirmLabel={t('decline')}
        busy={decline.isPending}
        {...(decline.error !== null && { error: faultText(decline.error) })}
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
      {accept.error !== null && <ErrorNote text={faultText(accept.error)} />}
      <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
        {t('accept')}
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
        <p role="status">{t('accepted', { email: accept.data.email })}</p>
        <Link to="/login">{t('logIn')}</Link>
      </Box>
    )
  return (
    <Form ref={fields.form} className={styles['form']} onSubmit={() => accept.mutate()}>
      {head}
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <TextField label={t('name')} autoComplete="name" maxLength={200} {...fields.text('name')} />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        hint={t('passwordHint')}
        maxLength={128}
        {...fields.text('password')}
      />
      <Button
        variant="primary"
        type="submit"
        busy={accept.isPending}
        disabled={values.name === '' || values.password === ''}
      >
        {t('accept')}
      </Button>
      {decline}
    </Form>
  )
}
