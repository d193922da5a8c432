// Calls somebody back who called in vain, by the phone in the browser.
import { PhoneOutgoing } from 'lucide-react'
import { useSession } from '../session/session.ts'
import { dial } from '../softphone/actions.ts'
import { usePhone } from '../softphone/store.ts'
import { Button } from '../ui/index.ts'
import { t } from './texts.ts'

export function CallBack({ to, name, leadId }: { to: string; name: string; leadId: number | undefined }) {
  const { permissions } = useSession()
  const { call } = usePhone()
  if (!permissions.has('phone:use')) return null
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
