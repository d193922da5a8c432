// Filters a list by tags: in the drawer of all filters, and as chips above the list, each of which can be taken out.
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Params } from '../../navigation/params.ts'
import { IconButton, SelectField } from '../../ui/index.ts'
import { TagChip } from './tag_chip.tsx'
import { type TagFilterMode, tagConditions, tagFilterModes, tagFilterOf, tagParams, withoutTag } from './tag_filter.ts'
import { TagSet } from './tag_picker.tsx'
import styles from './tagging.module.css'
import { useAllTags } from './use_tags.ts'

const words: Record<TagFilterMode, string> = { any: 'Any of these', all: 'All of these', none: 'Without tags' }

export type TagsFilterProps = { params: Params; onChange(patch: Params): void }

export function TagsFilter({ params, onChange }: TagsFilterProps) {
  const asked = tagFilterOf(params)
  // While nothing is chosen, the address does not say which way is meant.
  const [mode, setMode] = useState<TagFilterMode>(asked.mode)
  const chosen = asked.ids.filter(id => id !== 'none')
  return (
    <div className={styles['filter']}>
      <SelectField
        label="Tags"
        options={tagFilterModes.map(value => ({ value, label: words[value] }))}
        value={mode}
        onChange={event => {
          const next = event.target.value as TagFilterMode
          setMode(next)
          onChange(tagParams({ mode: next, ids: chosen }))
        }}
      />
      {mode !== 'none' && (
        <TagSet label="Tag to filter by" chosen={chosen} onChange={ids => onChange(tagParams({ mode, ids }))} />
      )}
    </div>
  )
}

const before = { tags: 'Any of', 'tags[all]': 'All of' } as const

export function TagFilterChips({ params, onChange }: TagsFilterProps) {
  const all = useAllTags()
  const conditions = Map.groupBy(tagConditions(params), ({ parameter }) => parameter)
  return (
    <section className={styles['bar']} aria-label="Filters by tags">
      {[...conditions].map(([parameter, asked]) => (
        <div key={parameter} className={styles['chips']}>
          <span>{asked.length === 1 ? 'Tagged' : before[parameter]}</span>
          {asked.map(condition => {
            const { id } = condition
            const found = all.data?.find(tag => tag.id === id)
            const name = id === 'none' ? 'without tags' : (found?.name ?? (all.isPending ? '…' : 'a tag that is gone'))
            return (
              <TagChip key={id} tag={{ name, color: found?.color ?? 'gray' }}>
                <IconButton
                  size="sm"
                  label={`Do not filter by ${name}`}
                  icon={<X size={12} />}
                  onClick={() => onChange(withoutTag(params, condition))}
                />
              </TagChip>
            )
          })}
        </div>
      ))}
    </section>
  )
}
