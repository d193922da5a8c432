// Imports and batches as the screens read them. What is at work is asked for again while it is: its progress has no events.
import type { Batch, Import } from '@tandem/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { spoken } from '../nouns/described/spoken.ts'
import { knownNounBy, loadNoun } from '../nouns/known.ts'
import { apiOf } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { isMoving } from './rules.ts'

const pollMs = 1_000

export const importKey = (mode: Mode, id: string) => [mode, 'import', id]

const whileMoving = ({ state: { data } }: { state: { data: Import | Batch | undefined } }) =>
  data !== undefined && isMoving(data) ? pollMs : (false as const)

export const readImport = async (mode: Mode, id: string, signal: AbortSignal) =>
  (await apiOf(mode).imports.get({ id }, { signal })).import
export const readBatch = async (mode: Mode, id: string, signal: AbortSignal) =>
  (await apiOf(mode).batches.get({ id }, { signal })).batch

export function useImport(id: string) {
  const { mode } = useSession()
  return useQuery({
    queryKey: importKey(mode, id),
    queryFn: ({ signal }) => readImport(mode, id, signal),
    refetchInterval: whileMoving,
    staleTime: 0,
  })
}

/** A batch; null asks for none. */
export function useBatch(id: string | null) {
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, 'batch', id],
    queryFn: ({ signal }) => readBatch(mode, id ?? '', signal),
    refetchInterval: whileMoving,
    staleTime: 0,
    enabled: id !== null,
  })
}

/** What the portal knows of a noun, by its plural. */
export function useNoun(many: string | undefined) {
  const one = many === undefined ? undefined : knownNounBy(many)?.one
  return useQuery({
    queryKey: ['noun', one],
    queryFn: () => loadNoun(one ?? ''),
    select: noun => spoken(noun),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: one !== undefined,
  })
}

/** Has everything read again that an import, a batch or its undo changed: the lists of these, and the records. */
export function useChanged() {
  const cache = useQueryClient()
  const { mode } = useSession()
  return (noun: string) => changed(cache, mode, noun)
}

export function changed(cache: QueryClient, mode: Mode, noun: string): void {
  for (const key of [noun, knownNounBy(noun)?.one, 'import', 'batch', 'imports and changes'])
    void cache.invalidateQueries({ queryKey: [mode, key] })
}
