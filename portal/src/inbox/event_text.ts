// What was done with a conversation, in one line.
import { t } from './texts.ts'
import type { Item } from './views.ts'
import { momentText } from './words.ts'

type Event = NonNullable<Item['event']>

export function eventText({ author, event }: Item): string {
  if (event === null) return t('event.changed')
  if (event.type === 'woken') return t('event.woken')
  if (event.type === 'assigned') return assignedText(event, author)
  const name = author?.name
  const { type, snoozedUntil } = event
  if (type === 'snoozed') {
    const time = momentText(snoozedUntil ?? '')
    return name === undefined ? t('event.snoozed', { time }) : t('event.snoozed.by', { name, time })
  }
  return name === undefined ? t(`event.${type}`) : t(`event.${type}.by`, { name })
}

function assignedText({ assignee, team }: Event, author: Item['author']): string {
  const name = author?.name
  const to = assignee?.name ?? team?.name
  if (to === undefined) return name === undefined ? t('event.unassigned') : t('event.unassigned.by', { name })
  if (assignee !== null && assignee.userId === author?.userId) return t('event.took', { name: to })
  return name === undefined ? t('event.assigned', { to }) : t('event.assigned.by', { name, to })
}
