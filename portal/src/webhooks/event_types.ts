// The types of events there are, grouped by what they are about.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { Option } from '../ui/index.ts'
import { t } from './texts.ts'

export type EventType = { type: string; description: string }
export type EventGroup = { noun: string; name: string; types: readonly EventType[] }

/** `opt_out` → "opt-out": what its types are about. */
const nameOfNoun = (noun: string) => t.of('noun', noun) ?? noun.replaceAll('_', ' ')

function groupsOf(types: readonly EventType[]): EventGroup[] {
  const groups = Map.groupBy(types, ({ type }) => type.split('.')[0] ?? '')
  return [...groups].map(([noun, types]) => ({ noun, name: nameOfNoun(noun), types }))
}

/** Asked for once: they change with the server's version only. */
export function useEventGroups(): UseQueryResult<EventGroup[]> {
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, 'event types'],
    queryFn: ({ signal }) => apiOf(mode).webhooks.eventTypes({}, { signal }),
    select: ({ eventTypes }) => groupsOf(eventTypes),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** For a field to choose one type, or all about one thing. */
export function typeOptions(groups: readonly EventGroup[], nouns?: readonly string[]): Option[] {
  return groups
    .filter(({ noun }) => nouns === undefined || nouns.includes(noun))
    .flatMap(({ noun, name, types }) => [
      { value: `${noun}.*`, label: t('allOf', { name }) },
      ...types.map(({ type }) => ({ value: type, label: type })),
    ])
}

/** "All events", or the types with commas. */
export function typesText(eventTypes: readonly string[] | null): string {
  return eventTypes === null ? t('allEvents') : eventTypes.join(', ')
}
