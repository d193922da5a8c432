// What keeping members by SCIM is set up with, over the API. The protocol itself is at /scim/v2 (mount.ts).
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { type Permission, type Role, roles } from '../../../kernel/values/permission.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { lockOrganization } from '../organizations/index.ts'
import { type Chosen, chosenRole, findRole, rightsOfMembers } from '../roles/index.ts'
import { findTeam } from '../teams/index.ts'
import { actByMembership } from './standing.ts'
import {
  findSettings,
  type GroupRule,
  listRequests,
  type ScimSettings,
  summaryOf,
  usersInGroups,
  writeSettings,
} from './store.ts'

const fields = {
  enabled: Type.Boolean({ description: 'Whether requests at /scim/v2 are taken.' }),
  defaultRole: OneOf(roles, { description: 'Of new members, and of those whom no group of the map holds; not Admin.' }),
  groupMap: Type.Array(
    Type.Object({
      group: Type.String({ minLength: 1, maxLength: 255, description: 'The name of the group, in whatever case.' }),
      role: Type.Optional(OneOf(roles)),
      roleId: Type.Optional(RecordId('rol', 'A role of the organization’s own, in place of `role`.')),
      teamId: Type.Optional(RecordId('team', 'The team that its members are in, beside a role or alone.')),
    }),
    {
      maxItems: 50,
      description:
        'What groups give their members. The role is that of the first rule that fits and gives one; teams are those of all that fit.',
    },
  ),
}

const Scim = Type.Object({
  enabled: fields.enabled,
  baseUrl: Type.String({
    description: 'To be entered at the provider, with an API key of the scope scim:manage alone.',
  }),
  defaultRole: fields.defaultRole,
  groupMap: Type.Array(
    Type.Object({
      group: Type.String(),
      role: Nullable(OneOf(roles)),
      roleId: Nullable(Type.String()),
      teamId: Nullable(Type.String()),
    }),
  ),
  users: Type.Integer({ description: 'Members whom the provider keeps.' }),
  groups: Type.Array(Type.Object({ groupId: Type.String(), displayName: Type.String(), members: Type.Integer() }), {
    description: 'Groups that the provider sent, by name; 500 at most.',
  }),
  requests: Type.Array(
    Type.Object({
      at: Timestamp,
      method: Type.String(),
      path: Type.String(),
      status: Type.Integer(),
      fault: Nullable(Type.String({ description: 'What was wrong.' })),
    }),
    { description: 'The last 50 requests, the newest first.' },
  ),
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})

const sampleScim: Static<typeof Scim> = {
  enabled: true,
  baseUrl: 'https://crm.example.com/scim/v2',
  defaultRole: 'Sales Executive',
  groupMap: [{ group: 'Sales leads', role: 'Sales Manager', roleId: null, teamId: 'team_01k9r7d3w2v8e6q4n5m1b0c9xz' }],
  users: 12,
  groups: [{ groupId: 'sgr_01k9r7d3w2v8e6q4n5m1b0c9xz', displayName: 'Sales leads', members: 3 }],
  requests: [
    {
      at: '2026-11-21T08:44:00.123Z',
      method: 'GET',
      path: '/Users?filter=userName eq "grace@example.com"',
      status: 200,
      fault: null,
    },
  ],
  version: 1,
}

const presentSettings = ({ enabled, default_role, group_map }: ScimSettings) => ({
  enabled,
  defaultRole: default_role,
  groupMap: group_map,
})

export const getScim = endpoint({
  id: 'scim.get',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/organization/scim',
  name: 'Get SCIM',
  description:
    'How members are kept by SCIM: the address for the provider, which role its groups give, and its last requests with what was wrong.',
  permission: 'scim:manage',
  reply: Scim,
  envelope: 'data',
  versioned: true,
  sample: { reply: sampleScim },
  async handle({ tx, principal, services, setVersion }) {
    const row = await findSettings(tx, principal)
    setVersion(row.version)
    const { users, groups } = await summaryOf(tx, principal)
    const requests = await listRequests(tx, principal)
    return {
      ...presentSettings(row),
      baseUrl: `${services.ownAddress() ?? ''}/scim/v2`,
      users,
      groups: groups.map(group => ({ groupId: group.id, displayName: group.display_name, members: group.members })),
      requests: requests.map(({ id: _, ...request }) => request),
      version: row.version,
    }
  },
})

const Settings = Type.Object({ ...fields, groupMap: Scim.properties.groupMap, version: Scim.properties.version })

