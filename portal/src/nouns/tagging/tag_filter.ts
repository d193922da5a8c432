// What a list asks of tags, as its address says it: any of some, all of some, or none at all. Pure.
import type { Params } from '../../navigation/params.ts'

export const tagFilterModes = ['any', 'all', 'none'] as const
export type TagFilterMode = (typeof tagFilterModes)[number]
export type TagFilter = { mode: TagFilterMode; ids: readonly string[] }

const listed = (text: string | undefined) => (text ?? '').split(',').filter(Boolean)

/** Of an address that asks for both, "all of" is the one that is edited; both are shown, and asked for. */
export function tagFilterOf(params: Params): TagFilter {
  const all = listed(params['tags[all]'])
  if (all.length > 0) return { mode: 'all', ids: all }
  const any = listed(params['tags'])
  return any.length === 1 && any[0] === 'none' ? { mode: 'none', ids: [] } : { mode: 'any', ids: any }
}

/** The change of the address by which a list asks so. */
export function tagParams({ mode, ids }: TagFilter): Params {
  const text = ids.join(',') || undefined
  return {
    tags: mode === 'none' ? 'none' : mode === 'any' ? text : undefined,
    'tags[all]': mode === 'all' ? text : undefined,
  }
}

export type TagCondition = { parameter: 'tags' | 'tags[all]'; id: string }

/** Each tag that a list asks for, and `none`. */
export function tagConditions(params: Params): readonly TagCondition[] {
  return (['tags', 'tags[all]'] as const).flatMap(parameter => listed(params[parameter]).map(id => ({ parameter, id })))
}

/** The change of the address that takes one out. */
export function withoutTag(params: Params, { parameter, id }: TagCondition): Params {
  return {
    [parameter]:
      listed(params[parameter])
        .filter(other => other !== id)
        .join(',') || undefined,
  }
}
