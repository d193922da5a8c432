// Changes of all records that a filter finds, in one request and in the background, and what takes batches and imports back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { insertRecords } from '../../../../test/noun_records.ts'
import { importFile, sendFile, workOnRecords } from '../../../../test/record_work.ts'
import { runBatch } from '../../../kernel/noun/batch_run.ts'
import { claimJobs } from '../../../kernel/noun/record_jobs.ts'
import { runImport } from '../imports/index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = Record<string, any>
const path = '/v1/api/companies'
const bulk = (body: object, as = t.main.tokens.Admin) => t.call('POST', `${path}/bulk`, { as, body })
async function total(query: string): Promise<number> {
  const { json, status, text } = await t.call('GET', `${path}?limit=1&${query}`, { as: t.main.tokens.Admin })
  assert.equal(status, 200, text)
  return json.pagination.totalCount
}
async function batchOf(id: string, as = t.main.tokens.Admin): Promise<Json> {
  const { json, status, text } = await t.call('GET', `/v1/api/batches/${id}`, { as })
  assert.equal(status, 200, text)
  return json.batch
}
async function reverted(id: string, as = t.main.tokens.Admin): Promise<Json> {
  const { json, status, text } = await t.call('POST', `/v1/api/batches/${id}/revert`, { as })
  assert.equal(status, 201, text)
  await workOnRecords(t)
  return batchOf(json.batch.id)
}
const named = (prefix: string, count: number, more: object = {}) =>
  insertRecords(
    t,
    'company',
    Array.from({ length: count }, (_, n) => ({ name: `${prefix} ${n}`, ...more })),
  )

test('a filter changes what it finds, when it finds as many as were seen', async () => {
  await named('Few', 12)
  const set = { industry: 'Public' }
  const filter = { 'name[begins]': 'Few' }
  const wrong = await bulk({ filter, expect: 13, set })
  assert.deepEqual([wrong.status, wrong.json.code], [409, 'count_mismatch'])
  assert.match(wrong.json.message, /finds 12 records, and 13 were expected/)
  const done = await bulk({ filter, expect: 12, set })
  assert.deepEqual([done.json.state, done.json.total, done.json.changed], ['completed', 12, 12], done.text)
  assert.equal(await total('name[begins]=Few&industry=Public'), 12)
  const batch = await batchOf(done.json.batch_id)
  assert.deepEqual([batch['state'], batch['changed'], batch['source']], ['completed', 12, 'bulk'])
  assert.deepEqual([batch['action'], batch['fields']], [null, ['industry']])
  assert.equal(await total(`batch_id=${done.json.batch_id}`), 12)
  for (const body of [
    { set },
    { filter, set },
    { filter, expect: 1, ids: ['cmp_00000000000000000000000000'], set },
    { ids: ['cmp_00000000000000000000000000'], expect: 1, set },
    { filter: { nonsense: '1' }, expect: 1, set },
    { filter: { industry: 'None such' }, expect: 1, set },
  ])
    assert.equal((await bulk(body)).json.code, 'validation_failed', JSON.stringify(body))
})

test('a search that finds more than are counted is refused with its reason, and the remedy', async () => {
  await named('Countless', 1_001)
  const { status, json } = await bulk({ filter: { q: 'Countless' }, expect: 1_000, set: { industry: 'Public' } })
  assert.deepEqual([status, json.details[0].field, json.details[0].code], [400, 'filter.q', 'too_many'])
  assert.match(json.message, /finds more than 1000 records, and a search is counted no further.*leave q out/)
  assert.equal(await total('name[begins]=Countless&industry=Public'), 0)
})

