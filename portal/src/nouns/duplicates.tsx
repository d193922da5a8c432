// Other records that are the same by something, on the page of one; they are compared and merged by who may.

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, countText, TextLink } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { type Duplicate, useNounApi } from './api.ts'
import { isList } from './drafts.ts'
import { fieldNamed, type NounDescription, type NounField, type NounRecord, pathOf } from './noun.ts'
import styles from './nouns.module.css'
import { useMayMerge } from './rights.ts'

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

function sameness(field: NounField | undefined, name: string): string {
  const label = (field?.label ?? name).toLowerCase()
  return field !== undefined && isList(field) ? `one of the same ${label}` : `the same ${label}`
}

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
      <h2 id={`duplicates-${id}`}>{`${countText(found.length + 1)} ${noun.words.many} look the same`}</h2>
      <ul>
        {found.map(({ id: other, title, matched_by: field }) => (
          <li key={other}>
            <TextLink to={path} params={{ id: String(other) }}>
              {title}
            </TextLink>
            {` has ${sameness(fieldNamed(noun, field), field)}.`}
          </li>
        ))}
      </ul>
      {mayMerge(found.length + 1) && <Button onClick={() => setMerging(true)}>Compare and merge</Button>}
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
