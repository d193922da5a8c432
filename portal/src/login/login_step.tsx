// What a login asks for beside the password: a code, a passkey, an app that is set up now, or a password of the person's own.
import { type FormEvent, Suspense, useState } from 'react'
import { askForPasskey, mayUsePasskeys } from '../account/passkey.ts'
import { codeProof } from '../account/proofs.ts'
import { AppSetup } from '../account/qr.tsx'
import { continueLogin, type Further, type Refusal } from '../session/session.ts'
import { problemText } from '../ui/faults.ts'
import { Button, CheckboxField, ErrorNote, TextField } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import styles from './login.module.css'
import { t } from './texts.ts'

const SecretDialog = lazyPart(() => import('../forms/secret_dialog.tsx').then(module => module.SecretDialog))

/** What asks for more, and not for another try. */
export function asksMore({ challengeToken }: Refusal): boolean {
  return challengeToken !== undefined
}

type LoginStepProps = { asked: Refusal; onRefused(refusal: Refusal | undefined): void; onBack(): void }

export function LoginStep({ asked, onRefused, onBack }: LoginStepProps) {
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [codes, setCodes] = useState<{ list: readonly string[]; onStored(): void }>()
  const asksPassword = asked.code === 'password_change_required'
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const typed = String(form.get('proof'))
    await goOn({
      ...(asksPassword ? { newPassword: typed } : codeProof(typed)),
      ...(form.get('trust') === 'on' && { trustDevice: true }),
    })
  }
  const takePasskey = async () => {
    setBusy(true)
    const assertion = await askForPasskey().catch(() => undefined)
    setBusy(false)
    if (assertion === undefined) setFault(t('stepPasskeyNone'))
    else await goOn({ assertion })
  }
  const goOn = async (proof: Omit<Further, 'challengeToken'>) => {
    setBusy(true)
    setFault(undefined)
    const show = (list: readonly string[]) =>
      new Promise<void>(resolve => setCodes({ list, onStored: () => resolve() }))
    const refusal = await continueLogin({ challengeToken: asked.challengeToken ?? '', ...proof }, show)
    setBusy(false)
    if (refusal === undefined || asksMore(refusal) || refusal.code === 'challenge_expired') return onRefused(refusal)
    return setFault(problemText(refusal.code, refusal.message))
  }
  if (codes !== undefined)
    return (
      <Suspense fallback={null}>
        <SecretDialog
          wide
          title={t('codesTitle')}
          description={t('codesText')}
          secret={codes.list.join('\n')}
          hint={t('codesHint')}
          onDone={codes.onStored}
        />
      </Suspense>
    )
  return (
    <form className={styles['form']} onSubmit={submit} key={asked.code}>
      <h1>{t.of('step', asked.code) ?? t('stepOther')}</h1>
      <p>{t.of('stepText', asked.code) ?? asked.message}</p>
      {fault !== undefined && <ErrorNote text={fault} />}
      {asked.setup !== undefined && <AppSetup {...asked.setup} />}
      {asksPassword ? (
        <TextField
          label={t('newPassword')}
          name="proof"
          type="password"
          autoComplete="new-password"
          hint={t('newPasswordHint')}
          required
          maxLength={128}
          autoFocus
        />
      ) : (
        <TextField label={t('code')} name="proof" autoComplete="one-time-code" required maxLength={60} autoFocus />
      )}
      {asked.code === 'second_factor_required' && (
        <CheckboxField label={t('trust')} hint={t('trustHint')} name="trust" />
      )}
      <Button variant="primary" type="submit" busy={busy}>
        {t('continue')}
      </Button>
      {asked.methods?.includes('passkey') === true && mayUsePasskeys() && (
        <Button busy={busy} onClick={takePasskey}>
          {t('usePasskey')}
        </Button>
      )}
      <Button onClick={onBack}>{t('somebodyElse')}</Button>
    </form>
  )
}