test('more than a thousand are changed in the background, and all of it is taken back', async () => {
  await named('Many', 2_300, { notes: 'n'.repeat(900) })
  const filter = { 'name[begins]': 'Many' }
  const begun = await bulk({ filter, expect: 2_300, set: { industry: 'Other', notes: null } })
  assert.deepEqual([begun.json.state, begun.json.total], ['running', 2_300], begun.text)
  const early = await t.call('POST', `/v1/api/batches/${begun.json.batch_id}/revert`, { as: t.main.tokens.Admin })
  assert.equal(early.status, 404, 'nothing was changed yet')
  // A worker that dies after five hundred.
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const [job] = await claimJobs(t.app.services.db, 'first', 1, null)
  let parts = 0
  const run = { services: t.app.services, scope, lease: { job: job!, token: 'first' }, isStopping: () => ++parts > 1 }
  await runBatch(run)
  assert.equal((await batchOf(begun.json.batch_id))['changed'], 500)
  await t.sql("update record_jobs set leased_until = now() - interval '1 second'")
  await workOnRecords(t)
  const batch = await batchOf(begun.json.batch_id)
  assert.deepEqual([batch['state'], batch['changed'], batch['failed']], ['completed', 2_300, 0])
  assert.equal(await total('name[begins]=Many&notes[empty]=true'), 2_300)
  const [twice] = await t.sql<{ n: number }>(
    'select max(version)::int as n from companies where starts_with(name, $1)',
    ['Many'],
  )
  assert.equal(twice?.n, 2)
  const [changed] = (await t.call('GET', `${path}?${new URLSearchParams(filter)}&limit=1`, { as: t.main.tokens.Admin }))
    .json.companies
  await t.call('PATCH', `${path}/${changed.id}`, { as: t.main.tokens.Admin, body: { domain: 'since.example' } })
  const back = await reverted(begun.json.batch_id)
  assert.deepEqual([back['state'], back['changed'], back['failed']], ['completed', 2_299, 1])
  assert.deepEqual(
    back['failures'].map(({ id, code }: Json) => [id, code]),
    [[changed.id, 'version_mismatch']],
  )
  assert.equal(await total('name[begins]=Many&notes[empty]=true'), 1)
  const [notes] = await t.sql<{ n: number }>(
    'select count(*)::int as n from companies where length(notes) = 900 and industry is null',
  )
  assert.equal(notes?.n, 2_299, 'long texts too')
})

test('records that a filter moved to the trash come back, and go once more', async () => {
  await named('Trash', 3)
  const filter = { 'name[begins]': 'Trash' }
  const deleted = await bulk({ filter, expect: 3, action: 'delete' })
  assert.equal(await total('name[begins]=Trash'), 0)
  const stopped = await t.call('POST', `/v1/api/batches/${deleted.json.batch_id}/revert`, { as: t.main.tokens.Admin })
  await t.call('POST', `/v1/api/batches/${stopped.json.batch.id}/cancel`, { as: t.main.tokens.Admin })
  assert.equal((await batchOf(deleted.json.batch_id))['reverted_by'], null, 'one that was ended takes nothing back')
  const executive = await bulk({ filter: {}, expect: 0, action: 'delete' }, t.main.tokens['Sales Executive'])
  assert.equal(executive.json.code, 'insufficient_role')
  const back = await reverted(deleted.json.batch_id)
  assert.equal(await total('name[begins]=Trash'), 3)
  assert.equal((await batchOf(deleted.json.batch_id))['reverted_by'], back['id'])
  await reverted(back['id'])
  assert.equal(await total('name[begins]=Trash'), 0)
})

test('what named a record that is gone by now stays as it is, and the others come back', async () => {
  const [parent, ...ids] = await Promise.all(
    ['Gone for good', 'Left', 'Kept'].map(async name => {
      const { json } = await t.call('POST', path, { as: t.main.tokens.Admin, body: { name } })
      return json.company.id as string
    }),
  )
  const as = t.main.tokens.Admin
  await t.call('PATCH', `${path}/${ids[0]}`, { as, body: { parent_id: parent } })
  const done = await bulk({ ids, set: { parent_id: null, industry: 'Public' } })
  assert.equal(done.json.changed, 2, done.text)
  await t.ownerSql('delete from companies where id = $1', [parent])
  const back = await reverted(done.json.batch_id)
  assert.deepEqual([back['state'], back['changed'], back['failed']], ['completed', 1, 1])
  assert.deepEqual(
    back['failures'].map(({ id, code }: Json) => [id, code]),
    [[ids[0], 'validation_failed']],
  )
})

