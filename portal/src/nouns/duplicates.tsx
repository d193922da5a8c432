// Other records that are the same by something, on the page of one; they are compared and merged by who may.

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, TextLink } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { type Duplicate, useNounApi } from './api.ts'
import { isList } from './drafts.ts'
import { fieldNamed, type NounDescription, type NounField, type NounRecord, pathOf, within } from './noun.ts'
import styles from './nouns.module.css'
import { useMayMerge } from './rights.ts'
import { t } from './texts.ts'

const MergeDialog = readyPart(() => import('./merging/merge_dialog.tsx').then(module => module.MergeDialog))

function useDuplicates(noun: NounDescription, { id, version }: NounRecord): readonly Duplicate[] {
  const { mode } = useSession()
  const own = useNounApi(noun)
  const { data = [] } = useQuery<readonly Duplicate[]>({
    queryKey: [mode, noun.one, String(id), 'duplicates', version],
    queryFn: ({ signal }) => own.duplicates(id, signal),
    enabled: noun.verbs.includes('duplicates'),
  })
  return data
}

/** Which text says that they are the same by a field. */
const sameBy = (field: NounField | undefined) => (field !== undefined && isList(field) ? 'list' : 'field')

/** @param record one that is not in the trash */
export function DuplicatesNote({ noun, record }: { noun: NounDescription; record: NounRecord }) {
  const found = useDuplicates(noun, record)
  const mayMerge = useMayMerge(noun)
  const navigate = useNavigate()
  const [isMerging, setMerging] = useState(false)
  const path = `${pathOf(noun)}/$id` as '/leads/$id'
  const id = String(record.id)
  if (found.length === 0) return null
  return (
    <section className={styles['duplicates']} aria-labelledby={`duplicates-${id}`}>
      <h2 id={`duplicates-${id}`}>{t('same.title', { count: found.length + 1, many: noun.words.many })}</h2>
      <ul>
        {found.map(({ id: other, title, matched_by: field }) => (
          <li key={other}>
            {t.rich(`same.${sameBy(fieldNamed(noun, field))}`, {
              name: title,
              field: within(fieldNamed(noun, field)?.label ?? field),
              link: text => (
                <TextLink to={path} params={{ id: String(other) }}>
                  {text}
                </TextLink>
              ),
            })}
          </li>
        ))}
      </ul>
      {mayMerge(found.length + 1) && <Button onClick={() => setMerging(true)}>{t('same.compare')}</Button>}
      {isMerging && (
        <MergeDialog
          noun={noun}
          ids={[id, ...found.map(other => String(other.id))]}
          into={id}
          onClose={() => setMerging(false)}
          onMerged={into => {
            setMerging(false)
            if (into !== id) void navigate({ to: path, params: { id: into }, replace: true })
          }}
        />
      )}
    </section>
  )
}
