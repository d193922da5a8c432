// Turns the phone on and off, on every screen; and the button that calls somebody.
import { Phone, PhoneOff } from 'lucide-react'
import { usePhoneText } from '../people/use_phone_text.ts'
import { useSession } from '../session/session.ts'
import { Button, type ButtonVariant, IconButton } from '../ui/index.ts'
import { useLanguage } from '../words/language.ts'
import { dial, turnPhoneOff, turnPhoneOn } from './actions.ts'
import { t } from './frame/texts.ts'
import styles from './phone.module.css'
import { usePhone } from './store.ts'

export function PhoneSwitch() {
  useLanguage()
  const { permissions } = useSession()
  const { isOn } = usePhone()
  if (!permissions.has('phone:use')) return null
  return (
    <IconButton
      label={t(isOn ? 'turnOff' : 'turnOn')}
      className={styles['switch']}
      aria-pressed={isOn}
      icon={isOn ? <Phone size={18} /> : <PhoneOff size={18} />}
      onClick={() => void (isOn ? turnPhoneOff() : turnPhoneOn())}
    />
  )
}

export type CallButtonProps = {
  to: string | null
  name: string
  leadId?: number
  /** Of whom else is called, as notes name the record: `con_…`. */
  recordId?: string
  compact?: boolean
  variant?: ButtonVariant
}

/** Nothing, where there is nobody to call or the role makes no calls. */
export function CallButton({ to, name, leadId, recordId, compact = false, variant }: CallButtonProps) {
  const { permissions } = useSession()
  const { call } = usePhone()
  const numberText = usePhoneText()
  if (to === null || !permissions.has('phone:use')) return null
  const onClick = () =>
    void dial({
      to,
      name,
      ...(leadId === undefined ? {} : { leadId }),
      ...(recordId === undefined ? {} : { recordId }),
    })
  if (compact)
    return (
      <IconButton
        size="sm"
        label={t('callNumber', { number: name })}
        icon={<Phone size={14} />}
        disabled={call !== undefined}
        onClick={onClick}
      />
    )
  return (
    <Button variant={variant} icon={<Phone size={14} />} disabled={call !== undefined} onClick={onClick}>
      {t('callNumber', { number: numberText(to) })}
    </Button>
  )
}
