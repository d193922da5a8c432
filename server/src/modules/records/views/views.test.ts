// Saved views: what they may ask for, who sees and changes them, which one a list opens with, and what is left of one whose list changed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Offer, viewFaults, withoutLost } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
const call = (method: Method, path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, `/v1/api/views${path}`, { as, ...(body && { body }) })
async function create(body: object, as?: string) {
  const { status, json, text } = await call('POST', '', { noun: 'companies', name: 'View', ...body }, as)
  assert.equal(status, 201, text)
  return json.view
}
const namesOf = async (query: string, as?: string) =>
  (await call('GET', query, undefined, as)).json.views.map(({ name }: { name: string }) => name)

test('columns, filters and order are those of the list; each that is not is refused by name', async () => {
  const view = await create({
    name: ' Retail by age ',
    columns: [{ field: 'name', width: 300 }, { field: 'industry' }, { field: 'tags' }],
    filters: { industry: 'retail,Public', owner_id: 'me', 'created_at[gte]': '2026-01-01', q: 'acme', tags: 'none' },
    sort: '-created_at,name',
  })
  assert.deepEqual(
    [view.name, view.columns[1], view.dropped],
    ['Retail by age', { field: 'industry', width: null }, []],
  )
  const refused = await call('POST', '', {
    noun: 'companies',
    name: 'Wrong',
    columns: [{ field: 'name' }, { field: 'shoe_size' }, { field: 'name' }],
    filters: { color: 'red', industry: 'Fishing', limit: '5' },
    sort: 'shoe_size',
    group_by: 'hat',
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.json.details.map(({ field }: { field: string }) => field).sort(), [
    'columns[1].field',
    'columns[2].field',
    'filters.color',
    'filters.industry',
    'filters.limit',
    'group_by',
    'sort',
  ])
  assert.match(refused.text, /shoe_size/)
  const board = await call('POST', '', { noun: 'leads', name: 'Board', layout: 'board' })
  assert.equal(board.json.details[0].field, 'group_by')
  await create({ noun: 'leads', name: 'Board', layout: 'board', group_by: 'status', filters: { priority: 'Hot' } })
  await create({ noun: 'messages', name: 'Sent', filters: { direction: 'outbound' }, columns: [{ field: 'status' }] })
  assert.equal((await call('POST', '', { noun: 'planets', name: 'No' })).json.details[0].field, 'noun')
})

test('own views are seen by their owner, shared ones by all, and changed by their owner and who looks after them', async () => {
  const [executive, manager, finance] = (['Sales Executive', 'Sales Manager', 'Finance Manager'] as const).map(
    role => t.main.tokens[role],
  )
  const own = await create({ name: 'Of the executive' }, executive)
  const shared = await create({ name: 'For all', shared: true }, executive)
  assert.deepEqual(await namesOf('?noun=companies', executive), ['For all', 'Of the executive'])
  assert.deepEqual(await namesOf('?noun=companies', finance), ['For all'])
  assert.equal((await call('GET', `/${own.id}`, undefined, t.main.tokens.Admin)).status, 404)
  const seen = await call('GET', `/${shared.id}`, undefined, finance)
  assert.deepEqual([seen.json.view.may_change, seen.headers.etag], [false, '"1"'])
  assert.equal((await call('PATCH', `/${shared.id}`, { name: 'Mine' }, finance)).json.code, 'insufficient_role')
  assert.equal((await call('DELETE', `/${shared.id}`, undefined, finance)).json.code, 'insufficient_role')
  const renamed = await call('PATCH', `/${shared.id}`, { name: 'For everybody' }, manager)
  assert.deepEqual([renamed.json.view.name, renamed.json.view.version], ['For everybody', 2])
  const stale = await t.call('PATCH', `/v1/api/views/${shared.id}`, {
    as: manager,
    body: { name: 'Late' },
    headers: { 'if-match': '"1"' },
  })
  assert.equal(stale.json.code, 'version_mismatch')
  assert.equal((await call('GET', `/${shared.id}`, undefined, t.other.tokens.Admin)).status, 404)
  // Who may not read the list sees no views of it.
  await create({ noun: 'invoices', name: 'Open', shared: true }, finance)
  assert.deepEqual(await namesOf('', executive), ['For everybody', 'Of the executive'])
  const refused = await call('GET', '?noun=invoices', undefined, executive)
  assert.match(refused.text, /invoices:read/)
})

test('each person has the view that a list opens with; deleting it leaves the list as it is', async () => {
  const executive = t.main.tokens['Sales Executive']
  const view = await create({ noun: 'contacts', name: 'First', shared: true })
  const set = await call('PUT', '/default', { noun: 'contacts', view_id: view.id }, executive)
  assert.equal(set.status, 200, set.text)
  const isDefault = async (as?: string) => (await call('GET', `/${view.id}`, undefined, as)).json.view.is_default
  assert.deepEqual([await isDefault(executive), await isDefault()], [true, false])
  const other = await call('PUT', '/default', { noun: 'companies', view_id: view.id })
  assert.equal(other.json.details[0].field, 'view_id')
  const gone = await call('DELETE', `/${view.id}`)
  assert.deepEqual(gone.json, { success: true, id: view.id, deleted: true })
  assert.deepEqual(await namesOf('?noun=contacts', executive), [])
  const own = await create({ noun: 'contacts', name: 'Own' }, executive)
  await call('PUT', '/default', { noun: 'contacts', view_id: own.id }, executive)
  await call('PUT', '/default', { noun: 'contacts', view_id: null }, executive)
  assert.equal((await call('GET', `/${own.id}`, undefined, executive)).json.view.is_default, false)
})

test('what a list has no longer is left out on reading, and said', async () => {
  const view = await create({
    name: 'Old',
    columns: [{ field: 'name' }],
    filters: { industry: 'Retail' },
    shared: true,
  })
  await t.ownerSql(
    `update saved_views set columns = '[{"field": "region", "width": null}, {"field": "name", "width": 90}]',
       filters = '{"industry": "Fishing", "region": "north", "owner_id": "me"}', sort = 'region', layout = 'board', group_by = 'region'
     where id = $1`,
    [view.id],
  )
  const { json } = await call('GET', `/${view.id}`)
  const { columns, filters, sort, layout, group_by, dropped } = json.view
  assert.deepEqual(
    { columns, filters, sort, layout, group_by },
    {
      columns: [{ field: 'name', width: 90 }],
      filters: { owner_id: 'me' },
      sort: null,
      layout: 'list',
      group_by: null,
    },
  )
  assert.deepEqual(dropped.sort(), ['columns.region', 'filters.industry', 'filters.region', 'group_by', 'sort'])
})

test('rules: a list of one order takes no sort', () => {
  const offer: Offer = { columns: ['a'], filters: ['b'], isSortable: false, faultsOf: () => [] }
  const view = {
    layout: 'list' as const,
    columns: [{ field: 'a', width: null }],
    filters: { b: '1' },
    sort: 'a',
    group_by: null,
  }
  assert.deepEqual(
    viewFaults(offer, view).map(({ field }) => field),
    ['sort'],
  )
  assert.deepEqual(withoutLost(offer, { ...view, sort: null }), { view: { ...view, sort: null }, dropped: [] })
})

test('events of a view that is not shared say neither what it is called nor what it holds', async () => {
  const as = t.main.tokens['Sales Manager']
  const secret = { name: 'To let go', filters: { owner_id: '17' } }
  const made = await t.call('POST', '/v1/api/views', { as, body: { noun: 'companies', ...secret } })
  assert.equal(made.status, 201, made.text)
  const { id } = made.json.view
  const events = async () =>
    (await t.call('GET', `/v2/events?resourceId=${id}`, { as: t.main.tokens['Finance Manager'] })).text
  assert.match(await events(), /view\.created/)
  assert.doesNotMatch(await events(), /To let go|"17"/)
  await t.call('PATCH', `/v1/api/views/${id}`, { as, body: { shared: true } })
  assert.match(await events(), /To let go/)
})
