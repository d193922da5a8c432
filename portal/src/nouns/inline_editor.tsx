// Edits one field of a record where it stands: Enter saves, Escape leaves it as it was. What the server finds wrong stands below.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isStale } from '../forms/faults.ts'
import { useSession } from '../session/session.ts'
import { IconButton } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import { useNounApi } from './api.ts'
import { draftOf, isList, refuseUnclearDrafts, sentOf } from './drafts.ts'
import { FieldEditor } from './editors.tsx'
import { useFieldFaults } from './field_faults.ts'
import { focusWhenThere } from './focus_when_there.ts'
import { type NounDescription, type NounField, type NounRecord, offeredOf, within } from './noun.ts'
import styles from './nouns.module.css'
import { t } from './texts.ts'

export type InlineEditorProps = {
  noun: NounDescription
  record: NounRecord
  field: NounField
  onSaved(record: NounRecord): void
  onClose(): void
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export function InlineEditor({ noun, record, field, onSaved, onClose }: InlineEditorProps) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const cache = useQueryClient()
  const box = useRef<HTMLFieldSetElement>(null)
  const [begun] = useState(() => ({ draft: draftOf(field, record[field.name]), version: record.version }))
  const [draft, setDraft] = useState(begun.draft)
  const save = useMutation({
    mutationFn: async (version: number) => {
      refuseUnclearDrafts([field], { [field.name]: draft })
      return own.update(record.id, { [field.name]: sentOf(field, draft) }, version)
    },
    onSuccess(saved) {
      cache.setQueryData([mode, noun.one, String(saved.id)], saved)
      onSaved(saved)
    },
  })
  const faults = useFieldFaults(save.error, [field.name])
  // The choice of a record may still be on its way.
  useEffect(() => (box.current === null ? undefined : focusWhenThere(box.current)), [])
  const commit = () => {
    if (isSame(draft, begun.draft)) return onClose()
    if (save.isPending) return
    // Changes of other fields come with the record while it is edited. One of this field is overwritten only by who has read of it.
    const isSeen = isStale(save.error) || isSame(draftOf(field, record[field.name]), begun.draft)
    save.mutate(isSeen ? record.version : begun.version)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
    const isArea = event.target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey
    if (event.key === 'Enter' && !isArea && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      commit()
    }
  }
  const isRefused = isStale(save.error)
  const fault = isRefused ? t('changedMeanwhile') : (faults.faultOf(field.name) ?? faults.general)
  useEffect(() => {
    if (!isRefused) return
    void cache.invalidateQueries({ queryKey: [mode, noun.one] })
    void cache.invalidateQueries({ queryKey: [mode, noun.many] })
  }, [isRefused, cache, mode, noun.one, noun.many])
  return (
    <fieldset ref={box} className={styles['inline']} data-list={isList(field) || undefined} onKeyDown={onKeyDown}>
      <legend className="visually-hidden">{t('editNamed', { name: within(field.label) })}</legend>
      <FieldEditor
        field={offeredOf(noun, field, record)}
        hideLabel
        draft={draft}
        error={fault}
        onChange={next => {
          faults.mend(field.name)
          setDraft(next)
        }}
      />
      <span className={styles['inlineActions']}>
        <IconButton label={t('save')} size="sm" busy={save.isPending} icon={<Check size={14} />} onClick={commit} />
        <IconButton label={t('cancel')} size="sm" icon={<X size={14} />} onClick={onClose} />
      </span>
    </fieldset>
  )
}
