// One user, with what they may do.
import { withArticle } from '@tandem/catalog/plural'
import { useParams } from '@tanstack/react-router'
import type { NounRecord } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Card, Chip } from '../ui/index.ts'
import { type Kept, useHolds, useKept, useMember } from './member.ts'
import { choiceOf } from './role_picker.tsx'
import { RightsList, rightsIn, useHeldBy } from './role_rights.tsx'
import { UserActions } from './user_actions.tsx'
import { type UserRecord, users } from './user_noun.ts'

export function UserPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <InLiveMode>
      <Page id={id} />
    </InLiveMode>
  )
}

function Page({ id }: { id: string }) {
  const { permissions } = useSession()
  const member = useMember(Number(id), permissions.has('users:manage') && Number(id) > 0)
  const holds = useHolds()
  // The e-mail of an account that is in other organizations too is its own alone.
  const mayChange = (record: NounRecord, field: string) =>
    member !== undefined && holds(record['role'] as UserRecord['role']) && !(field === 'email' && member.isShared)
  return (
    <NounPage
      noun={{ ...users, mayChange }}
      id={id}
      mark="person"
      about={about}
      actions={shown => <UserActions user={shown as UserRecord} />}
    >
      {shown => <Rights user={shown as UserRecord} />}
    </NounPage>
  )
}

/** Their role, and that they are shut out, where they are. */
function about(shown: NounRecord) {
  const { role, roleName, disabled } = shown as UserRecord
  return (
    <>
      {roleName ?? role}
      {disabled && <Chip tone="warn">Disabled</Chip>}
    </>
  )
}

const keptTexts: Readonly<Record<Kept, { title: string; text: string }>> = {
  owner: {
    title: 'The owner of the organization',
    text: 'Who owns the organization stays an active Admin and a member of it. The owner hands it over to another Admin in the settings of the organization; then that can be changed here.',
  },
  was_owner: {
    title: 'Owner until a moment ago',
    text: 'Who handed the organization over can take it back for 72 hours, and stays an active Admin so long.',
  },
  last_admin: {
    title: 'The only active Admin',
    text: 'An organization always has one, so role and standing stay as they are. Make somebody else an Admin first; then they can be changed here.',
  },
}

function Rights({ user }: { user: UserRecord }) {
  const { user: self, permissions } = useSession()
  const state = user.disabled ? 'disabled' : 'active'
  const kept = useKept({ role: user.role, roleId: user.roleId, state, userId: user.id })
  const held = useHeldBy(choiceOf(user))
  const title = `What ${withArticle(user.roleName ?? user.role)} may do`
  return (
    <>
      {kept != null && permissions.has('users:manage') && (
        <Card title={keptTexts[kept].title}>
          <p>{keptTexts[kept].text}</p>
        </Card>
      )}
      <Card title={title} actions={user.id === self.id && <Chip tone="accent">You</Chip>}>
        {held !== undefined && <RightsList label={title} list={rightsIn(held.permissions)} />}
      </Card>
    </>
  )
}
