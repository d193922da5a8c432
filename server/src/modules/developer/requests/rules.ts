// Rules of the request log: what a filter on the status means, and why nothing is kept of a request.

/** Why nothing is kept of a request beside its row. */
export function missingDetailNote({
  method,
  status,
  source,
}: {
  method: string
  status: number
  source: string
}): string {
  if (status === 429) return 'Of requests beyond the rate limit neither headers nor bodies are kept.'
  if (status >= 400) return 'Headers and bodies of this request were not kept.'
  if (source === 'portal') return 'Headers of what the portal reads for its own screens are not kept.'
  if (method === 'GET' || method === 'HEAD') return 'Headers of successful requests to this endpoint are not kept.'
  return 'Of successful requests to this endpoint neither headers nor bodies are kept: read what it made by its resourceId.'
}

/** `404` is that status, `4xx` the whole class. */
export function statusRange(status: string): { from: number; to: number } {
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) }
  const from = Number(status[0]) * 100
  return { from, to: from + 99 }
}
