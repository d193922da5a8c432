// Sending again: one delivery, or those of a time. A target is a webhook, or null for callback URLs.
import type { Tandem, WebhooksReplayParams } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { toast } from '../ui/index.ts'
import { useRefreshed } from './following.ts'
import { t } from './texts.ts'

export type Target = string | null
export type Scope = NonNullable<WebhooksReplayParams['scope']>
/** Moments are ISO 8601. */
export type Range = { from: string; to: string; scope: Scope; eventTypes?: string[] }
/** How many were queued, and where to go on when that was not all. */
export type Replayed = { replayed: number; continueFrom: string | null }

/** Where a time ends that goes on until now: the clock of this machine may be slow, and leave out the newest. */
export const untilNow = (): string => new Date(Date.now() + 24 * 3_600_000).toISOString()

/** So many requests, of 10,000 deliveries each, are made before a person is asked to go on. */
const roundsAtOnce = 5

function replay(api: Tandem, target: Target, what: Range | { deliveryId: string }): Promise<Replayed> {
  return target === null ? api.webhooks.replayCallbacks(what) : api.webhooks.replay({ webhookId: target, ...what })
}

/** Queues everything of a time again, request after request. */
export async function replayRange(api: Tandem, target: Target, range: Range): Promise<Replayed> {
  let replayed = 0
  let from: string | null = range.from
  for (let round = 0; round < roundsAtOnce && from !== null; round++) {
    const answer: Replayed = await replay(api, target, { ...range, from })
    replayed += answer.replayed
    from = answer.continueFrom
  }
  return { replayed, continueFrom: from }
}

/** Delivers one again, whatever became of it, and says so. */
export function useRedelivery() {
  const api = useApi()
  const refresh = useRefreshed()
  return useMutation({
    mutationFn: ({ target, deliveryId }: { target: Target; deliveryId: string }) => replay(api, target, { deliveryId }),
    onSuccess: ({ replayed }, { deliveryId }) => {
      toast({ text: t(replayed === 0 ? 'resendWaits' : 'resent') })
      void refresh(deliveryId)
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
}
