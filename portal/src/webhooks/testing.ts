// A test event: asked for, and followed until its first attempt is over, so that the answer is shown where it was asked for.
import { isTandemError } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useInspect } from '../navigation/inspect.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { durationText, toast } from '../ui/index.ts'
import { useRefreshed } from './following.ts'
import { explain } from './outcome.ts'
import { t } from './texts.ts'

/** An attempt takes 15 s at most; looks at growing distance, 20 s in all. */
const looksMs = [150, 250, 400, 700, 1_000, 1_500, 2_000, 3_000, 3_000, 4_000, 4_000]

export function useTestEvent(webhookId: string) {
  const api = useApi()
  const refresh = useRefreshed()
  const { inspect } = useInspect()
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  return useMutation({
    mutationFn: async () => {
      const { signal } = leaving.current
      const { deliveryId } = await api.webhooks.test({ webhookId }, { signal })
      void refresh()
      for (const ms of looksMs) {
        await new Promise(resolve => setTimeout(resolve, ms))
        const { attemptLog } = await api.webhooks.delivery({ deliveryId }, { signal })
        const attempt = attemptLog.at(-1)
        if (attempt !== undefined) return { deliveryId, attempt }
      }
      return { deliveryId, attempt: undefined }
    },
    onSuccess: ({ deliveryId, attempt }) => {
      void refresh()
      const look = { label: t('look'), onSelect: () => inspect(deliveryId) }
      if (attempt === undefined) {
        toast({ text: t('testWaits'), action: look })
        return
      }
      const { ok, name, text } = explain(attempt)
      const took = durationText(attempt.durationMs)
      if (ok) toast({ text: t('testAnswered', { name, took }), action: look })
      else toast({ text: t('testFailed', { name, took, text }), tone: 'bad', action: look })
    },
    onError: error => {
      if (!leaving.current.signal.aborted) {
        toast({ text: isTandemError(error) ? faultText(error) : t('testRefused'), tone: 'bad' })
      }
    },
  })
}
