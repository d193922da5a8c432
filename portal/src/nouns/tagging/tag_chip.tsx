// A tag as a word with its color.
import type { ReactNode } from 'react'
import styles from './tagging.module.css'
import type { AssignedTag } from './use_tags.ts'

export function TagChip({
  tag: { name, color },
  children,
}: {
  tag: Pick<AssignedTag, 'name' | 'color'>
  children?: ReactNode
}) {
  return (
    <span className={styles['tag']} data-color={color}>
      {name}
      {children}
    </span>
  )
}

/** Several in one line. */
export function TagChips({ tags }: { tags: readonly AssignedTag[] }) {
  return (
    <span className={styles['inRow']}>
      {tags.map(tag => (
        <TagChip key={tag.id} tag={tag} />
      ))}
    </span>
  )
}
