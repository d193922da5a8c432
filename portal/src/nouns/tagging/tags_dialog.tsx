// Puts tags on the records that are selected, and takes others off; what could not be changed is named.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../forms/form.tsx'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { toast } from '../../ui/index.ts'
import type { BulkReply } from '../api.ts'
import { Failures } from '../failures.tsx'
import { type NounDescription, type NounRecord, recordIdOf } from '../noun.ts'
import { t as tNouns } from '../texts.ts'
import { TagSet } from './tag_picker.tsx'
import styles from './tagging.module.css'
import { t } from './texts.ts'
import { useTagsOf } from './use_tags.ts'

export type TagsDialogProps = {
  noun: NounDescription
  records: readonly NounRecord[]
  onClose(): void
  onDone(): void
}

/** Of one request. */
const maxAtOnce = 1_000

export function TagsDialog({ noun, records, onClose, onDone }: TagsDialogProps) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [add, setAdd] = useState<readonly string[]>([])
  const [remove, setRemove] = useState<readonly string[]>([])
  const [failed, setFailed] = useState<BulkReply['failed']>([])
  const tags = [...useTagsOf(noun, records, true).values()].flat()
  const theirs = [...new Map(tags.map(tag => [tag.id, tag])).values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const assign = useMutation({
    async mutationFn() {
      const ids = records.map(({ id }) => recordIdOf(noun, id))
      let changed = 0
      const refused: BulkReply['failed'][number][] = []
      for (let at = 0; at < ids.length; at += maxAtOnce) {
        const part = { record_ids: ids.slice(at, at + maxAtOnce), add: [...add], remove: [...remove] }
        const reply = await api.tags.assign(part)
        changed += reply.changed
        refused.push(...reply.failed)
      }
      return { changed, failed: refused }
    },
    onSuccess({ changed, failed: refused }) {
      for (const queryKey of [
        [mode, 'tags of'],
        [mode, 'on a record', 'tag'],
        [mode, noun.many],
      ])
        void cache.invalidateQueries({ queryKey })
      setFailed(refused)
      const { one, many } = noun.words
      toast({ text: changed === 0 ? t('same') : t('changed', { count: changed, one, many }) })
      if (refused.length > 0) return
      onDone()
      onClose()
    },
  })
  const nameOf = (id: string) => records.find(one => recordIdOf(noun, one.id) === id)
  return (
    <FormDialog
      title={t('title', { count: records.length, one: noun.words.one, many: noun.words.many })}
      description={t('text')}
      faults={assign.error === null ? {} : { general: faultText(assign.error) }}
      className={styles['dialog']}
      action={tNouns('save')}
      busy={assign.isPending}
      disabled={add.length + remove.length === 0}
      onSubmit={() => assign.mutate()}
      onClose={onClose}
    >
      <TagSet
        label={t('add')}
        chosen={add}
        mayCreate={permissions.has('tags:create')}
        onChange={ids => {
          setAdd(ids)
          setRemove(remove.filter(id => !ids.includes(id)))
        }}
      />
      {theirs.length > 0 && (
        <TagSet
          label={t('remove')}
          among={theirs.filter(({ id }) => !add.includes(id))}
          chosen={remove}
          onChange={setRemove}
        />
      )}
      <Failures noun={noun} recordOf={id => nameOf(String(id))} failed={failed} />
    </FormDialog>
  )
}