test('a batch of which the database refuses a record ends as failed, and keeps no other from beginning', async () => {
  await named('Refused', 1_050)
  const filter = { 'name[begins]': 'Refused' }
  const begun = await bulk({ filter, expect: 1_050, set: { notes: 'Unheard of' } })
  assert.equal(begun.json.state, 'running', begun.text)
  await t.ownerSql("alter table companies add constraint heard_of check (notes <> 'Unheard of') not valid")
  await workOnRecords(t)
  await t.ownerSql('alter table companies drop constraint heard_of')
  const { state, problem } = await batchOf(begun.json.batch_id)
  assert.equal(state, 'failed')
  assert.match(problem, /^The database refused a record: .*heard_of/)
  const imported = await importFile(t, 'companies', 'name\nBehind it\n')
  assert.equal(imported.created, 1)
})

test('an import is taken back: what it created is in the trash, what it changed is as it was', async () => {
  const before = await importFile(t, 'companies', 'name,domain,phone\nThere,there.example,+15550100005\n')
  assert.equal(before.created, 1)
  const csv = 'name,domain,industry\nChanged,there.example,Retail\nAdded,added.example,\nTouched,touched.example,\n'
  const run = await importFile(t, 'companies', csv, { duplicates: 'update', match: ['domain'] })
  assert.deepEqual([run.created, run.updated], [2, 1])
  const find = async (domain: string): Promise<Json> =>
    (await t.call('GET', `${path}?domain=${domain}`, { as: t.main.tokens.Admin })).json.companies[0]
  const touched = await find('touched.example')
  await t.call('PATCH', `${path}/${touched['id']}`, { as: t.main.tokens.Admin, body: { phone: '+15550100006' } })
  const executive = await t.call('POST', `/v1/api/batches/${run.batch_id}/revert`, {
    as: t.main.tokens['Sales Executive'],
  })
  assert.equal(executive.json.code, 'insufficient_role')
  const foreign = await t.call('POST', `/v1/api/batches/${run.batch_id}/revert`, { as: t.other.tokens.Admin })
  assert.equal(foreign.status, 404)
  const back = await reverted(run.batch_id)
  assert.deepEqual([back['changed'], back['failed'], back['failures'][0].id], [2, 1, touched['id']])
  const there = await find('there.example')
  assert.deepEqual([there['name'], there['industry'], there['phone']], ['There', null, '+15550100005'])
  assert.equal(await find('added.example'), undefined)
  assert.equal((await find('touched.example'))['name'], 'Touched')
  const { json } = await t.call('GET', `${path}/${there['id']}/history`, { as: t.main.tokens.Admin })
  assert.deepEqual(
    json.changes.map(({ source }: Json) => source),
    ['revert', 'import', 'import'],
  )
  const again = await reverted(run.batch_id)
  assert.deepEqual([again['changed'], again['failed']], [0, 3], 'nothing is taken back twice')
})

