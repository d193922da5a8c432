// What the person may do with a record of a noun: by their role, by its owner where roles keep to their own records, and by its state.
import { useSession } from '../session/session.ts'
import { formFields } from './drafts.ts'
import { knownNoun } from './known.ts'
import { movesOf, type NounDescription, type NounField, type NounRecord, permissionOf } from './noun.ts'

/** Whether the person keeps to records that they own. */
export function useIsOwnOnly({ rows }: NounDescription): boolean {
  const { user } = useSession()
  return rows?.own.includes(user.role) === true
}

/** Whether the person may change a record, or one of its fields, as it is now; those in the trash are changed by nobody. */
export function useMayChange(noun: NounDescription): (record: NounRecord, field?: NounField) => boolean {
  const { user, permissions } = useSession()
  const isOwnOnly = useIsOwnOnly(noun)
  const may = noun.verbs.includes('update') && permissions.has(permissionOf(noun, 'update'))
  const fields = formFields(noun, isOwnOnly)
  const mayField = (record: NounRecord, field: NounField) => {
    if (!fields.includes(field)) return false
    // A record that cannot be looked up cannot be chosen.
    const of = field.kind === 'ref' || field.kind === 'refs' ? knownNoun(field.of ?? '') : undefined
    if (of !== undefined && !permissions.has(`${of.many}:read`)) return false
    if (field.kind === 'state' && movesOf(noun, field, record).length === 0) return false
    return noun.mayChange?.(record, field.name) ?? true
  }
  return (record, field) =>
    may &&
    record.deleted_at == null &&
    (!isOwnOnly || record[noun.rows?.owner ?? ''] === user.id) &&
    (field === undefined ? fields.some(one => mayField(record, one)) : mayField(record, field))
}

/** Whether the person may make one record of several; where `count` is said, of so many. */
export function useMayMerge({ verbs, maxMerged = 0, ...noun }: NounDescription): (count?: number) => boolean {
  const { permissions } = useSession()
  const may = verbs.includes('merge') && permissions.has(permissionOf(noun, 'delete'))
  return (count = 2) => may && count >= 2 && count <= maxMerged
}

/** Whether the person may import files of records. */
export function useMayImport(noun: NounDescription): boolean {
  const { permissions } = useSession()
  return (
    noun.verbs.includes('import') && permissions.has('imports:run') && permissions.has(permissionOf(noun, 'create'))
  )
}

/** Whether the person may take a record that nobody owns. */
export function useMayTake(noun: NounDescription): (record: NounRecord) => boolean {
  const { permissions } = useSession()
  const isOwnOnly = useIsOwnOnly(noun)
  const may = isOwnOnly && permissions.has(permissionOf(noun, 'update'))
  return record => may && record.deleted_at == null && record[noun.rows?.owner ?? ''] == null
}
