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
import { t } from './texts.ts'

export function SignUpScreen() {
  useDocumentTitle(t('title'))
  const token = useMailedToken()
  const mode = useSignUpMode()
  return (
    <LoginFrame>
      {mode === undefined ? (
        <LoadingRows label={t('loading')} rows={3} />
      ) : mode === 'closed' ? (
        <div className={styles['form']}>
          <h1>{t('title')}</h1>
          <p>{t('closed')}</p>
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
        <h1>{t('title')}</h1>
        <p role="status">{t('sent', { email: values.email })}</p>
      </div>
    )
  return (
    <Form ref={fields.form} className={styles['form']} onSubmit={() => ask.mutate()}>
      <h1>{t('title')}</h1>
      <p>{t('intro')}</p>
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        maxLength={254}
        autoFocus
        {...fields.text('email')}
      />
      <TextField label={t('name')} autoComplete="name" maxLength={200} {...fields.text('name')} />
      <TextField
        label={t('organization')}
        autoComplete="organization"
        maxLength={200}
        {...fields.text('organization')}
      />
      <TextField
        label={t(needsCode ? 'code' : 'codeOptional')}
        hint={t('codeHint')}
        autoComplete="off"
        maxLength={100}
        {...fields.text('code')}
      />
      <Button variant="primary" type="submit" busy={ask.isPending} disabled={isMissing}>
        {t('send')}
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
        <h1>{t('ready')}</h1>
        <p role="status">{t('readyText', { email: confirm.data.email })}</p>
      </div>
    )
  return (
    <Form ref={fields.form} className={styles['form']} onSubmit={() => confirm.mutate()}>
      <h1>{t('choose')}</h1>
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        hint={t('passwordHint')}
        maxLength={128}
        autoFocus
        {...fields.text('password')}
      />
      <Button variant="primary" type="submit" busy={confirm.isPending} disabled={values.password === ''}>
        {t('create')}
      </Button>
    </Form>
  )
}
