// One team: who is in it, who leads it, and what it is good for.
import type { Team } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useLiveResource } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useRoles } from '../roles/data.ts'
import type { Rows } from '../roles/draft.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { CopyButton } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import {
  Button,
  Card,
  ConfirmDialog,
  DescriptionList,
  Dialog,
  Moment,
  PageHeader,
  TextLink,
  toast,
} from '../ui/index.ts'
import { UpdateTeam } from './team_form.tsx'
import { TeamMembers } from './team_members.tsx'
import { t } from './texts.ts'

export function TeamScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('teams:read')) return <Refused title={t('teams')} />
  return (
    <InLiveMode>
      <TeamPage key={id} id={id} />
    </InLiveMode>
  )
}

function TeamPage({ id }: { id: string }) {
  const query = useRecord('team', id)
  useLiveResource(id, ['team.*'], () => void query.refetch())
  return (
    <>
      <PageHeader
        title={query.data?.name ?? t('team')}
        heading={query.data?.name ?? t('team')}
        description={
          <>
            <TextLink to="/teams">{t('allTeams')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={query.data !== undefined && <TeamActions team={query.data} />}
      />
      <RecordStates kind="team" id={id} query={query}>
        {team => (
          <div className={record['columns']}>
            <TeamMembers team={team} />
            <TeamFacts team={team} />
          </div>
        )}
      </RecordStates>
    </>
  )
}

function TeamFacts({ team: { description, createdAt, updatedAt } }: { team: Team }) {
  const { permissions } = useSession()
  const roles = useRoles(permissions.has('users:read')).data?.roles ?? []
  const byTeams = roles.filter(({ rows }) => Object.values(rows as Rows).includes('team'))
  return (
    <Card title={t('access')}>
      <DescriptionList
        items={[
          ...(description === '' ? [] : [{ term: t('description'), detail: description }]),
          {
            term: t('accessTerm'),
            detail: t('accessText'),
          },
          ...(permissions.has('users:read')
            ? [
                {
                  term: t('accessRoles'),
                  detail:
                    byTeams.length === 0
                      ? t('accessNone')
                      : byTeams.map(({ key, name }) => (
                          <div key={key}>
                            <TextLink to="/roles/$id" params={{ id: key }}>
                              {name}
                            </TextLink>
                          </div>
                        )),
                },
              ]
            : []),
          { term: t('createdAt'), detail: <Moment iso={createdAt} /> },
          { term: t('updated'), detail: <Moment iso={updatedAt} /> },
        ]}
      />
    </Card>
  )
}

function TeamActions({ team }: { team: Team }) {
  const { permissions } = useSession()
  const [asked, setAsked] = useState<'update' | 'delete'>()
  if (!permissions.has('teams:manage')) return null
  return (
    <>
      <Button onClick={() => setAsked('update')}>{t('edit')}</Button>
      <Button onClick={() => setAsked('delete')}>{t('delete')}</Button>
      {asked === 'update' && <UpdateTeam team={team} onClose={() => setAsked(undefined)} />}
      {asked === 'delete' && <DeleteTeam team={team} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function DeleteTeam({ team: { teamId, name, members, version }, onClose }: { team: Team; onClose(): void }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => apiOf('live').teams.delete({ teamId }, { ifMatch: version }),
    onSuccess: () => {
      toast({ text: t('deleted', { name }) })
      void cache.invalidateQueries({ queryKey: ['live', 'teams'] })
      void navigate({ to: '/teams' })
    },
    onError: () => void cache.invalidateQueries({ queryKey: ['live', 'team', teamId] }),
  })
  if (members.length > 0)
    return (
      <Dialog
        open
        onOpenChange={open => !open && onClose()}
        title={t('notEmpty', { name })}
        description={t('notEmptyText')}
        footer={<Button onClick={onClose}>{t('close')}</Button>}
      />
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('deleteTitle', { name })}
      description={t('deleteText')}
      confirmLabel={t('delete')}
      danger
      busy={remove.isPending}
      {...(remove.error !== null && { error: faultText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}
