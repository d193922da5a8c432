// Who is in a team: put in by name, made its lead, taken out again.
import type { Team } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordPicker } from '../nouns/pickers.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, CheckboxField, Chip, ConfirmDialog, ErrorNote, TextLink, toast } from '../ui/index.ts'
import { useTeamSaved } from './saved.ts'
import styles from './teams.module.css'
import { t } from './texts.ts'

const maxMembers = 200
const maxTeams = 20
type Member = Team['members'][number]

export function TeamMembers({ team }: { team: Team }) {
  const { permissions } = useSession()
  const mayManage = permissions.has('teams:manage')
  const { members } = team
  return (
    <Card title={t('membersCount', { count: members.length })}>
      {members.length === 0 && <p className={styles['note']}>{t('nobody')}</p>}
      <ul className={styles['members']} aria-label={t('members')}>
        {members.map(member => (
          <li key={member.userId}>
            {permissions.has('users:read') ? (
              <TextLink to="/users/$id" params={{ id: String(member.userId) }}>
                {member.name}
              </TextLink>
            ) : (
              <span>{member.name}</span>
            )}
            {mayManage ? (
              <MemberControls team={team} member={member} />
            ) : (
              member.lead && <Chip tone="accent">{t('lead')}</Chip>
            )}
          </li>
        ))}
      </ul>
      {mayManage &&
        (members.length < maxMembers ? (
          <AddMember team={team} />
        ) : (
          <p className={styles['note']}>{t('full', { count: maxMembers })}</p>
        ))}
    </Card>
  )
}

/** Puts somebody in, or says whether they lead. */
function usePut(teamId: string) {
  const saved = useTeamSaved()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (member: { userId: number; lead: boolean }) => apiOf('live').teams.putMember({ teamId, ...member }),
    onSuccess: saved,
    onError: () => void cache.invalidateQueries({ queryKey: ['live', 'team', teamId] }),
  })
}

function MemberControls({ team, member }: { team: Team; member: Member }) {
  const put = usePut(team.teamId)
  const [isAsked, setAsked] = useState(false)
  const { userId, name, lead } = member
  const change = (next: boolean) =>
    put.mutate(
      { userId, lead: next },
      {
        onSuccess: () => toast({ text: t(next ? 'isLead' : 'noLead', { name, team: team.name }) }),
        onError: error => toast({ text: faultText(error), tone: 'bad' }),
      },
    )
  return (
    <span className={styles['controls']}>
      <CheckboxField
        label={t('lead')}
        aria-label={t('makeLead', { name })}
        checked={lead}
        disabled={put.isPending}
        onChange={event => change(event.target.checked)}
      />
      <Button size="sm" aria-label={t('removeName', { name })} onClick={() => setAsked(true)}>
        {t('remove')}
      </Button>
      {isAsked && <TakeOut team={team} member={member} onClose={() => setAsked(false)} />}
    </span>
  )
}

function TakeOut({ team, member, onClose }: { team: Team; member: Member; onClose(): void }) {
  const saved = useTeamSaved()
  const { userId, name } = member
  const remove = useMutation({
    mutationFn: () => apiOf('live').teams.removeMember({ teamId: team.teamId, userId }),
    onSuccess: now => {
      onClose()
      saved(now)
      toast({ text: t('removed', { name, team: team.name }) })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('removeTitle', { name, team: team.name })}
      description={t('removeText')}
      confirmLabel={t('remove')}
      danger
      busy={remove.isPending}
      {...(remove.error !== null && { error: faultText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}

function AddMember({ team }: { team: Team }) {
  const put = usePut(team.teamId)
  const [userId, setUserId] = useState<number | null>(null)
  const isIn = team.members.some(member => member.userId === userId)
  const add = () =>
    userId !== null &&
    put.mutate(
      { userId, lead: false },
      {
        onSuccess: now => {
          setUserId(null)
          const { name = '' } = now.members.find(member => member.userId === userId) ?? {}
          toast({ text: t('added', { name, team: now.name }) })
        },
      },
    )
  return (
    <div className={styles['add']}>
      <RecordPicker
        of="user"
        label={t('add')}
        hint={isIn ? t('addKnown') : t('addHint', { count: maxTeams })}
        value={userId}
        onChange={id => {
          put.reset()
          setUserId(id === null ? null : Number(id))
        }}
      />
      <Button variant="primary" busy={put.isPending} disabled={userId === null || isIn} onClick={add}>
        {t('addShort')}
      </Button>
      {put.error !== null && <ErrorNote text={faultText(put.error)} />}
    </div>
  )
}
