// Teams: flat groups of members. Roles that see the records of teams see those of everybody who is in one with them; who comes or goes
// is felt on every node within two seconds.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Deleted, IntegerId, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { forgetOrganization } from '../roles/index.ts'
import {
  changeTeam,
  countTeams,
  findTeam,
  insertTeam,
  listTeams,
  lockPerson,
  putMember,
  removeMember,
  removeTeam,
  type TeamRow,
} from './store.ts'

export const limits = { teams: 200, members: 200, ofPerson: 20 }

const common = { version: 'v2', category: 'Organization' } as const
const TeamParams = Type.Object({ teamId: RecordId('team', 'Identifier of the team.') })
const MemberParams = Type.Object({ ...TeamParams.properties, userId: IntegerId })

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', errorMessage: 'must not be empty' })
const Description = Type.String({ maxLength: 500, description: 'What the team is for.' })
const Member = Type.Object({
  userId: IntegerId,
  name: Type.String(),
  lead: Type.Boolean({ description: 'Whether they lead the team: whom others ask. It gives no rights.' }),
})
const Team = Type.Object({
  teamId: Type.String(),
  name: Type.String(),
  description: Type.String(),
  members: Type.Array(Member, { description: 'Those who lead it first, then by name.' }),
  version: Type.Integer(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export function presentTeam(row: TeamRow): Static<typeof Team> {
  const { id, created_at, updated_at, ...shown } = row
  return { teamId: id, ...shown, createdAt: created_at, updatedAt: updated_at }
}

const teamId = 'team_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sampleTeam: Static<typeof Team> = {
  ...{ teamId, name: 'North', description: 'Customers in the north.' },
  members: [{ userId: 12, name: 'Grace Hopper', lead: true }],
  ...{ version: 1, createdAt: '2026-11-21T08:44:00.123Z', updatedAt: '2026-11-21T08:44:00.123Z' },
}

export const listAllTeams = endpoint({
  ...common,
  id: 'teams.list',
  method: 'GET',
  path: '/teams',
  name: 'List teams',
  description: 'The teams of the organization with their members, the newest first.',
  permission: 'teams:read',
  query: Type.Object({
    userId: Type.Optional(Type.Integer({ minimum: 1, description: 'Only teams that this user is in.' })),
    ...v2PageQuery,
  }),
  reply: Team,
  envelope: 'page',
  sample: { query: { limit: 20 }, reply: sampleTeam },
  async handle({ tx, principal, query: { limit = 50, cursor, userId } }) {
    const filter = { userId }
    const rows = await listTeams(tx, principal, { userId, limit, beforeId: cursorId('team', cursor, filter) })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentTeam), limit, nextCursor: cut.nextCursor }
  },
})

export const getTeam = endpoint({
  ...common,
  id: 'teams.get',
  method: 'GET',
  path: '/teams/{teamId}',
  name: 'Get a team',
  description: 'One team with its members, those who lead it first.',
  permission: 'teams:read',
  params: TeamParams,
  reply: Team,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { teamId }, reply: sampleTeam },
  async handle({ tx, principal, params, setVersion }) {
    const row = await findTeam(tx, principal, params.teamId)
    if (row === undefined) throw new Problem('not_found')
    setVersion(row.version)
    return presentTeam(row)
  },
})

export const createTeam = endpoint({
  ...common,
  id: 'teams.create',
  method: 'POST',
  path: '/teams',
  name: 'Create a team',
  description: `Makes a team without members. At most ${limits.teams}.`,
  permission: 'teams:manage',
  shared: true,
  audit: 'team.created',
  status: 201,
  versioned: true,
  body: Type.Object({ name: Name, description: Type.Optional(Description) }),
  reply: Team,
  envelope: 'data',
  problems: ['team_limit_reached', 'team_name_taken'],
  sample: { body: { name: 'North', description: 'Customers in the north.' }, reply: { ...sampleTeam, members: [] } },
  async handle({ tx, principal, body: { name, description = '' }, now, setVersion }) {
    if ((await countTeams(tx, principal)) >= limits.teams) throw new Problem('team_limit_reached')
    const row = await insertTeam(tx, principal, newId('team', now), { name: name.trim(), description })
    setVersion(row.version)
    const record = presentTeam(row)
    await emitChange(tx, principal, { type: 'team.created', resourceId: row.id, record })
    return record
  },
})

export const updateTeam = endpoint({
  ...common,
  id: 'teams.update',
  method: 'PATCH',
  path: '/teams/{teamId}',
  name: 'Update a team',
  description: 'Changes the name or the description of a team.',
  permission: 'teams:manage',
  shared: true,
  audit: 'team.updated',
  versioned: true,
  params: TeamParams,
  body: Type.Object({ name: Type.Optional(Name), description: Type.Optional(Description) }),
  reply: Team,
  envelope: 'data',
  problems: ['not_found', 'team_name_taken'],
  sample: { params: { teamId }, body: { name: 'North' }, reply: { ...sampleTeam, version: 2 } },
  async handle({ tx, principal, params, body, ifMatch, setVersion }) {
    const old = requireVersion(await findTeam(tx, principal, params.teamId, true), ifMatch)
    const { name = old.name, description = old.description } = body
    const row = await changeTeam(tx, principal, old.id, { name: name.trim(), description })
    setVersion(row.version)
    const record = presentTeam(row)
    const before = presentTeam(old)
    await emitChange(tx, principal, { type: 'team.updated', resourceId: row.id, record, change: body, before })
    return record
  },
})

