// The name of who a conversation is with, as a way to their page where there is one that may be seen.
import { useSession } from '../session/session.ts'
import { TextLink } from '../ui/index.ts'
import type { Conversation } from './views.ts'
import { nameOf } from './words.ts'

export function PersonLink({ one, className }: { one: Conversation; className: string | undefined }) {
  const { permissions } = useSession()
  const { kind, recordId } = one.party
  const name = nameOf(one)
  if (recordId === null || kind === 'unknown' || !permissions.has(`${kind}s:read`))
    return (
      <span className={className} dir="auto">
        {name}
      </span>
    )
  const id = kind === 'lead' ? recordId.slice(recordId.indexOf(':') + 1) : recordId
  return (
    <TextLink to={`/${kind}s/$id` as '/leads/$id'} params={{ id }} className={className} dir="auto">
      {name}
    </TextLink>
  )
}
