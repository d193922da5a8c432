// A dial pad: the handset of the screen calls from its number, as a phone of somebody else; or the person calls as their organization.
import { Phone } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, Card, CheckboxField, SegmentedControl, TextField } from '../ui/index.ts'
import { dial } from './actions.ts'
import { Keypad } from './keypad.tsx'
import styles from './phone.module.css'
import { setHandset, usePhone } from './store.ts'

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
    <Card title="Calls">
      <form className={styles['pad']} onSubmit={submit}>
        <CheckboxField
          label="Let this handset ring"
          hint={
            isHere && signaling === 'ready'
              ? 'Calls to its number ring here.'
              : 'Calls to its number ring on this page instead of following the script of the simulator.'
          }
          checked={isHere}
          onChange={event => setHandset(event.target.checked ? number : null)}
        />
        <SegmentedControl<From>
          label="Call from"
          options={[
            { value: 'handset', label: 'From this handset', title: 'As a phone that calls a number of yours' },
            { value: 'mine', label: 'From my phone', title: 'As your organization' },
          ]}
          value={from}
          onChange={setFrom}
        />
        <TextField
          label="Number to call"
          inputMode="tel"
          value={to}
          placeholder={from === 'handset' ? 'A number of yours' : '+1 500 555 0208'}
          onChange={event => setTo(event.target.value)}
        />
        <Keypad onPress={key => setTo(old => old + key)} />
        <Button
          type="submit"
          variant="primary"
          icon={<Phone size={14} />}
          disabled={to.trim() === '' || call !== undefined}
        >
          Call
        </Button>
      </form>
    </Card>
  )
}
