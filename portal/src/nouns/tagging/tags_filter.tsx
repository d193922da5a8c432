// Filters a list by tags: in the drawer of all filters, and as chips above the list, each of which can be taken out.
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Params } from '../../navigation/params.ts'
import { IconButton, SelectField } from '../../ui/index.ts'
import { t as tNouns } from '../texts.ts'
import { TagChip } from './tag_chip.tsx'
import { type TagFilterMode, tagConditions, tagFilterModes, tagFilterOf, tagParams, withoutTag } from './tag_filter.ts'
import { TagSet } from './tag_picker.tsx'
import styles from './tagging.module.css'
import { t } from './texts.ts'
import { useAllTags } from './use_tags.ts'

export type TagsFilterProps = { params: Params; onChange(patch: Params): void }

export function TagsFilter({ params, onChange }: TagsFilterProps) {
  const asked = tagFilterOf(params)
  // While nothing is chosen, the address does not say which way is meant.
  const [mode, setMode] = useState<TagFilterMode>(asked.mode)
  const chosen = asked.ids.filter(id => id !== 'none')
  return (
    <div className={styles['filter']}>
      <SelectField
        label={tNouns('tags')}
        options={tagFilterModes.map(value => ({ value, label: t(`mode.${value}`) }))}
        value={mode}
        onChange={event => {
          const next = event.target.value as TagFilterMode
          setMode(next)
          onChange(tagParams({ mode: next, ids: chosen }))
        }}
      />
      {mode !== 'none' && (
        <TagSet label={t('filter')} chosen={chosen} onChange={ids => onChange(tagParams({ mode, ids }))} />
      )}
    </div>
  )
}

export function TagFilterChips({ params, onChange }: TagsFilterProps) {
  const all = useAllTags()
  const conditions = Map.groupBy(tagConditions(params), ({ parameter }) => parameter)
  return (
    <section className={styles['bar']} aria-label={t('filters')}>
      {[...conditions].map(([parameter, asked]) => (
        <div key={parameter} className={styles['chips']}>
          <span>{t(asked.length === 1 ? 'tagged' : parameter === 'tags' ? 'anyOf' : 'allOf')}</span>
          {asked.map(condition => {
            const { id } = condition
            const found = all.data?.find(tag => tag.id === id)
            const name = id === 'none' ? t('without') : (found?.name ?? (all.isPending ? '…' : t('gone')))
            return (
              <TagChip key={id} tag={{ name, color: found?.color ?? 'gray' }}>
                <IconButton
                  size="sm"
                  label={t('unfilter', { name })}
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
