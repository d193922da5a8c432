// What a login asks for beside the password: a code, a passkey, an app that is set up now, or a password of the person's own.
import { type FormEvent, useState } from 'react'
import { askForPasskey, mayUsePasskeys } from '../account/passkey.ts'
import { codeProof } from '../account/proofs.ts'
import { AppSetup } from '../account/qr.tsx'
import { continueLogin, type Further, type Refusal } from '../session/session.ts'
import { Button, CheckboxField, ErrorNote, TextField } from '../ui/index.ts'
import styles from './login.module.css'

/** What asks for more, and not for another try. */
export function asksMore({ challengeToken }: Refusal): boolean {
  return challengeToken !== undefined
}

const headings: Record<string, string> = {
  second_factor_required: 'Second factor',
  second_factor_setup_required: 'Set up a second factor',
  password_change_required: 'Choose your own password',
}
const texts: Record<string, string> = {
  second_factor_required: 'Use your passkey, or type the code that your app shows or one of your recovery codes.',
  second_factor_setup_required:
    'The organization lets nobody in by a password alone. Scan the code with an app that makes codes, such as that of your password manager, and type the six digits that it shows.',
  password_change_required: 'Somebody else set the one that you logged in with, and it is good for this once.',
}

type LoginStepProps = { asked: Refusal; onRefused(refusal: Refusal | undefined): void; onBack(): void }

export function LoginStep({ asked, onRefused, onBack }: LoginStepProps) {
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
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
    if (assertion === undefined) setFault('No passkey was used. Try again, or type a recovery code.')
    else await goOn({ assertion })
  }
  const goOn = async (proof: Omit<Further, 'challengeToken'>) => {
    setBusy(true)
    setFault(undefined)
    const refusal = await continueLogin({ challengeToken: asked.challengeToken ?? '', ...proof })
    setBusy(false)
    if (refusal === undefined || asksMore(refusal) || refusal.code === 'challenge_expired') return onRefused(refusal)
    return setFault(refusal.message)
  }
  return (
    <form className={styles['form']} onSubmit={submit} key={asked.code}>
      <h1>{headings[asked.code] ?? 'One more thing'}</h1>
      <p>{texts[asked.code] ?? asked.message}</p>
      {fault !== undefined && <ErrorNote text={fault} />}
      {asked.setup !== undefined && <AppSetup {...asked.setup} />}
      {asksPassword ? (
        <TextField
          label="New password"
          name="proof"
          type="password"
          autoComplete="new-password"
          hint="At least 15 characters, or 10 with a second factor. Several words are easy to remember and hard to guess."
          required
          maxLength={128}
          autoFocus
        />
      ) : (
        <TextField label="Code" name="proof" autoComplete="one-time-code" required maxLength={60} autoFocus />
      )}
      {asked.code === 'second_factor_required' && (
        <CheckboxField
          label="Trust this browser"
          hint="It is not asked for a code again for some time. Not on computers of others."
          name="trust"
        />
      )}
      <Button variant="primary" type="submit" busy={busy}>
        Go on
      </Button>
      {asked.methods?.includes('passkey') === true && mayUsePasskeys() && (
        <Button busy={busy} onClick={takePasskey}>
          Use a passkey
        </Button>
      )}
      <Button onClick={onBack}>Log in as somebody else</Button>
    </form>
  )
}
