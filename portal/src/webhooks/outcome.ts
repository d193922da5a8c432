// What came of an attempt, in plain words: what it means, and what to do about it.
import type { WebhooksDeliveriesItem, WebhooksDeliveryReply } from '@tandem/sdk'
import { t } from './texts.ts'

/** A delivery as lists give it, and one with its attempts and payload. */
export type Delivery = WebhooksDeliveriesItem
export type DeliveryDetail = WebhooksDeliveryReply
export type Attempt = DeliveryDetail['attemptLog'][number]

type Explanation = { name: string; text: string }

const wordsFor = (error: string): Explanation => ({
  name: t.of('error', error) ?? t('error.failed'),
  text: t.of('errorText', error) ?? t('errorText.failed'),
})

function textOfStatus(status: number): string {
  const own = t.of('http', String(status))
  if (own !== undefined) return own
  if (status >= 500) return t('http.5xx')
  if (status >= 400) return t('http.4xx')
  if (status >= 300) return t('http.3xx')
  return t(status >= 200 ? 'http.2xx' : 'http.other')
}

/** One attempt: the name of what happened, whether it went well, what it means and what to do. */
export function explain({ status, error }: Pick<Attempt, 'status' | 'error'>): Explanation & { ok: boolean } {
  if (error !== null) return { ...wordsFor(error), ok: false }
  if (status === null) return { name: t('notTried'), text: t('notTriedText'), ok: false }
  return { name: String(status), text: textOfStatus(status), ok: status >= 200 && status < 300 }
}

/** The same for `lastError` of a webhook, which is a word, or an HTTP status as text. */
export function explainLast(lastError: string): Explanation {
  if (/^\d+$/.test(lastError)) return { name: `HTTP ${lastError}`, text: textOfStatus(Number(lastError)) }
  return wordsFor(lastError)
}
