// What holds around a single request: limits, safe repeats, concurrent changes, pages, the events it causes.
import type { Endpoint } from '@tandem/catalog'
import type { ReactNode } from 'react'
import { DescriptionList, TextLink } from '../ui/index.ts'
import { AnchorLink, anchorId } from './anchor.tsx'
import { commas, inlineText } from './prose.tsx'
import { t } from './texts.ts'

export function Notes({ endpoint }: { endpoint: Endpoint }) {
  return <DescriptionList items={notesOf(endpoint)} />
}

function notesOf(endpoint: Endpoint): { term: string; detail: ReactNode }[] {
  const { rateLimit, takesIfMatch, version, specification } = endpoint
  const notes: { term: string; detail: ReactNode }[] = []
  if (rateLimit !== '') {
    notes.push({
      term: t('rateLimit'),
      detail: (
        <>
          {inlineText(rateLimit)}
          {version !== 'oauth' && (
            <>
              {' '}
              {t.rich('rateLimitText', {
                link: text => (
                  <TextLink to="/errors/$code" params={{ code: 'rate_limited' }}>
                    {text}
                  </TextLink>
                ),
              })}
            </>
          )}
        </>
      ),
    })
  }
  if (specification !== null) notes.push({ term: t('specifiedIn'), detail: specification })
  notes.push({ term: t('repeating'), detail: repeating(endpoint) })
  if (takesIfMatch) {
    notes.push({
      term: t('concurrent'),
      detail: t.rich('concurrentText', {
        link: text => <AnchorLink id={anchorId('param', 'header', 'If-Match')}>{text}</AnchorLink>,
      }),
    })
  }
  const events = eventsOf(endpoint.description)
  if (events.length > 0) {
    notes.push({
      term: t('events'),
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
  if (method === 'GET') return t('repeat.read')
  if (version === 'oauth') return t('repeat.oauth')
  if (!takesIdempotencyKey) return t('repeat.same')
  return t.rich('repeat.key', {
    link: text => <AnchorLink id={anchorId('param', 'header', 'Idempotency-Key')}>{text}</AnchorLink>,
  })
}

/** The events a description names: "Writes the events lead.updated (as far as it applies) and lead.restored." */
function eventsOf(description: string): string[] {
  const sentences = description.matchAll(/\b[Ww]rites the events? (.*?)(?:\.(?=\s|$)|$)/gs)
  return [...new Set([...sentences].flatMap(match => match[1]?.match(/\b[a-z_]+\.[a-z_]+\b/g) ?? []))]
}
