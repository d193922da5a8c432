// What was done with a conversation, in one line.
import type { Item } from './views.ts'
import { momentText } from './words.ts'

export function eventText({ author, event }: Item): string {
  if (event === null) return 'Changed'
  const who = author?.name
  const by = (passive: string, active: string) => (who === undefined ? passive : `${who} ${active}`)
  const { assignee, team, snoozedUntil } = event
  switch (event.type) {
    case 'assigned':
      if (assignee !== null && assignee.userId === author?.userId) return `${assignee.name} took it`
      if (assignee !== null) return by(`Assigned to ${assignee.name}`, `assigned it to ${assignee.name}`)
      if (team !== null) return by(`Given to ${team.name}`, `gave it to ${team.name}`)
      return by('Unassigned', 'took the assignee away')
    case 'snoozed': {
      const until = snoozedUntil === null ? '' : ` until ${momentText(snoozedUntil)}`
      return by(`Snoozed${until}`, `snoozed it${until}`)
    }
    case 'woken':
      return 'Back from snoozing'
    case 'reopened':
      return by('Open again', 'opened it again')
    case 'closed':
      return by('Closed', 'closed it')
    case 'attached':
      return by('Joined to a person', 'said who this is')
    case 'merged':
      return by('Joined with another conversation', 'joined it with another conversation')
    default:
      return 'Changed'
  }
}
