// One user, with what they may do.
import type { Member } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import type { NounRecord } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Card, Chip } from '../ui/index.ts'
import { isOver, useHolds, useKept, useMember } from './member.ts'
import { rightsIn } from './rights.ts'
import { choiceOf } from './role_picker.tsx'
import { RightsList, useHeldBy } from './role_rights.tsx'
import { t } from './texts.ts'
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
      noun={{ ...users(), mayChange }}
      id={id}
      mark="person"
      about={shown => about(shown, member)}
      actions={shown => <UserActions user={shown as UserRecord} />}
    >
      {shown => <Rights user={shown as UserRecord} endsAt={member?.passwordEndsAt ?? null} />}
    </NounPage>
  )
}

/** Their role, and that they are shut out or cannot log in, where it is so. */
function about(shown: NounRecord, member: Member | undefined) {
  const { role, roleName, disabled } = shown as UserRecord
  return (
    <>
      {roleName ?? role}
      {disabled && <Chip tone="warn">{t('chipDisabled')}</Chip>}
      {isOver(member?.passwordEndsAt ?? null) && <Chip tone="warn">{t('passwordExpired')}</Chip>}
    </>
  )
}

function Rights({ user, endsAt }: { user: UserRecord; endsAt: string | null }) {
  const { user: self, permissions } = useSession()
  const state = user.disabled ? 'disabled' : 'active'
  const kept = useKept({ role: user.role, roleId: user.roleId, state, userId: user.id })
  const held = useHeldBy(choiceOf(user))
  const title = t('roleRights', { role: user.roleName ?? user.role })
  return (
    <>
      {isOver(endsAt) && permissions.has('users:manage') && (
        <Card title={t('passwordExpired')}>
          <p>{t('passwordExpiredText')}</p>
        </Card>
      )}
      {kept != null && permissions.has('users:manage') && (
        <Card title={t(`kept.${kept}`)}>
          <p>{t(`keptText.${kept}`)}</p>
        </Card>
      )}
      <Card title={title} actions={user.id === self.id && <Chip tone="accent">{t('chipYou')}</Chip>}>
        {held !== undefined && <RightsList label={title} list={rightsIn(held.permissions)} />}
      </Card>
    </>
  )
}
