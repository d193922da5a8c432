// When something is due, as a chip that draws the eye the more the later it is.
import type { ReactNode } from 'react'
import { Chip, Day } from '../ui/index.ts'
import { dueWords } from './due_days.ts'

export type DueProps = {
  date: string
  /** The day where the organization is; nothing is said before it is known. */
  today: string | undefined
  isOverdue: boolean
  /** Far from now; the day itself where nothing is said. */
  otherwise?: ReactNode
}

/** Of something that is still owed. */
export function Due({ date, today, isOverdue, otherwise = <Day date={date} /> }: DueProps) {
  const words = today === undefined ? undefined : dueWords(date, today, isOverdue)
  return words === undefined ? otherwise : <Chip tone={words.tone}>{words.text}</Chip>
}
