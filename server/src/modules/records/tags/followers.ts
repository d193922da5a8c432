// What a merge moves: the tags of records that were merged, and the records of tags that were.
import { allHosts } from '../../../kernel/noun/hosts.ts'
import type { Follower } from '../../../kernel/noun/registry.ts'
import { moveTagged, moveTagsOfRecords } from './store.ts'

/** Of every noun that holds tags, and of tags; asked for once all nouns are known. */
export function followers(): readonly Follower[] {
  const ofRecords = allHosts().map(
    ({ name }): Follower => ({
      of: name,
      follow: (tx, principal, ids, into) => moveTagsOfRecords(tx, principal, ids, into),
    }),
  )
  return [...ofRecords, { of: 'tag', follow: (tx, principal, ids, into) => moveTagged(tx, principal, ids, into) }]
}
