// What is done with a conversation as a whole: closing, snoozing, assigning, marking as read or unread.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { toast } from '../ui/index.ts'
import { t } from './texts.ts'
import { conversationKey, useFreshCounts, useTakeIn } from './use_inbox.ts'
import { readEnd } from './use_thread.ts'
import type { One } from './views.ts'
import { momentText, nameOf } from './words.ts'

/** The notice stands where one writes: it goes soon. */
const stayMs = 5_000

type Patch = { state?: 'open' | 'closed'; snoozedUntil?: string; assigneeId?: number | null }

export function useChanges(one: One) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode, user, permissions } = useSession()
  const takeIn = useTakeIn()
  const { conversationId } = one
  const name = nameOf(one)
  const freshCounts = useFreshCounts()
  const patch = useMutation({
    gcTime: 0,
    mutationFn: (body: Patch) => api.conversations.update({ conversationId, ...body }),
    onSuccess(after, { state, snoozedUntil }) {
      takeIn(after, conversationId)
      freshCounts()
      void readEnd(api, cache, mode, conversationId).catch(() => undefined)
      const undo = { label: t('undo'), onSelect: () => patch.mutate({ state: 'open' }) }
      if (state === 'closed') toast({ text: t('done.closed', { name }), action: undo, stayMs })
      if (snoozedUntil !== undefined)
        toast({ text: t('done.snoozed', { name, time: momentText(snoozedUntil) }), action: undo, stayMs })
    },
    onError: error => toast({ tone: 'bad', text: faultText(error) }),
  })
  const read = useMutation({
    gcTime: 0,
    mutationFn: (unread: boolean) => api.conversations.read({ conversationId, unread }),
    onSuccess(_reply, unread) {
      const now = cache.getQueryData<One>(conversationKey(mode, conversationId))
      if (now !== undefined) takeIn({ ...now, unread })
      freshCounts()
    },
  })
  return {
    mayChange: permissions.has('conversations:write'),
    isBusy: patch.isPending,
    toggleClosed: () => patch.mutate({ state: one.state === 'closed' ? 'open' : 'closed' }),
    reopen: () => patch.mutate({ state: 'open' }),
    snooze: (until: Date) => patch.mutate({ snoozedUntil: until.toISOString() }),
    assign: (assigneeId: number | null) => patch.mutate({ assigneeId }),
    take: () => patch.mutate({ assigneeId: user.id }),
    mark: (unread: boolean) => read.mutate(unread),
  }
}
export type Changes = ReturnType<typeof useChanges>
