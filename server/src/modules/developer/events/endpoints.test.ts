// The event log: in order, filtered, of this tenant only, and of what one may read only.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { scanRows } from '../newest_store.ts'

let t: TestApp
const start = Date.parse('2026-05-05T08:00:00Z')
const types = [
  'lead.created',
  'lead.updated',
  'invoice.created',
  'invoice.payment_recorded',
  'message.queued',
  'message.sent',
  'call.initiated',
  'secret.made',
]

type Item = {
  id: string
  type: string
  timestamp: string
  resourceId: string
  sequence: number
  data: unknown
  mode: string
}

before(async () => {
  t = await startTestApp()
  await insertEvents(
    t.main.liveTenantId,
    types.map((type, n) => ({ type, ms: start + n * 1000, resource: type.split('.')[0] as string })),
  )
  await insertEvents(t.main.testTenantId, [{ type: 'lead.created', ms: start, resource: 'in test mode' }])
  await insertEvents(t.other.liveTenantId, [{ type: 'lead.created', ms: start, resource: 'of others' }])
})
after(() => t?.close())

async function insertEvents(tenantId: number, events: { type: string; ms: number; resource: string }[]): Promise<void> {
  await t.sql(
    `insert into events (tenant_id, id, type, resource_id, sequence, at, data)
     select $1, u.id, u.type, u.resource, row_number() over (partition by u.resource order by u.id),
       to_timestamp(u.ms / 1000.0),
       json_build_object('resource', u.resource)
     from unnest($2::text[], $3::text[], $4::text[], $5::float8[]) as u (id, type, resource, ms)`,
    [
      tenantId,
      events.map(event => newId('evt', event.ms)),
      events.map(event => event.type),
      events.map(event => event.resource),
      events.map(event => event.ms),
    ],
  )
}

async function list(query = '', as = t.main.tokens.Admin) {
  const answer = await t.call('GET', `/v2/events?${query}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as { data: Item[]; meta: { pagination: { nextCursor: string | null; hasMore: boolean } } }
}

const typesOf = async (query = '', as?: string) => (await list(query, as)).data.map(event => event.type)

test('an event is returned whole, newest first, of this tenant only', async () => {
  const { data } = await list()
  assert.deepEqual(
    data.map(event => event.type),
    [...types].reverse(),
  )
  const { id, ...rest } = data.at(-2) as Item
  assert.match(id, /^evt_/)
  assert.deepEqual(rest, {
    type: 'lead.updated',
    timestamp: '2026-05-05T08:00:01.000Z',
    resourceId: 'lead',
    sequence: 2,
    data: { resource: 'lead' },
    mode: 'live',
  })
  const [inTest] = (await list('', t.main.testKey)).data
  assert.deepEqual([inTest?.resourceId, inTest?.mode], ['in test mode', 'test'])
})

test('filters by type, all types of a noun, resource and time', async () => {
  assert.deepEqual(await typesOf('type=lead.created'), ['lead.created'])
  assert.deepEqual(await typesOf('type=message.*'), ['message.sent', 'message.queued'])
  assert.deepEqual(await typesOf('type=lead'), ['lead.updated', 'lead.created'])
  assert.deepEqual(await typesOf('resourceId=message'), ['message.sent', 'message.queued'])
  assert.deepEqual(await typesOf('resourceId=message&type=message.sent'), ['message.sent'])
  assert.deepEqual(await typesOf('createdAfter=2026-05-05T08:00:05Z'), [
    'secret.made',
    'call.initiated',
    'message.sent',
  ])
  assert.deepEqual(await typesOf('createdBefore=2026-05-05T08:00:01Z'), ['lead.created'])
  assert.deepEqual(await typesOf('resourceId=lead&createdAfter=2026-05-05T08:00:01Z'), ['lead.updated'])
  for (const query of [
    'type=Lead',
    'type=lead.%25',
    'resourceId=',
    'limit=0',
    'limit=201',
    'sort=type',
    'createdAfter=1',
  ]) {
    const { json } = await t.call('GET', `/v2/events?${query}`, { as: t.main.tokens.Admin })
    assert.equal(json.error?.code, 'validation_failed', query)
  }
})

test('one sees events of what one may read', async () => {
  assert.deepEqual(await typesOf('', t.main.tokens['Finance Manager']), [
    'call.initiated',
    'message.sent',
    'message.queued',
    'invoice.payment_recorded',
    'invoice.created',
  ])
  assert.deepEqual(await typesOf('type=invoice.*', t.main.tokens['Sales Manager']), [])
  assert.deepEqual(await typesOf('resourceId=lead', t.main.tokens['Finance Manager']), [])
  const refused = await t.call('GET', '/v2/events', { as: t.main.tokens['Sales Executive'] })
  assert.equal(refused.json.error.code, 'insufficient_role')
  const body = { name: 'k', mode: 'live', scopes: ['events:read', 'calls:read'] }
  const { json } = await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })
  assert.deepEqual(await typesOf('', json.data.secret), ['call.initiated'])
})

test('pages by cursor, also of one resource, and a long log in bounded parts', async () => {
  const collect = async (query: string) => {
    const seen: string[] = []
    let cursor = ''
    do {
      const { data, meta } = await list(`${query}${cursor && `&cursor=${cursor}`}`)
      seen.push(...data.map(event => event.id))
      cursor = meta.pagination.nextCursor ?? ''
    } while (cursor)
    return seen
  }
  const all = (await list('limit=200')).data.map(event => event.id)
  assert.deepEqual(await collect('limit=3'), all)
  assert.equal((await collect('limit=1&resourceId=lead')).length, 2)

  for (let from = 0; from < scanRows; from += 10_000) {
    await insertEvents(
      t.main.liveTenantId,
      Array.from({ length: 10_000 }, (_, n) => ({
        type: 'call.noise',
        ms: start + 60_000 + from + n,
        resource: `call ${from + n}`,
      })),
    )
  }
  const first = await list('type=lead.created')
  assert.deepEqual([first.data, first.meta.pagination.hasMore], [[], true])
  assert.deepEqual((await collect('type=lead.created')).length, 1)
  assert.equal((await collect('resourceId=lead')).length, 2, 'of one resource all are found at once')
})
