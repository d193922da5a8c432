// When something is due, as a chip that draws the eye the more the later it is.
import { Chip, Day } from '../ui/index.ts'
import { dueWords, localToday } from './due_days.ts'

/** Of something that is still owed. */
export function Due({ date, isOverdue }: { date: string; isOverdue: boolean }) {
  const words = dueWords(date, localToday(), isOverdue)
  return words === undefined ? <Day date={date} /> : <Chip tone={words.tone}>{words.text}</Chip>
}
