// The names of an organization's users, for everybody in it: records name users by id, and people know each other by name.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { IntegerId } from '../../../kernel/endpoint/schema.ts'
import { listNames } from './store.ts'

const maxIds = 100

export const listColleagues = endpoint({
  id: 'colleagues.list',
  version: 'v1',
  category: 'User',
  method: 'GET',
  path: '/api/colleagues',
  name: 'List colleagues',
  description: `Ids and names of the organization's users by name, for every role: what records call their owner. At most ${maxIds}; the active ones first.`,
  permission: 'profile:read',
  query: Type.Object({
    ids: Type.Optional(
      Type.String({
        pattern: `^[1-9]\\d{0,14}(?:,[1-9]\\d{0,14}){0,${maxIds - 1}}$`,
        errorMessage: `must be at most ${maxIds} ids of users with commas between`,
        description: 'Only these users.',
      }),
    ),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name.' })),
  }),
  reply: Type.Object({
    colleagues: Type.Array(
      Type.Object({
        id: IntegerId,
        name: Type.String({ description: "The person's name." }),
        active: Type.Boolean({ description: 'False once disabled.' }),
      }),
    ),
  }),
  envelope: 'success',
  sample: { query: { q: 'ada' }, reply: { colleagues: [{ id: 12, name: 'Ada Lovelace', active: true }] } },
  async handle({ tx, principal, query: { ids, q } }) {
    return { colleagues: await listNames(tx, principal, { ids: ids?.split(',').map(Number), q }, maxIds) }
  },
})
