// How the contract test meets what the Playground keeps: environments, collections, requests.
import type { ContractRequest, EndpointContract, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

const request = { name: 'Who am I', method: 'GET', path: '/v2/users/me' }

/** Without the rows that stand in the way of one more. */
async function make(t: TestApp, path: string, body: object, as = t.main.tokens.Admin) {
  for (const table of ['playground_environments', 'playground_collections']) await emptied(t, table)
  const { json, text } = await t.call('POST', `/v2/playground/${path}`, { as, body })
  if (json.data === undefined) throw new Error(text)
  return json.data
}

const environment = async (t: TestApp, as?: string): Promise<ContractRequest> => {
  const { environmentId } = await make(t, 'environments', { name: 'Staging', shared: true }, as)
  return { params: { environmentId } }
}
const withFolder = { name: 'Smoke test', shared: true, folders: [{ name: 'Texts', requests: [request] }] }
const collection = async (t: TestApp, as?: string): Promise<ContractRequest> => {
  const { collectionId } = await make(t, 'collections', withFolder, as)
  return { params: { collectionId } }
}
const folder = async (t: TestApp, as?: string): Promise<ContractRequest> => {
  const { collectionId, folders } = await make(t, 'collections', withFolder, as)
  return { params: { collectionId, folderId: folders[0].folderId } }
}
const saved = async (t: TestApp, as?: string): Promise<ContractRequest> => {
  const { collectionId } = await make(t, 'collections', withFolder, as)
  const { requestId } = await make(t, 'requests', { collectionId, ...request }, as)
  return { params: { requestId } }
}

const ulid = '01k9r7d3w2v8e6q4n5m1b0c9xz'
const missing = (params: Record<string, string>) => async () => ({ params })
const noEnvironment = missing({ environmentId: `env_${ulid}` })
const noCollection = missing({ collectionId: `col_${ulid}` })
const noFolder = missing({ collectionId: `col_${ulid}`, folderId: `fld_${ulid}` })
const noRequest = missing({ requestId: `srq_${ulid}` })

type Maker = (t: TestApp, as?: string) => Promise<ContractRequest>

/** Shared, so that who may not share is refused. */
function one(maker: Maker, nobody: () => Promise<ContractRequest>, body?: object): EndpointContract {
  const more = body === undefined ? {} : { body }
  return {
    prepare: async t => ({ ...(await maker(t)), ...more }),
    problems: {
      not_found: nobody,
      insufficient_role: async t => ({ ...(await maker(t)), ...more, as: t.main.tokens['Sales Executive'] }),
    },
    foreign: t => maker(t, t.other.tokens.Admin),
  }
}
const read = (maker: Maker, nobody: () => Promise<ContractRequest>): EndpointContract => ({
  prepare: t => maker(t),
  problems: { not_found: nobody },
  foreign: t => maker(t, t.other.tokens.Admin),
})

/** As many rows as there may be, until the request was answered. */
async function full(t: TestApp, table: string, count: number): Promise<void> {
  const [prefix, column] = table.endsWith('environments') ? ['env', 'variables'] : ['col', 'folders']
  await emptied(t, table)
  await t.ownerSql(
    `insert into ${table} (organization_id, id, name, owner_id, shared, ${column}, updated_by, created_at, updated_at)
     select $1, '${prefix}_0' || lpad(i::text, 25, '0'), 'full ' || i, $2, false, '[]', $2, now(), now()
     from generate_series(1, ${count}) i`,
    [t.main.organizationId, t.main.users.Admin.id],
  )
}
const emptied = (t: TestApp, table: string) =>
  t.ownerSql(`delete from ${table} where organization_id = $1 and name like 'full %'`, [t.main.organizationId])

/** A collection that holds all it may. */
async function fullCollection(t: TestApp): Promise<string> {
  const { collectionId } = await make(t, 'collections', {
    name: 'Full',
    requests: Array.from({ length: 300 }, () => request),
  })
  return collectionId
}
const emptyCollections = async (t: TestApp) => {
  await emptied(t, 'playground_collections')
  return {}
}

export const contract: ModuleContract = {
  'environments.list': {},
  'environments.create': {
    async prepare(t) {
      await emptied(t, 'playground_environments')
      return {}
    },
    problems: {
      insufficient_role: async t => ({
        body: { name: 'Ours', shared: true },
        as: t.main.tokens['Sales Executive'],
      }),
      async environment_limit_reached(t) {
        await full(t, 'playground_environments', 200)
        return { body: { name: 'One more' } }
      },
    },
  },
  'environments.get': read(environment, noEnvironment),
  'environments.update': one(environment, noEnvironment, { name: 'Production' }),
  'environments.delete': one(environment, noEnvironment),
  'collections.list': {},
  'collections.create': {
    prepare: emptyCollections,
    problems: {
      insufficient_role: async t => ({ body: { name: 'Ours', shared: true }, as: t.main.tokens['Sales Executive'] }),
      async collection_limit_reached(t) {
        await full(t, 'playground_collections', 300)
        return { body: { name: 'One more' } }
      },
      async collection_full(t) {
        await emptied(t, 'playground_collections')
        const requests = Array.from({ length: 200 }, () => request)
        return { body: { name: 'Too much', requests, folders: [{ name: 'More', requests }] } }
      },
    },
  },
  'collections.get': read(collection, noCollection),
  'collections.update': one(collection, noCollection, { name: 'Before each release' }),
  'collections.delete': one(collection, noCollection),
  'collections.add_folder': {
    ...one(collection, noCollection, { name: 'Calls' }),
    problems: {
      ...one(collection, noCollection, { name: 'Calls' }).problems,
      collection_full: async t => ({
        params: { collectionId: await fullCollection(t) },
        body: { name: 'One more', requests: [request] },
      }),
    },
  },
  'collections.delete_folder': one(folder, noFolder),
  'saved_requests.list': { prepare: async () => ({ query: { limit: 20 } }) },
  'saved_requests.create': {
    prepare: async t => ({ body: { ...(await collection(t)).params, ...request } }),
    problems: {
      insufficient_role: async t => ({
        body: { ...(await collection(t)).params, ...request },
        as: t.main.tokens['Sales Executive'],
      }),
      collection_full: async t => ({ body: { collectionId: await fullCollection(t), ...request } }),
    },
  },
  'saved_requests.get': read(saved, noRequest),
  'saved_requests.update': {
    ...one(saved, noRequest, { name: 'Me' }),
    problems: {
      ...one(saved, noRequest, { name: 'Me' }).problems,
      collection_full: async t => ({
        ...(await saved(t)),
        body: { collectionId: await fullCollection(t) },
      }),
    },
  },
  'saved_requests.delete': one(saved, noRequest),
}
