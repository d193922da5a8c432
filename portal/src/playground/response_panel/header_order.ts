// In which order the headers of an answer are shown: those that describe this request first, those of transport last.

const FIRST = [
  'x-request-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'www-authenticate',
  'allow',
  'etag',
  'idempotent-replayed',
  'location',
  'content-type',
  'content-length',
  'server-timing',
]
const LAST = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'vary']

function rank(name: string): number {
  const first = FIRST.indexOf(name)
  if (first !== -1) return first
  return LAST.includes(name) ? FIRST.length + 1 : FIRST.length
}

/** Names in lower case, as HTTP/2 and browsers have them. */
export function sortHeaders(
  headers: readonly (readonly [name: string, value: string])[],
): [name: string, value: string][] {
  return headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0))
}
