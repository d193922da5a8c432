// Environments and collections go to another person with all else that somebody owns.
import { emit } from '../../../kernel/data/events.ts'
import type { Owned } from '../../../kernel/noun/ownership.ts'
import { countOwnedBy, giveOwned, type KeptTable } from './visible_store.ts'

function owned(
  name: string,
  table: KeptTable,
  [type, id]: readonly ['environment.updated' | 'collection.updated', string],
): Owned {
  return {
    name,
    count: (tx, scope, userId) => countOwnedBy(tx, table, scope, userId),
    async give(tx, author, giving, limit) {
      const rows = await giveOwned(tx, table, author, giving, limit)
      const by = { userId: author.userId, keyId: author.keyId }
      const events = rows.map(row => ({
        type,
        resourceId: row.id,
        data: {
          [id]: row.id,
          ...(row.shared && { name: row.name }),
          ownerId: row.owner_id,
          shared: row.shared,
          changed: ['ownerId'],
          by,
        },
      }))
      await emit(tx, author, ...events)
      return { given: rows.length, more: rows.length > 0 }
    },
  }
}

export const ownedEnvironments = owned('environments', 'playground_environments', [
  'environment.updated',
  'environmentId',
])
export const ownedCollections = owned('collections', 'playground_collections', ['collection.updated', 'collectionId'])
