// The ways to reach a person or company, as the page of their record offers them: a text or a mail by the composer, a call at once.
import { Mail, MessageSquare } from 'lucide-react'
import { useSession } from '../../session/session.ts'
import { CallButton } from '../../softphone/phone_button.tsx'
import { Button } from '../../ui/index.ts'
import { useOpenComposer } from './composing.ts'
import { t } from './texts.ts'

export type ReachButtonsProps = {
  recordId: string
  name: string
  phone?: string | undefined
  email?: string | undefined
  /** Of a lead, by which its calls are known. */
  leadId?: number
  /** Whether the best of them is what to do next. */
  first?: boolean
}

export function ReachButtons({ recordId, name, phone, email, leadId, first = true }: ReachButtonsProps) {
  const { permissions } = useSession()
  const compose = useOpenComposer()
  const mayCall = phone !== undefined && permissions.has('phone:use')
  const mayText = phone !== undefined && permissions.has('messages:send')
  const mayMail = email !== undefined && permissions.has('mail:send')
  const best = mayCall ? 'call' : mayText ? 'text' : 'mail'
  const look = (way: string) => (first && way === best ? 'primary' : 'secondary')
  return (
    <>
      {mayMail && (best === 'mail' || !mayText) && (
        <Button variant={look('mail')} icon={<Mail size={14} />} onClick={() => compose('mail')}>
          {t('mailTo')}
        </Button>
      )}
      {mayText && (
        <Button variant={look('text')} icon={<MessageSquare size={14} />} onClick={() => compose('text')}>
          {t('compose.text')}
        </Button>
      )}
      {mayCall && (
        <CallButton
          to={phone}
          name={name}
          recordId={recordId}
          variant={look('call')}
          {...(leadId !== undefined && { leadId })}
        />
      )}
    </>
  )
}
