// Users: everybody who logs in. Live and test mode share them.
import { readyPart } from '../navigation/lazy_screen.tsx'
import { NounList } from '../nouns/list.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { users } from './user_noun.ts'

const UserForm = readyPart(() => import('./user_form.tsx').then(module => module.UserForm))

export function UsersScreen() {
  return (
    <InLiveMode>
      <UserList />
    </InLiveMode>
  )
}

function UserList() {
  const { permissions } = useSession()
  return (
    <NounList
      noun={users}
      description={
        permissions.has('users:manage')
          ? 'Everybody who logs in. Live and test data have the same users.'
          : 'Everybody who logs in. Live and test data have the same users; Admins change them.'
      }
      createForm={form => <UserForm {...form} />}
    />
  )
}
