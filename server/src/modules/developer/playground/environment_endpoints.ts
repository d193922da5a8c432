// Environments of the Playground over HTTP: named sets of variables, shared with the organization or private.
import type { Static } from 'typebox'
import { resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type EnvironmentRow, environments } from './environment_store.ts'
import { limits, variableFaults } from './rules.ts'
import { Environment, EnvironmentChange, NewEnvironment, presentEnvironment, sampleEnvironment } from './schemas.ts'
import { requireChange, requireShared, requireSharing } from './sharing.ts'

const own = resource<EnvironmentRow, typeof Environment>({
  names: ['environment', 'environments'],
  id: ['environmentId', 'env'],
  category: 'Developer',
  path: '/playground/environments',
  permissions: { read: 'playground:read', manage: 'playground:write' },
  rows: environments,
  guarded: { shared: true },
  reply: Environment,
  sample: sampleEnvironment,
  present: (rows, { principal }) => rows.map(row => presentEnvironment(row, principal)),
  // Everybody who may read events sees them: of a private one they say no more than that there is one.
  eventOf: ({ id, name, owner_id, shared, mode, variables }) => ({
    environmentId: id,
    ...(shared && { name, mode, variables: variables.map(variable => variable.name) }),
    ...{ ownerId: owner_id, shared },
  }),
})

const check = ({ variables = [] }: Static<typeof EnvironmentChange>) => variableFaults(variables)

const create = own.create({
  description:
    'Keeps a named set of variables for requests of the Playground: private, or shared with the organization (playground:share). Of secret variables only the name is kept; each person fills in the value for themselves. What looks like a credential is refused.',
  body: NewEnvironment,
  bodyLimit: 1_048_576,
  problems: ['environment_limit_reached', 'insufficient_role'],
  check,
  sample: {
    body: { name: 'Staging', mode: 'test', shared: true, variables: sampleEnvironment.variables },
  },
  async handle({ name, mode = null, variables = [], shared = false }, { tx, principal, now }) {
    requireSharing(principal, shared)
    if ((await environments.count(tx, principal)) >= limits.environments) throw new Problem('environment_limit_reached')
    const { userId } = principal
    const values = { id: newId('env', now), name: name.trim(), mode, variables, shared, owner_id: userId }
    const row = await environments.insert(tx, principal, { ...values, updated_by: userId, ...stampsOf(now) })
    return { row: row! }
  },
})

const update = own.update({
  description:
    'Changes what is sent; variables take the place of those before. A shared one is changed by those who hold playground:share, and made private again by its owner.',
  body: EnvironmentChange,
  bodyLimit: 1_048_576,
  problems: ['insufficient_role'],
  check,
  sample: { body: { variables: sampleEnvironment.variables } },
  async handle(old, { name, ...body }, { tx, principal, now }) {
    requireChange(principal, old)
    requireShared(principal, old, body.shared)
    const values = { ...body, ...(name !== undefined && { name: name.trim() }), updated_by: principal.userId }
    return { row: await environments.change(tx, principal, old.id, values, now) }
  },
})

export const environmentEndpoints = [
  own.list({ description: 'Own environments of the Playground and shared ones, the newest first.' }),
  create,
  own.get({ description: 'One environment with its variables; of secret ones the name only.' }),
  update,
  own.delete({
    description: 'Deletes an environment. A shared one is deleted by those who hold playground:share.',
    problems: ['insufficient_role'],
    async handle(row, { principal }) {
      requireChange(principal, row)
    },
  }),
]