export const deleteTeam = endpoint({
  ...common,
  id: 'teams.delete',
  method: 'DELETE',
  path: '/teams/{teamId}',
  name: 'Delete a team',
  description: 'Takes a team away that nobody is in.',
  permission: 'teams:manage',
  shared: true,
  audit: 'team.deleted',
  versioned: true,
  params: TeamParams,
  reply: Deleted('teamId'),
  envelope: 'data',
  problems: ['not_found', 'team_in_use'],
  sample: { params: { teamId }, reply: { teamId, deleted: true } },
  async handle({ tx, principal, params, ifMatch }) {
    const row = requireVersion(await findTeam(tx, principal, params.teamId, true), ifMatch)
    if (row.members.length > 0) throw new Problem('team_in_use')
    await removeTeam(tx, principal, row.id)
    await emitChange(tx, principal, { type: 'team.deleted', resourceId: row.id, record: presentTeam(row) })
    return { teamId: row.id, deleted: true as const }
  },
})

export const putTeamMember = endpoint({
  ...common,
  id: 'teams.put_member',
  method: 'PUT',
  path: '/teams/{teamId}/members/{userId}',
  name: 'Set a member of a team',
  description:
    `Makes a member of the organization one of the team, or says whether they lead it. At most ${limits.members} are in a team, and ` +
    `somebody in ${limits.ofPerson} teams. Whose role sees the records of teams sees those of the others at once, and they see theirs.`,
  permission: 'teams:manage',
  shared: true,
  audit: ['team.member_added', 'team.member_updated'],
  params: MemberParams,
  body: Type.Object({
    lead: Type.Optional(Type.Boolean({ description: 'Whether they lead the team; false when left out.' })),
  }),
  reply: Team,
  envelope: 'data',
  problems: ['not_found', 'team_limit_reached'],
  sample: { params: { teamId, userId: 12 }, body: { lead: true }, reply: sampleTeam },
  async handle(context) {
    const { tx, principal, params, body, audited } = context
    const team = await findTeam(tx, principal, params.teamId, true)
    const person = team && (await lockPerson(tx, principal, params.userId))
    if (team === undefined || person === undefined) throw new Problem('not_found')
    const standing = team.members.find(({ userId }) => userId === params.userId)
    const isFull = team.members.length >= limits.members || person.teams >= limits.ofPerson
    if (standing === undefined && isFull) throw new Problem('team_limit_reached')
    await putMember(tx, principal, team.id, params.userId, body.lead ?? false)
    if (standing === undefined) await forgetOrganization(tx, principal, context)
    const type = standing === undefined ? 'team.member_added' : 'team.member_updated'
    audited({ action: type })
    return changed(context, team, type, { userId: params.userId, lead: body.lead ?? false })
  },
})

export const removeTeamMember = endpoint({
  ...common,
  id: 'teams.remove_member',
  method: 'DELETE',
  path: '/teams/{teamId}/members/{userId}',
  name: 'Remove a member of a team',
  description:
    'They see no more of the records of the others by this team, and these none of theirs, within two seconds.',
  permission: 'teams:manage',
  shared: true,
  audit: 'team.member_removed',
  params: MemberParams,
  reply: Team,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { teamId, userId: 12 }, reply: { ...sampleTeam, members: [] } },
  async handle(context) {
    const { tx, principal, params } = context
    const team = await findTeam(tx, principal, params.teamId, true)
    const standing = team?.members.find(({ userId }) => userId === params.userId)
    if (team === undefined || standing === undefined) throw new Problem('not_found')
    await removeMember(tx, principal, team.id, params.userId)
    await forgetOrganization(tx, principal, context)
    return changed(context, team, 'team.member_removed', { userId: standing.userId, lead: standing.lead })
  },
})

/** The team as it stands, with the event of what became of a member. */
async function changed(
  { tx, principal }: { tx: Tx; principal: Principal },
  { id }: TeamRow,
  type: 'team.member_added' | 'team.member_updated' | 'team.member_removed',
  member: { userId: number; lead: boolean },
): Promise<Static<typeof Team>> {
  const record = presentTeam((await findTeam(tx, principal, id))!)
  await emitChange(tx, principal, { type, resourceId: id, record: { ...record, member }, change: { member } })
  return record
}

export const endpoints = [listAllTeams, createTeam, getTeam, updateTeam, deleteTeam, putTeamMember, removeTeamMember]
