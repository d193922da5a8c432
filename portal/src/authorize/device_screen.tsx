// The page on which a person types the code that a device shows, and lets the device in. A code that came along is in the fragment,
// which no server sees; it is taken out of the address at once.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote, TextField, useDocumentTitle } from '../ui/index.ts'
import styles from './authorize.module.css'
import { Frame } from './frame.tsx'
import { Question } from './question.tsx'
import { type Decision, decideDevice, readDevice } from './request.ts'
import { t } from './texts.ts'

function codeOfAddress(): string {
  const code = decodeURIComponent(window.location.hash.slice(1)).slice(0, 20)
  if (code !== '') window.history.replaceState(window.history.state, '', window.location.pathname)
  return code
}

export function DeviceScreen() {
  useDocumentTitle(t('device'))
  const [code, setCode] = useState(codeOfAddress)
  const read = useMutation({ mutationFn: () => readDevice(code), gcTime: 0 })
  const decide = useMutation({ mutationFn: (decision: Decision) => decideDevice(code, decision), gcTime: 0 })
  // A link to this page that is opened while it stands changes the fragment only.
  useEffect(() => {
    const take = () => setCode(known => codeOfAddress() || known)
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    read.mutate()
  }
  const fault =
    (read.error && faultText(read.error)) ??
    (read.data !== undefined && 'over' in read.data ? read.data.over : undefined)
  if (decide.isSuccess) {
    return (
      <Frame>
        <h1>{t(decide.variables.allow ? 'deviceIn' : 'deviceOut')}</h1>
        <p>{t('deviceBack')}</p>
      </Frame>
    )
  }
  return (
    <Frame>
      {read.data !== undefined && !('over' in read.data) ? (
        <Question
          request={read.data}
          busy={decide.isPending}
          fault={decide.error === null ? undefined : faultText(decide.error)}
          onDecide={decide.mutate}
        />
      ) : (
        <form className={styles['form']} onSubmit={submit}>
          <h1>{t('device')}</h1>
          <TextField
            label={t('code')}
            name="code"
            hint={t('codeHint')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            autoFocus
            maxLength={20}
            value={code}
            onChange={event => setCode(event.target.value)}
          />
          {fault !== undefined && <ErrorNote text={fault} />}
          <Button variant="primary" type="submit" busy={read.isPending} disabled={code.length < 8}>
            {t('continue')}
          </Button>
        </form>
      )}
    </Frame>
  )
}
