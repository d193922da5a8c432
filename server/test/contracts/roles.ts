// How the contract test makes roles and teams real, and provokes what their endpoints declare.
import { randomUUID } from 'node:crypto'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { somebody } from '../people.ts'

const named = (word: string) => `${word} ${randomUUID().slice(0, 8)}`
const roleBody = () => ({
  name: named('Lead'),
  base: 'Sales Executive',
  permissions: ['leads:read'],
  rows: { leads: 'team' },
})
const missingRole = { params: { roleId: 'rol_01k9r7d3w2v8e6q4n5m1b0c9xz' } }
const missingTeam = { params: { teamId: 'team_01k9r7d3w2v8e6q4n5m1b0c9xz' } }

/** Without the ids of roles that stand in the way of one more. */
async function made(t: TestApp, path: 'roles' | 'teams', as = t.main.tokens.Admin) {
  await emptied(t)
  const { json, text } = await t.call('POST', `/v2/${path}`, {
    as,
    body: path === 'roles' ? roleBody() : { name: named('North') },
  })
  if (json.data === undefined) throw new Error(text)
  return json.data
}
const role = async (t: TestApp, as?: string): Promise<ContractRequest> => ({
  params: { roleId: (await made(t, 'roles', as)).roleId },
})
const team = async (t: TestApp, as?: string): Promise<ContractRequest> => ({
  params: { teamId: (await made(t, 'teams', as)).teamId },
})

async function taken(t: TestApp, path: 'roles' | 'teams', request: ContractRequest): Promise<ContractRequest> {
  const { name } = await made(t, path)
  return { ...request, body: { ...(request.body as object), name } }
}

/** A team that somebody is in. */
async function manned(t: TestApp): Promise<ContractRequest> {
  const { teamId } = (await team(t)).params as { teamId: string }
  const { userId } = await somebody(t, 'Sales Executive')
  await t.call('PUT', `/v2/teams/${teamId}/members/${userId}`, { as: t.main.tokens.Admin, body: {} })
  return { params: { teamId, userId } }
}

/** As many rows as there may be, until the request was answered. */
async function full(t: TestApp, path: 'roles' | 'teams', request: ContractRequest): Promise<ContractRequest> {
  const [count, prefix, columns, values] =
    path === 'roles' ? [50, 'rol', ', base, permissions, rows', ", 'Admin', '{}', '{}'"] : [200, 'team', '', '']
  await t.ownerSql(`delete from ${path} where organization_id = $1 and name like 'full %'`, [t.main.organizationId])
  await t.ownerSql(
    `insert into ${path} (organization_id, id, name${columns})
     select $1, '${prefix}_0' || lpad(i::text, 25, '0'), 'full ' || i${values} from generate_series(1, ${count}) i`,
    [t.main.organizationId],
  )
  return request
}

const emptied = async (t: TestApp) => {
  for (const path of ['roles', 'teams'])
    await t.ownerSql(`delete from ${path} where organization_id = $1 and name like 'full %'`, [t.main.organizationId])
}

export const contract: ModuleContract = {
  'roles.create': {
    async prepare(t) {
      await t.ownerSql(
        'delete from roles where organization_id = $1 and not exists (select from users where role_id = roles.id)',
        [t.main.organizationId],
      )
      return { body: roleBody() }
    },
    problems: {
      role_name_taken: async t => taken(t, 'roles', { body: roleBody() }),
      role_limit_reached: async t => full(t, 'roles', { body: roleBody() }),
    },
  },
  'roles.get': {
    prepare: t => role(t),
    problems: { not_found: async () => missingRole },
    foreign: t => role(t, t.other.tokens.Admin),
  },
  'roles.update': {
    prepare: t => role(t),
    problems: {
      not_found: async () => missingRole,
      role_name_taken: async t => taken(t, 'roles', await role(t)),
    },
    foreign: t => role(t, t.other.tokens.Admin),
  },
  'roles.delete': {
    prepare: t => role(t),
    problems: {
      not_found: async () => missingRole,
      async role_in_use(t) {
        const request = await role(t)
        const { userId } = await somebody(t)
        await t.call('PATCH', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin, body: request.params })
        return request
      },
    },
    foreign: t => role(t, t.other.tokens.Admin),
  },
  'teams.create': {
    async prepare(t) {
      await emptied(t)
      return { body: { name: named('North') } }
    },
    problems: {
      team_name_taken: t => taken(t, 'teams', {}),
      team_limit_reached: async t => full(t, 'teams', { body: { name: named('North') } }),
    },
  },
  'teams.get': {
    prepare: t => team(t),
    problems: { not_found: async () => missingTeam },
    foreign: t => team(t, t.other.tokens.Admin),
  },
  'teams.update': {
    prepare: async t => ({ ...(await team(t)), body: { name: named('South') } }),
    problems: { not_found: async () => missingTeam, team_name_taken: async t => taken(t, 'teams', await team(t)) },
    foreign: t => team(t, t.other.tokens.Admin),
  },
  'teams.delete': {
    prepare: t => team(t),
    problems: {
      not_found: async () => missingTeam,
      team_in_use: async t => ({ params: { teamId: (await manned(t)).params!['teamId']! } }),
    },
    foreign: t => team(t, t.other.tokens.Admin),
  },
  'teams.put_member': {
    prepare: async t => ({ params: { ...(await team(t)).params!, userId: (await somebody(t)).userId } }),
    problems: {
      not_found: async t => ({ params: { ...missingTeam.params, userId: t.main.users.Admin.id } }),
      async team_limit_reached(t) {
        const { userId } = await somebody(t)
        for (let index = 0; index < 20; index++) {
          const { teamId } = await made(t, 'teams')
          await t.call('PUT', `/v2/teams/${teamId}/members/${userId}`, { as: t.main.tokens.Admin, body: {} })
        }
        return { params: { ...(await team(t)).params!, userId } }
      },
    },
    foreign: async t => ({
      params: { ...(await team(t, t.other.tokens.Admin)).params!, userId: t.main.users.Admin.id },
    }),
  },
  'teams.remove_member': {
    prepare: manned,
    problems: { not_found: async t => ({ params: { ...(await team(t)).params!, userId: t.main.users.Admin.id } }) },
    foreign: async t => ({
      params: { ...(await team(t, t.other.tokens.Admin)).params!, userId: t.main.users.Admin.id },
    }),
  },
}
