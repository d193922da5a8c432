// One user, with what they may do.
import { withArticle } from '@tandem/catalog/plural'
import { useParams } from '@tanstack/react-router'
import { NounPage } from '../nouns/record_page.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Card, Chip } from '../ui/index.ts'
import { RightsList, rightsOf } from './role_rights.tsx'
import { UserActions, useIsLastAdmin } from './user_actions.tsx'
import { type UserRecord, users } from './user_noun.ts'

export function UserPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <InLiveMode>
      <NounPage noun={users} id={id} actions={shown => <UserActions user={shown as UserRecord} />}>
        {shown => <Rights user={shown as UserRecord} />}
      </NounPage>
    </InLiveMode>
  )
}

function Rights({ user }: { user: UserRecord }) {
  const { user: self } = useSession()
  const isLastAdmin = useIsLastAdmin(user)
  const title = `What ${withArticle(user.role)} may do`
  return (
    <>
      {isLastAdmin === true && (
        <Card title="The only active Admin">
          <p>
            An organization always has one, so role and standing stay as they are. Make somebody else an Admin first;
            then they can be changed here.
          </p>
        </Card>
      )}
      <Card title={title} actions={user.id === self.id && <Chip tone="accent">You</Chip>}>
        <RightsList label={title} list={rightsOf(user.role)} />
      </Card>
    </>
  )
}
