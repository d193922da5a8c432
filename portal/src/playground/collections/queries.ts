// What the team keeps, as the server has it. Both modes share it, so it is read and written with the person's live session.
import type { Collection, Environment, SavedRequest } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { apiOf, queryClient } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'

const ENVIRONMENTS = ['playground', 'environments']
const COLLECTIONS = ['playground', 'collections']
const requestsKey = (collectionId: string) => ['playground', 'requests', collectionId]

async function everyOf<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of pages) all.push(item)
  return all
}
const byName = <Item extends { name: string }>(items: Item[]) => items.sort((a, b) => a.name.localeCompare(b.name))

/** What the person may do with what the team keeps. */
export function useRights(): { reads: boolean; writes: boolean; shares: boolean } {
  const { permissions } = useSession()
  const writes = permissions.has('playground:write')
  return { reads: permissions.has('playground:read'), writes, shares: writes && permissions.has('playground:share') }
}

export function useEnvironments() {
  const { reads } = useRights()
  return useQuery({
    queryKey: ENVIRONMENTS,
    enabled: reads,
    queryFn: async ({ signal }) =>
      byName(await everyOf<Environment>(apiOf('live').environments.list.all({ limit: 200 }, { signal }))),
  })
}

export function useCollections(enabled: boolean) {
  const { reads } = useRights()
  return useQuery({
    queryKey: COLLECTIONS,
    enabled: enabled && reads,
    queryFn: async ({ signal }) =>
      byName(await everyOf<Collection>(apiOf('live').collections.list.all({ limit: 200 }, { signal }))),
  })
}

const requestsOf = (collectionId: string) => ({
  queryKey: requestsKey(collectionId),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    everyOf<SavedRequest>(apiOf('live').savedRequests.list.all({ collectionId, limit: 200 }, { signal })),
})

export function useRequests(collectionId: string, enabled: boolean) {
  return useQuery({ ...requestsOf(collectionId), enabled })
}

/** As the server has them now. */
export function freshRequests(collectionId: string): Promise<SavedRequest[]> {
  return queryClient.fetchQuery({ ...requestsOf(collectionId), staleTime: 0 })
}

/** Reads again what was changed. */
export async function refreshEnvironments(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ENVIRONMENTS })
}
export async function refreshCollections(...collectionIds: readonly string[]): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: COLLECTIONS }),
    ...collectionIds.map(id => queryClient.invalidateQueries({ queryKey: requestsKey(id) })),
  ])
}
