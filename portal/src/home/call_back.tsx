// Calls somebody back who called in vain, by the phone in the browser.
import { PhoneOutgoing } from 'lucide-react'
import { ownIdOf } from '../nouns/noun.ts'
import { useSession } from '../session/session.ts'
import { dial } from '../softphone/actions.ts'
import { usePhone } from '../softphone/store.ts'
import { Button } from '../ui/index.ts'
import { t } from './texts.ts'

type CallBackProps = {
  to: string
  name: string
  /** Who it is, when that is known: a lead's call is written to the lead. */
  party: { kind: string; recordId: string | null }
}

export function CallBack({ to, name, party: { kind, recordId } }: CallBackProps) {
  const { permissions } = useSession()
  const { call } = usePhone()
  if (!permissions.has('phone:use')) return null
  const leadId = kind === 'lead' && recordId !== null ? Number(ownIdOf({ one: 'lead' }, recordId)) : undefined
  return (
    <Button
      size="sm"
      icon={<PhoneOutgoing size={14} />}
      disabled={call !== undefined}
      aria-label={t('callBackNamed', { name })}
      onClick={() => void dial({ to, name, ...(leadId !== undefined && { leadId }) })}
    >
      {t('callBack')}
    </Button>
  )
}
