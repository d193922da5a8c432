// Chooses a tag by its name, and creates one by a name that is none yet, where that is offered; and the tags that were chosen so far.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { faultText } from '../../ui/faults.ts'
import { IconButton, toast } from '../../ui/index.ts'
import { TagChip } from './tag_chip.tsx'
import styles from './tagging.module.css'
import { t } from './texts.ts'
import { type AssignedTag, useAllTags } from './use_tags.ts'

export type TagPickerProps = {
  label: string
  hideLabel?: boolean
  /** Those that are not offered any more. */
  chosen: readonly string[]
  /** Those that are offered, where it is not all. */
  among?: readonly AssignedTag[]
  mayCreate?: boolean
  onChoose(id: string): void
  /** Nothing was chosen. */
  onClose?(): void
}

export function TagPicker({
  label,
  hideLabel = false,
  chosen,
  among,
  mayCreate = false,
  onChoose,
  onClose,
}: TagPickerProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const query = useAllTags()
  const known = among ?? query.data
  const tags = known ?? []
  const take = useMutation({
    async mutationFn(text: string) {
      // A name that was typed before the list came may be in it.
      const all = known ?? (await query.refetch({ cancelRefetch: false, throwOnError: true })).data ?? []
      const tag = tagOf(all, text)
      if (tag !== undefined || !mayCreate) return tag?.id
      const { id } = (await api.tags.create({ name: text })).tag
      await cache.invalidateQueries({ queryKey: [mode, 'tags'] })
      return id
    },
    onSuccess: id => (id === undefined ? onClose?.() : onChoose(id)),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  const choose = (text: string) => {
    const tag = tagOf(tags, text)
    if (tag !== undefined) return onChoose(tag.id)
    if (text.trim() === '' || (known !== undefined && !mayCreate)) return onClose?.()
    return take.mutate(text.trim())
  }
  return (
    <Combobox
      label={label}
      hideLabel={hideLabel}
      placeholder={t('name')}
      freeText={mayCreate}
      isLoading={known === undefined}
      options={tags.filter(({ id }) => !chosen.includes(id)).map(({ id, name }) => ({ value: id, label: name }))}
      value=""
      onChange={choose}
    />
  )
}

/** The one of this id or name. */
function tagOf(tags: readonly AssignedTag[], text: string): AssignedTag | undefined {
  return tags.find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())
}

/** How many tags one request puts on, takes off or asks for. */
const maxChosen = 20

export type TagSetProps = Pick<TagPickerProps, 'label' | 'among' | 'mayCreate'> & {
  chosen: readonly string[]
  onChange(ids: readonly string[]): void
}

/** Several tags: those that were chosen, and the way to one more. */
export function TagSet({ label, chosen, onChange, ...picker }: TagSetProps) {
  const all = useAllTags().data ?? []
  const known = (id: string) => all.find(tag => tag.id === id) ?? picker.among?.find(tag => tag.id === id)
  return (
    <div className={styles['filter']}>
      {chosen.length < maxChosen && (
        <TagPicker {...picker} label={label} chosen={chosen} onChoose={id => onChange([...chosen, id])} />
      )}
      {chosen.length > 0 && (
        <ul className={styles['chips']} aria-label={t('chosen', { label })}>
          {chosen.map(id => {
            const tag = known(id) ?? { name: '…', color: 'gray' as const }
            return (
              <li key={id}>
                <TagChip tag={tag}>
                  <IconButton
                    size="sm"
                    label={t('leaveOut', { name: tag.name })}
                    icon={<X size={12} />}
                    onClick={() => onChange(chosen.filter(other => other !== id))}
                  />
                </TagChip>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
