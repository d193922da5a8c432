// Users by their names, wherever a record, a key or a request names one by a number.
import { useSession } from '../session/session.ts'
import { TextLink } from '../ui/index.ts'
import { useName } from './names.ts'
import { t } from './texts.ts'

/** The name of a user. */
export function UserName({ id }: { id: number }) {
  const name = useName('user', id)
  return <>{name === undefined ? '…' : (name ?? t('goneUser'))}</>
}

/** The same with the way to the user, for those who may go there. */
export function UserLink({ id }: { id: number }) {
  const { permissions } = useSession()
  if (!permissions.has('users:read')) return <UserName id={id} />
  return (
    <TextLink to="/users/$id" params={{ id: String(id) }}>
      <UserName id={id} />
    </TextLink>
  )
}
