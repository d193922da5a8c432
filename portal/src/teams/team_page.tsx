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

export function TeamScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('teams:read')) return <Refused title="Teams" permission="teams:read" />
  return (
    <InLiveMode>
      <TeamPage key={id} id={id} />
    </InLiveMode>
  )
}

function TeamPage({ id }: { id: string }) {
  const query = useRecord('team', id)
  useLiveResource(id, () => void query.refetch())
  return (
    <>
      <PageHeader
        title={query.data?.name ?? `Team ${id}`}
        heading={query.data?.name ?? 'Team'}
        description={
          <>
            <TextLink to="/teams">All teams</TextLink> / <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
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
    <Card title="What it is good for">
      <DescriptionList
        items={[
          ...(description === '' ? [] : [{ term: 'For', detail: description }]),
          {
            term: 'Records',
            detail:
              'Whose role sees the records of teams sees those of everybody in this team, beside their own. Being in a team, and leading it, gives no other rights.',
          },
          ...(permissions.has('users:read')
            ? [
                {
                  term: 'Such roles',
                  detail:
                    byTeams.length === 0
                      ? 'None yet: a role says by kind of record whose are seen.'
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
          { term: 'Created', detail: <Moment iso={createdAt} /> },
          { term: 'Updated', detail: <Moment iso={updatedAt} /> },
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
      <Button onClick={() => setAsked('update')}>Rename</Button>
      <Button onClick={() => setAsked('delete')}>Delete</Button>
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
      toast({ text: `The team ${name} was deleted.` })
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
        title={`${name} has members`}
        description="Somebody may see records by it. Take everybody out of it first; then it can be deleted."
        footer={<Button onClick={onClose}>Close</Button>}
      />
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete ${name}`}
      description="Nobody is in it, so nobody sees less by that."
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      {...(remove.error !== null && { error: remove.error.message })}
      onConfirm={() => remove.mutate()}
    />
  )
}
