// What holds around a single request: limits, safe repeats, concurrent changes, pages, the events it causes.
import type { Endpoint } from '@tandem/catalog'
import type { ReactNode } from 'react'
import { DescriptionList, TextLink } from '../ui/index.ts'
import { AnchorLink, anchorId } from './anchor.tsx'
import { commas, inlineText } from './prose.tsx'

export function Notes({ endpoint }: { endpoint: Endpoint }) {
  return <DescriptionList items={notesOf(endpoint)} />
}

function notesOf(endpoint: Endpoint): { term: string; detail: ReactNode }[] {
  const { rateLimit, takesIfMatch, version, specification } = endpoint
  const notes: { term: string; detail: ReactNode }[] = []
  if (rateLimit !== '') {
    notes.push({
      term: 'Rate limit',
      detail: (
        <>
          {inlineText(rateLimit)}
          {version !== 'oauth' && (
            <>
              {' '}
              Every answer reports what is left in <code>RateLimit</code>; above it comes{' '}
              <TextLink to="/errors/$code" params={{ code: 'rate_limited' }}>
                429 rate_limited
              </TextLink>{' '}
              with <code>Retry-After</code>.
            </>
          )}
        </>
      ),
    })
  }
  if (specification !== null) notes.push({ term: 'Specified in', detail: specification })
  notes.push({ term: 'Repeating it', detail: repeating(endpoint) })
  if (takesIfMatch) {
    notes.push({
      term: 'Concurrent changes',
      detail: (
        <>
          Send the <code>ETag</code> you read as{' '}
          <AnchorLink id={anchorId('param', 'header', 'If-Match')}>
            <code>If-Match</code>
          </AnchorLink>
          : if somebody else was quicker, nothing is changed and the answer is 412 <code>version_mismatch</code>.
        </>
      ),
    })
  }
  const events = eventsOf(endpoint.description)
  if (events.length > 0) {
    notes.push({
      term: 'Events',
      detail: commas(
        events.map(type => (
          <TextLink key={type} to="/events" search={{ type }}>
            <code>{type}</code>
          </TextLink>
        )),
      ),
    })
  }
  return notes
}

function repeating({ method, version, takesIdempotencyKey }: Endpoint): ReactNode {
  if (method === 'GET') return 'Reading changes nothing: repeat it as often as the rate limit allows.'
  if (version === 'oauth') return 'Each request is answered by itself, and nothing is kept for a repeat.'
  if (!takesIdempotencyKey) return 'The same request again leaves things as the first one made them.'
  return (
    <>
      Send an{' '}
      <AnchorLink id={anchorId('param', 'header', 'Idempotency-Key')}>
        <code>Idempotency-Key</code>
      </AnchorLink>{' '}
      of your own: a repeat within 72 hours gets the stored answer, marked <code>Idempotent-Replayed: true</code>, and
      nothing happens twice.
    </>
  )
}

/** The events a description names: "Writes the events lead.updated (as far as it applies) and lead.restored." */
function eventsOf(description: string): string[] {
  const sentences = description.matchAll(/\b[Ww]rites the events? (.*?)(?:\.(?=\s|$)|$)/gs)
  return [...new Set([...sentences].flatMap(match => match[1]?.match(/\b[a-z_]+\.[a-z_]+\b/g) ?? []))]
}
