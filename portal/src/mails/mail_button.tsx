// The button on the page of a lead or contact that writes to them.
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { Composer } from './later.ts'

export type MailButtonProps = { recordId: string; name: string; to: readonly string[] }

/** Nothing, where there is no address or the role sends no mails. */
export function MailButton({ recordId, name, to }: MailButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const { permissions } = useSession()
  if (to.length === 0 || !permissions.has('mail:send')) return null
  return (
    <>
      <Button icon={<Mail size={14} />} onClick={() => setOpen(true)}>
        Write a mail
      </Button>
      {isOpen && <Composer recordId={recordId} name={name} to={to} onClose={() => setOpen(false)} />}
    </>
  )
}
