// Calls that are over: of one after the other it is asked what came of it. While another call rings or is on, they wait in one line, and what
// was typed waits with them.
import { NotebookPen } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import type { EndedCall } from './store.ts'
import { t } from './texts.ts'

const AfterCall = readyPart(() => import('./after_call.tsx').then(module => module.AfterCall))

/** @param calls at least one @param isBusy whether another call rings or is on */
export function AfterCalls({ calls, isBusy }: { calls: readonly EndedCall[]; isBusy: boolean }) {
  const [opened, setOpened] = useState<string>()
  const [first] = calls
  if (first === undefined) return null
  if (isBusy && opened !== first.callId)
    return (
      <div>
        <Button size="sm" icon={<NotebookPen size={14} />} onClick={() => setOpened(first.callId)}>
          {calls.length === 1
            ? t('noteOne', { name: first.name ?? first.other })
            : t('noteMany', { count: calls.length })}
        </Button>
      </div>
    )
  return <AfterCall key={first.callId} call={first} waiting={calls.length - 1} isBusy={isBusy} />
}
