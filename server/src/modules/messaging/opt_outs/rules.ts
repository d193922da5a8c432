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
