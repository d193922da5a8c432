// The name of who a conversation is with, as a way to their page where there is one that may be seen.
import { nouns } from '../navigation/nouns.generated.ts'
import { ownIdOf } from '../nouns/noun.ts'
import { useSession } from '../session/session.ts'
import { TextLink } from '../ui/index.ts'
import type { Conversation } from './views.ts'
import { nameOf } from './words.ts'

export function PersonLink({ one, className }: { one: Conversation; className: string | undefined }) {
  const { permissions } = useSession()
  const { kind, recordId } = one.party
  const name = nameOf(one)
  const noun = kind === 'unknown' ? undefined : nouns[kind]
  if (recordId === null || noun === undefined || !permissions.has(`${noun.many}:read`))
    return (
      <span className={className} dir="auto">
        {name}
      </span>
    )
  const id = String(ownIdOf({ one: kind, ...noun }, recordId))
  return (
    <TextLink to={`/${noun.many}/$id` as '/leads/$id'} params={{ id }} className={className} dir="auto">
      {name}
    </TextLink>
  )
}
