// What the start address of an identity provider shows: one button. Anybody can make a link to it, so nobody is logged in who does not press.
import { useState } from 'react'
import type { Refusal } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import styles from './login.module.css'
import { leadOn, type SsoStart } from './sso_login.ts'
import { t } from './texts.ts'

type SsoStartFormProps = {
  start: SsoStart
  next: string | undefined
  /** To the other ways to log in; with why this one does not go. */
  onBack(refusal: Refusal | undefined): void
}

export function SsoStartForm({ start, next, onBack }: SsoStartFormProps) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    const refusal = await leadOn(start, next)
    if (refusal !== undefined) onBack(refusal)
  }
  return (
    <div className={styles['form']}>
      <h1>{t('title')}</h1>
      <p>{t('ssoStartText')}</p>
      <Button variant="primary" busy={busy} onClick={press} autoFocus>
        {t('withProvider')}
      </Button>
      <Button onClick={() => onBack(undefined)}>{t('otherWays')}</Button>
    </div>
  )
}
