// What is decided of imports and batches without asking anybody: what is wrong with a mapping, what came of rows in words, what can be
// undone, and how two lists by cursor are one.
import type { Batch, Import } from '@tandem/sdk'
import type { NounDescription } from '../nouns/noun.ts'
import { listText } from '../words/format.ts'
import { t } from './texts.ts'

export type Target = NonNullable<Import['targets']>[number]
export type Choices = Partial<
  Pick<Import, 'mapping' | 'duplicates' | 'match' | 'lists' | 'dates' | 'decimal' | 'encoding' | 'delimiter'>
>
type Words = Pick<NounDescription, 'words'>

/** "1 company", "12 companies" */
export function countOf({ words }: Words, count: number): string {
  return t('count', { count, ...words })
}

/** What is wrong with the column at a place; undefined where nothing is. */
export function mappingFault(
  { columns, mapping }: Pick<Import, 'columns' | 'mapping'>,
  targets: readonly Target[],
  at: number,
): string | undefined {
  const name = mapping[at]
  const target = targets.find(one => one.name === name)
  if (target === undefined || target.several) return undefined
  const first = mapping.indexOf(target.name)
  if (first === at) return undefined
  return t('fieldTaken', { field: target.label, column: columns[first]?.name ?? '' })
}

/** Fields that every record needs and no column becomes. Rows that name records by their ids need none. */
export function missingFields(
  { fields }: Pick<NounDescription, 'fields'>,
  mapping: Import['mapping'],
): NounDescription['fields'] {
  if (mapping.includes('id')) return []
  return fields.filter(({ name, required, initial }) => required && initial === undefined && !mapping.includes(name))
}

/** Whether a column becomes a field of one of these kinds, or a part of one. */
export function hasKind({ fields }: NounDescription, mapping: Import['mapping'], kinds: readonly string[]): boolean {
  const named = mapping.flatMap(name => (name === null ? [] : [name.split('.')[0]]))
  return fields.some(({ name, kind }) => kinds.includes(kind) && named.includes(name))
}

export const isMoving = ({ state }: Pick<Import | Batch, 'state'>) => state === 'checking' || state === 'running'
export const isDraft = ({ state }: Pick<Import, 'state'>) => state === 'draft' || state === 'checked'

type Counts = Pick<Import, 'created' | 'updated' | 'unchanged' | 'skipped' | 'refused'>

/** What came of the rows, or would, one sentence for each kind that there is. */
export function outcomeTexts({ words }: Words, counts: Counts, isTrial: boolean): string[] {
  const when = isTrial ? 'would' : 'did'
  const texts = (['created', 'updated'] as const).map(kind =>
    counts[kind] > 0 ? t(`${when}.${kind}`, { count: counts[kind], ...words }) : undefined,
  )
  const rows = (['unchanged', 'skipped', 'refused'] as const).map(kind =>
    counts[kind] > 0 ? t(`${when}.${kind}`, { count: counts[kind] }) : undefined,
  )
  return [...texts, ...rows].filter(text => text !== undefined)
}

/** What undoing an import takes away, and what it leaves. */
export function undoTexts({ words }: Words, { created, updated }: Pick<Counts, 'created' | 'updated'>): string[] {
  return [
    ...(created > 0 ? [t('undo.created', { count: created, ...words })] : []),
    ...(updated > 0 ? [t('undo.updated', { count: updated, ...words })] : []),
    t('undo.kept'),
  ]
}

/** What a batch does, for people: "Industry set", "Moved to the trash". */
export function batchText(
  { source, action, fields }: Pick<Batch, 'source' | 'action' | 'fields'>,
  noun: NounDescription,
): string {
  if (source === 'revert') return t('undo')
  if (action !== null) return t(action === 'delete' ? 'trashed' : 'restored')
  const labels = fields.map(name => noun.fields.find(field => field.name === name)?.label ?? name)
  return t('changed', { fields: listText(labels) })
}

export type Undoable = {
  noun: string
  batchId: string
  /** Permissions that it takes beside the one to undo at all. */
  needs: readonly ('update' | 'delete')[]
}

/** What can be undone of an import or a batch; undefined where there is nothing, or it was undone. */
export function undoableOf(entry: Entry): Undoable | undefined {
  const { noun, reverted_by: by } = entry.record
  if (by !== null || isMoving(entry.record)) return undefined
  if (entry.kind === 'import') {
    const { batch_id: batchId, created, updated } = entry.record
    if (batchId === null || created + updated === 0) return undefined
    return { noun, batchId, needs: created > 0 ? ['update', 'delete'] : ['update'] }
  }
  const { id, changed, action } = entry.record
  if (changed === 0) return undefined
  return { noun, batchId: id, needs: action === null ? ['update'] : ['update', 'delete'] }
}

export type Entry = { kind: 'import'; record: Import } | { kind: 'batch'; record: Batch }

type Listed<Item> = { items: readonly Item[]; hasMore: boolean }

/**
 * Two lists, each by its own cursor and the newest first, as one. What is older than the last one of a list that goes on is held back:
 * something newer may still come.
 */
export function newestFirst(imports: Listed<Import>, batches: Listed<Batch>): Entry[] {
  const since = [imports, batches].map(({ items, hasMore }) => (hasMore ? (items.at(-1)?.created_at ?? '') : ''))
  const known = since.sort().at(-1) ?? ''
  const all: Entry[] = [
    ...imports.items.map((record): Entry => ({ kind: 'import', record })),
    ...batches.items.map((record): Entry => ({ kind: 'batch', record })),
  ]
  return all
    .filter(({ record }) => record.created_at >= known)
    .sort((a, b) => (a.record.created_at < b.record.created_at ? 1 : -1))
}
