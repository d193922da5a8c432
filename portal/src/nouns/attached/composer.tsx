// Writes to a person, calls them, and notes what is to be kept of them: one place at the top of the timeline, where what was sent stands
// at once. Only what the person may do, and the record has a number or an address for, is offered.
import { useQueryClient } from '@tanstack/react-query'
import { CheckSquare, Mail, MessageSquare, NotebookPen, Phone } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useParamsOfAddress } from '../../navigation/search_params.ts'
import { useSession } from '../../session/session.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { focusWhenThere } from '../focus_when_there.ts'
import own from './composer.module.css'
import { type Composed, type ComposerProps, composed, useAsked } from './composing.ts'
import { CallPanel, MailPanel, NotePanel, TaskPanel, TextPanel } from './later.ts'
import { t } from './texts.ts'

const icons: Readonly<Record<Composed, ReactNode>> = {
  text: <MessageSquare size={14} />,
  call: <Phone size={14} />,
  note: <NotebookPen size={14} />,
  task: <CheckSquare size={14} />,
  mail: <Mail size={14} />,
}

/** Where one begins to write. */
const begins = new Map<Composed, string>([
  ['text', 'textarea'],
  ['call', 'button'],
  ['note', 'textarea'],
  ['task', 'input'],
  ['mail', 'input[name="subject"]'],
])

function useOffered({ phones, emails, mayWrite }: ComposerProps): readonly Composed[] {
  const { permissions } = useSession()
  const isOffered: Record<Composed, boolean> = {
    text: phones.length > 0 && permissions.has('messages:send'),
    call: phones.length > 0 && permissions.has('phone:use'),
    note: mayWrite && permissions.has('notes:create'),
    task: mayWrite && permissions.has('tasks:create'),
    mail: emails.length > 0 && permissions.has('mail:send'),
  }
  return composed.filter(kind => isOffered[kind])
}

export function Composer(props: ComposerProps) {
  const [params, change] = useParamsOfAddress()
  const box = useRef<HTMLElement>(null)
  const asked = useAsked()
  const offered = useOffered(props)
  const { mode } = useSession()
  const cache = useQueryClient()
  const chosen = offered.find(kind => kind === params['compose'])
  const open = chosen ?? (offered.includes('note') ? 'note' : offered[0])
  const answered = useRef<unknown>(undefined)
  useEffect(() => {
    const isFirst = answered.current === undefined
    // One comes to write, by the address or by a button; who goes from tab to tab stays there.
    if (
      chosen === undefined ||
      box.current === null ||
      (!isFirst && (answered.current === asked || asked.kind !== chosen))
    ) {
      if (isFirst) answered.current = asked
      return undefined
    }
    answered.current = asked
    box.current.scrollIntoView({ block: 'nearest' })
    return focusWhenThere(box.current, `:scope > div > [role="tabpanel"] ${begins.get(chosen)}`)
  }, [asked, chosen])
  if (open === undefined) return null
  const done = () => {
    for (const key of ['timeline', 'on a record', 'messages', 'mails'])
      void cache.invalidateQueries({ queryKey: [mode, key] })
  }
  const panels: Record<Composed, ReactNode> = {
    text: <TextPanel {...props} onDone={done} />,
    call: <CallPanel {...props} onDone={done} />,
    note: <NotePanel {...props} onDone={done} />,
    task: <TaskPanel {...props} onDone={done} />,
    mail: <MailPanel {...props} onDone={done} />,
  }
  return (
    <section ref={box} className={own['composer']} aria-label={t('composer')}>
      <Tabs
        label={t('composerTabs')}
        tabs={offered.map(kind => ({
          value: kind,
          label: (
            <span className={own['label']}>
              <span aria-hidden="true">{icons[kind]}</span>
              {t(`compose.${kind}`)}
            </span>
          ),
          content: panels[kind],
        }))}
        value={open}
        onChange={kind => change({ compose: kind })}
      />
    </section>
  )
}