export const updateScim = endpoint({
  id: 'scim.update',
  version: 'v2',
  category: 'Organization',
  method: 'PATCH',
  path: '/organization/scim',
  name: 'Update SCIM',
  description:
    'Switches SCIM on or off, and says which roles and teams members get by their groups. With another map, members of groups that the old or the new one names get the role and the teams of the new one; the last Admin stays Admin.',
  permission: 'scim:manage',
  audit: 'scim_settings.updated',
  shared: true,
  recent: 'factor',
  handsOut: true,
  bodyLimit: 32_768,
  body: Type.Object({
    enabled: Type.Optional(fields.enabled),
    defaultRole: Type.Optional(fields.defaultRole),
    groupMap: Type.Optional(fields.groupMap),
  }),
  reply: Settings,
  envelope: 'data',
  versioned: true,
  sample: {
    body: { enabled: true, groupMap: [{ group: 'Sales leads', role: 'Sales Manager' }] },
    reply: { ...presentSettings({ ...sampleRow() }), version: 2 },
  },
  async handle({ tx, principal, body, now, ifMatch, handOut, setVersion, afterCommit, services }) {
    if (body.defaultRole === 'Admin')
      throw invalid({
        field: 'defaultRole',
        code: 'not_allowed',
        message: 'must not be Admin; name a group for Admins',
      })
    await lockOrganization(tx, principal)
    const before = requireVersion(await findSettings(tx, principal), ifMatch)
    const given = await rolesGiven({ tx, principal }, body)
    const rights = rightsOfMembers(...given)
    // Who is in a team decides whose records they see.
    const isOfTeams = body.groupMap?.some(({ teamId }) => teamId !== undefined) === true
    const permissions = new Set<Permission>([...rights.permissions, ...(isOfTeams ? (['teams:manage'] as const) : [])])
    handOut({ ...rights, permissions, endsAtMs: given.length === 0 && !isOfTeams ? 0 : null }, 'groupMap')
    const row = await writeSettings(tx, principal, {
      enabled: body.enabled ?? before.enabled,
      default_role: body.defaultRole ?? before.default_role,
      group_map: body.groupMap?.map(wholeRule) ?? before.group_map,
    })
    if (body.groupMap !== undefined) {
      const rules = [...before.group_map, ...row.group_map]
      const names = rules.map(({ group }) => group)
      await actByMembership({ tx, principal, base: '', nowMs: now }, await usersInGroups(tx, principal, names), rules)
      afterCommit(() => services.authenticator.forget())
    }
    setVersion(row.version)
    const record = { ...presentSettings(row), version: row.version }
    const was = { ...presentSettings(before), version: before.version }
    const resourceId = principal.organizationId
    await emitChange(tx, principal, { type: 'scim_settings.updated', resourceId, record, change: body, before: was })
    return record
  },
})

type SentRule = { group: string; role?: Role; roleId?: string; teamId?: string }

const wholeRule = ({ group, role, roleId, teamId }: SentRule): GroupRule => ({
  ...{ group, role: role ?? null, roleId: roleId ?? null, teamId: teamId ?? null },
})

/** The roles that members may get by it. @throws Problem `validation_failed` */
async function rolesGiven(
  { tx, principal }: { tx: Tx; principal: Principal },
  { groupMap = [], defaultRole }: { groupMap?: readonly SentRule[]; defaultRole?: Role },
): Promise<Chosen[]> {
  const refused = (code: string, message: string) => invalid({ field: 'groupMap', code, message })
  const given: Chosen[] = []
  for (const { group, role, roleId, teamId } of groupMap) {
    if (role !== undefined && roleId !== undefined)
      throw refused('not_allowed', `gives “${group}” both role and roleId; name one of them`)
    if (role === undefined && roleId === undefined && teamId === undefined)
      throw refused('required', `gives “${group}” nothing; name a role, a roleId or a teamId`)
    if (roleId !== undefined && (await findRole(tx, principal, roleId)) === undefined)
      throw refused('not_found', `names a role that the organization does not have: ${roleId}`)
    if (teamId !== undefined && (await findTeam(tx, principal, teamId)) === undefined)
      throw refused('not_found', `names a team that the organization does not have: ${teamId}`)
    if (role !== undefined || roleId !== undefined) given.push(await chosenRole(tx, principal, { role, roleId }))
  }
  if (defaultRole !== undefined) given.push(await chosenRole(tx, principal, { role: defaultRole }))
  return given
}

function sampleRow(): ScimSettings {
  const { enabled, defaultRole, groupMap, version } = sampleScim
  return { enabled, default_role: defaultRole, group_map: groupMap, version }
}

export const endpoints = [getScim, updateScim]
