// Who asked not to be texted. A refusal counts for all senders of a messaging service, or for the one sender without one.

export const optOutSources = ['keyword', 'api'] as const
export type OptOutSource = (typeof optOutSources)[number]

export type OptOutRow = {
  id: string
  scope: string
  recipient: string
  source: OptOutSource
  keyword: string | null
  created_at: string
}

/** The word of an opt-out's two events, which are its whole story. */
export function optOutEvent(
  type: 'optout.created' | 'optout.removed',
  row: OptOutRow,
  callbackUrl: string | null = null,
) {
  const sequence = type === 'optout.created' ? 1 : 2
  return { type, resourceId: row.id, sequence, data: presentOptOut(row), callbackUrl }
}

/** An opt-out as the API and its events show it. */
export function presentOptOut(row: OptOutRow) {
  return {
    optOutId: row.id,
    scope: row.scope,
    recipient: row.recipient,
    source: row.source,
    keyword: row.keyword,
    createdAt: row.created_at,
  }
}
