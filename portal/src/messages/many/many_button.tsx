// The way to a text that goes to many, from the list of messages. Nothing for who sends none.
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/index.ts'
import { readyPart } from '../../ui/lazy_part.tsx'
import { t } from '../texts.ts'

const ManyDialog = readyPart(() => import('./many_dialog.tsx').then(module => module.ManyDialog))

export function ManyButton() {
  const { permissions } = useSession()
  const [open, setOpen] = useState(false)
  if (!permissions.has('messages:send')) return null
  return (
    <>
      <Button icon={<Users size={14} />} onClick={() => setOpen(true)}>
        {t('many')}
      </Button>
      {open && <ManyDialog onClose={() => setOpen(false)} />}
    </>
  )
}
