// The tags of a record: seen at its head, put on and taken off by those who may.
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { Button, IconButton } from '../../ui/index.ts'
import { TagPicker } from '../pickers.ts'
import { TagChip } from '../tagging/tag_chip.tsx'
import type { AssignedTag } from '../tagging/use_tags.ts'
import { useAct } from '../use_act.ts'
import own from './attached.module.css'
import { t } from './texts.ts'
import { useAttached } from './use_attached.ts'

export function Tags({ recordId, mayWrite }: { recordId: string; mayWrite: boolean }) {
  const api = useApi()
  const { permissions } = useSession()
  const [adding, setAdding] = useState(false)
  const { query, changed } = useAttached({ kind: 'tag', recordId }, async signal => {
    const reply = await api.tags.assigned({ record_ids: recordId }, { signal })
    return reply.tagged_records.flatMap(({ tags }) => tags) as AssignedTag[]
  })
  const items = query.data ?? []
  const act = useAct(changed)
  const mayTag = mayWrite && permissions.has('tags:assign')
  const assign = (change: { add?: string[]; remove?: string[] }) =>
    act.mutate(() => api.tags.assign({ record_ids: [recordId], ...change }))
  return (
    <div className={own['tags']}>
      {items.map(({ id, name, color }) => (
        <TagChip key={id} tag={{ name, color }}>
          {mayTag && (
            <IconButton
              size="sm"
              label={t('tagRemove', { name })}
              icon={<X size={12} />}
              onClick={() => assign({ remove: [id] })}
            />
          )}
        </TagChip>
      ))}
      {mayTag &&
        (adding ? (
          <TagPicker
            label={t('tagAdd')}
            hideLabel
            chosen={items.map(({ id }) => id)}
            mayCreate={permissions.has('tags:create')}
            onClose={() => setAdding(false)}
            onChoose={tag => {
              setAdding(false)
              assign({ add: [tag] })
            }}
          />
        ) : (
          <Button size="sm" variant="ghost" icon={<Plus size={12} />} onClick={() => setAdding(true)}>
            {t('tag')}
          </Button>
        ))}
    </div>
  )
}
