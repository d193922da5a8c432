// The mark of a person or a company: their initials on a colour that their name chooses, the same on every screen. It says nothing that
// the name beside it does not, so screen readers pass it over.
import { classes } from './button.tsx'
import styles from './initials.module.css'
import { initialsOf, toneOfName } from './initials_of.ts'

export type InitialsProps = {
  name: string
  size?: 'sm' | 'md' | 'lg'
  /** A company has corners. */
  shape?: 'person' | 'company'
}

export function Initials({ name, size = 'md', shape = 'person' }: InitialsProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        styles['initials'],
        styles[`tone${toneOfName(name)}`],
        size !== 'md' && styles[size],
        shape === 'company' && styles['square'],
      )}
    >
      {initialsOf(name)}
    </span>
  )
}
