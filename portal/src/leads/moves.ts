// Where a lead may come to, as far as the person may, and the change that brings it there.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNounApi } from '../nouns/api.ts'
import type { NounRecord } from '../nouns/noun.ts'
import { useSession } from '../session/session.ts'
import { toast } from '../ui/index.ts'
import { leads, statusText } from './lead_noun.ts'
import { t } from './texts.ts'

/** Whether a lead may come there, as far as the role lets it: giving up is undone by a Sales Manager or an Admin only. */
export function useMayMove(): (lead: NounRecord, to: string) => boolean {
  const { user } = useSession()
  return (_lead, to) => to !== 'New' || user.role !== 'Sales Executive'
}

/** Whether a move asks for more than the status. */
export const asksMore = (to: string) => to === 'Unqualified' || to === 'Junk' || to === 'Converted'

export type Move = { lead: NounRecord; to: string }

export function useMove(onMoved: (lead: NounRecord) => void) {
  const own = useNounApi(leads)
  const { mode } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ lead, ...patch }: { lead: NounRecord; status: string; lost_reason?: string }) =>
      own.update(lead.id, patch, lead.version),
    onSuccess(moved) {
      void cache.invalidateQueries({ queryKey: [mode, 'leads'] })
      const status = statusText(String(moved['status']))
      toast({ text: t('moved', { name: String(moved['name']), status }) })
      onMoved(moved)
    },
  })
}
