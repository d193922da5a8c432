// A dial pad: the handset of the screen calls from its number, as a phone of somebody else; or the person calls as their organization.
import { Phone } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, Card, CheckboxField, SegmentedControl, TextField } from '../ui/index.ts'
import { dial } from './actions.ts'
import { Keypad } from './keypad.tsx'
import styles from './phone.module.css'
import { setHandset, usePhone } from './store.ts'
import { t } from './texts.ts'

type From = 'handset' | 'mine'

export function DialPad({ number }: { number: string }) {
  const { permissions } = useSession()
  const { handset, call, signaling } = usePhone()
  const [from, setFrom] = useState<From>('handset')
  const [to, setTo] = useState('')
  const isHere = handset === number
  // The handset of another number, or no handset any more.
  useEffect(() => () => setHandset(null), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a ringing handset goes along with its number
  useEffect(() => {
    if (handset !== null) setHandset(number)
  }, [number])
  if (!permissions.has('phone:use')) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const target = to.trim()
    if (target !== '') void dial({ to: target, ...(from === 'handset' ? { handset: number } : {}) })
  }
  return (
    <Card title={t('calls')}>
      <form className={styles['pad']} onSubmit={submit}>
        <CheckboxField
          label={t('handsetRings')}
          hint={t(isHere && signaling === 'ready' ? 'handsetHere' : 'handsetElse')}
          checked={isHere}
          onChange={event => setHandset(event.target.checked ? number : null)}
        />
        <SegmentedControl<From>
          label={t('from')}
          options={[
            { value: 'handset', label: t('from.handset'), title: t('from.handset.text') },
            { value: 'mine', label: t('from.mine'), title: t('from.mine.text') },
          ]}
          value={from}
          onChange={setFrom}
        />
        <TextField
          label={t('numberToCall')}
          inputMode="tel"
          value={to}
          placeholder={from === 'handset' ? t('numberOfYours') : '+1 500 555 0208'}
          onChange={event => setTo(event.target.value)}
        />
        <Keypad onPress={key => setTo(old => old + key)} />
        <Button
          type="submit"
          variant="primary"
          icon={<Phone size={14} />}
          disabled={to.trim() === '' || call !== undefined}
        >
          {t('call')}
        </Button>
      </form>
    </Card>
  )
}