test('what a colleague changed between two thousands of an import stays as it is', async () => {
  const as = t.main.tokens.Admin
  const rows = (name: string) => [`${name},there.between.example`, `New,new.between.example`]
  const filler = Array.from({ length: 1_000 }, (_, at) => `Between ${at},b${at}.between.example`)
  const csv = ['name,domain', ...rows('First'), ...filler, ...rows('Second'), ''].join('\n')
  await importFile(t, 'companies', 'name,domain\nOriginal,there.between.example\n')
  const { json } = await sendFile(t, 'companies', csv)
  const one = `/v1/api/imports/${json.import.id}`
  await t.call('PATCH', one, { as, body: { duplicates: 'update', match: ['domain'] } })
  await t.call('POST', `${one}/run`, { as })
  const [job] = await claimJobs(t.app.services.db, 'first', 1, t.app.services.objects.folder.id())
  const scope = { tenantId: job!.tenant_id, organizationId: job!.organization_id }
  await runImport({ services: t.app.services, scope, lease: { job: job!, token: 'first' }, isStopping: () => true })
  const find = async (domain: string): Promise<Json> =>
    (await t.call('GET', `${path}?domain=${domain}`, { as })).json.companies[0]
  const ids = [(await find('there.between.example'))['id'], (await find('new.between.example'))['id']]
  for (const id of ids) await t.call('PATCH', `${path}/${id}`, { as, body: { name: 'By a colleague' } })
  await runImport({ services: t.app.services, scope, lease: { job: job!, token: 'first' }, isStopping: () => false })
  const run = (await t.call('GET', one, { as })).json.import
  assert.deepEqual([run.state, run.created, run.updated], ['completed', 1_001, 3])
  const back = await reverted(run.batch_id)
  assert.deepEqual([back['changed'], back['failed']], [1_000, 2])
  assert.deepEqual(
    back['failures'].map(({ id, code }: Json) => [id, code]),
    ids.sort().map(id => [id, 'version_mismatch']),
  )
  assert.equal((await find('there.between.example'))['name'], 'Second')
})

test('a batch that is canceled stays where it is; a merge is not taken back', async () => {
  await named('Cancel', 1_200)
  const filter = { 'name[begins]': 'Cancel' }
  const begun = await bulk({ filter, expect: 1_200, set: { industry: 'Services' } })
  const canceled = await t.call('POST', `/v1/api/batches/${begun.json.batch_id}/cancel`, { as: t.main.tokens.Admin })
  assert.equal(canceled.json.batch.state, 'canceled')
  await workOnRecords(t)
  assert.equal(await total('name[begins]=Cancel&industry=Services'), 0)
  const [into, other] = await named('Merge', 2)
  await t.call('POST', `${path}/merge`, { as: t.main.tokens.Admin, body: { into, others: [other] } })
  const { json } = await t.call('GET', `${path}/${into}/history`, { as: t.main.tokens.Admin })
  const merge = await t.call('POST', `/v1/api/batches/${json.changes[0].batch_id}/revert`, { as: t.main.tokens.Admin })
  assert.equal(merge.json.code, 'batch_not_revertible')
})

test('where duplicates are blocked, changes of many make none', async () => {
  const as = t.main.tokens.Admin
  const block = { 'x-duplicate-mode': 'block' }
  const make = async (name: string, email: string) => {
    const body = { name, emails: [{ value: email }] }
    const { json, text } = await t.call('POST', '/v1/api/contacts', { as, body })
    assert.ok(json.contact, text)
    return json.contact.id as string
  }
  const bulk = async (body: object, headers: Record<string, string> = block) => {
    const { json, text } = await t.call('POST', '/v1/api/contacts/bulk', { as, body, headers })
    assert.ok(json.failed, text)
    return [json.changed, json.failed.map(({ id, code }: { id: string; code: string }) => [id, code])]
  }
  const gone = await make('Trashed', 'same@block.example')
  await t.call('DELETE', `/v1/api/contacts/${gone}`, { as })
  const other = await make('Other', 'other@block.example')
  await make('Taken', 'SAME@block.example')
  assert.deepEqual(await bulk({ ids: [gone], action: 'restore' }), [0, [[gone, 'duplicate_record']]])
  const third = await make('Third', 'third@block.example')
  const set = { emails: [{ value: 'shared@block.example' }] }
  assert.deepEqual(await bulk({ ids: [other, third], set }), [1, [[third, 'duplicate_record']]])
  assert.deepEqual(await bulk({ ids: [other, third], set: { source: 'fair' } }), [2, []], 'what stays is no duplicate')
  assert.deepEqual(await bulk({ ids: [gone], action: 'restore' }, {}), [1, []], 'the organization only warns')
  assert.deepEqual(await bulk({ ids: [gone, other], action: 'delete' }), [2, []])
})
