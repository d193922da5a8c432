// Tags on records of several nouns: names, putting on and taking off, filters, counts, merges, trash and who may what.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, `/v1/api${path}`, { as, ...(body && { body }) })

async function create(path: string, body: object, as?: string) {
  const { status, json, text } = await call('POST', path, body, as)
  assert.equal(status, 201, text)
  return (Object.values(json).find(value => typeof value === 'object') as { id: string | number }).id
}
const tag = async (name: string) => (await create('/tags', { name })) as string
const company = async (name: string, more = {}) => (await create('/companies', { name, ...more })) as string
const assign = (record_ids: string[], add: string[], remove: string[] = [], as?: string) =>
  call('POST', '/tags/assign', { record_ids, add, remove }, as)
const listed = async (path: string, as?: string) => {
  const { json, text, status } = await call('GET', path, undefined, as)
  assert.equal(status, 200, text)
  const rows = Object.values(json).find(Array.isArray) as { name: string }[]
  return rows.map(({ name }) => name).sort()
}

test('a name is there once, whatever the case of its letters, and free again when its tag is deleted', async () => {
  const id = await tag('Partner')
  const again = await call('POST', '/tags', { name: ' PARTNER ' })
  assert.deepEqual([again.status, again.json.code], [409, 'duplicate_record'])
  assert.match(again.text, new RegExp(id))
  const other = await tag('Other')
  const renamed = await call('PATCH', `/tags/${other}`, { name: 'partner' })
  assert.equal(renamed.json.code, 'duplicate_record')
  const both = await Promise.all([1, 2, 3].map(() => call('POST', '/tags', { name: 'Race' })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal((await call('DELETE', `/tags/${id}`)).status, 200)
  await tag('partner')
  const restored = await call('POST', `/tags/${id}/restore`)
  assert.equal(restored.json.code, 'duplicate_record', restored.text)
  assert.equal((await call('POST', '/tags', { name: 'Bad', color: 'mauve' })).status, 400)
})

test('tags are put on records of several nouns and taken off, and lists are filtered by any, all and none', async () => {
  const [vip, late, lost] = [await tag('Important'), await tag('Late'), await tag('Lost')]
  const [a, b] = [await company('Tag A'), await company('Tag B')]
  await company('Tag C')
  const lead = `lead:${await create('/leads', { name: 'Tagged lead', email: 'tagged@example.com' })}`
  const { json } = await assign([a, b, lead, a], [vip])
  assert.deepEqual(json, { success: true, changed: 3, unchanged: 0, failed: [] })
  assert.equal((await assign([a], [late])).json.changed, 1)
  assert.equal((await assign([a], [late])).json.unchanged, 1)

  assert.deepEqual(await listed(`/companies?tags=${vip}`), ['Tag A', 'Tag B'])
  assert.deepEqual(await listed(`/companies?tags=${late},${lost}`), ['Tag A'])
  assert.deepEqual(await listed(`/companies?tags[all]=${vip},${late}`), ['Tag A'])
  assert.deepEqual(await listed(`/companies?tags=none`), ['Tag C'])
  assert.deepEqual(await listed(`/companies?tags=none,${late}`), ['Tag A', 'Tag C'])
  assert.deepEqual(await listed(`/companies?tags=${vip}&q=tag`), ['Tag A', 'Tag B'])
  assert.deepEqual(await listed(`/leads?tags=${vip}`), ['Tagged lead'])
  assert.deepEqual(await listed(`/leads?tags[all]=${vip},${late}`), [])
  assert.equal((await call('GET', `/leads?tags=${vip}`)).json.pagination.totalCount, 1)
  assert.equal((await call('GET', '/companies?tags=vip')).status, 400)

  const of = await call('GET', `/tags/assigned?record_ids=${a},${lead},cmp_01k9r7d3w2v8e6q4n5m1b0c9xz,nonsense`)
  assert.deepEqual(
    of.json.tagged_records.map((one: { record_id: string; tags: { name: string }[] }) => [
      one.record_id,
      one.tags.map(({ name }) => name),
    ]),
    [
      [a, ['Important', 'Late']],
      [lead, ['Important']],
    ],
  )
  assert.equal((await assign([a], [], [late])).json.changed, 1)
  assert.deepEqual(await listed(`/companies?tags=${late}`), [])
  const events = await t.call('GET', `/v2/events?type=record.tags_changed&resourceId=${a}`, { as: t.main.tokens.Admin })
  const [last] = events.json.data
  assert.deepEqual(
    [events.json.data.length, last.data.removed, last.data.tags.length, last.sequence],
    [3, [late], 1, 3],
  )
})

async function countsOf(id: string, as?: string): Promise<Record<string, number>> {
  const { json } = await call('GET', `/tags/counts?tag_ids=${id}`, undefined, as)
  return Object.fromEntries(json.counts.map(({ noun, records }: { noun: string; records: number }) => [noun, records]))
}

test('counts are exact through trash, restore and merges, and of all records only for who sees all', async () => {
  const [one, two] = [await tag('Count one'), await tag('Count two')]
  const [a, b, c] = [await company('Count A'), await company('Count B'), await company('Count C')]
  const lead = await create('/leads', { name: 'Counted lead', email: 'counted@example.com' })
  await assign([a, b, `lead:${lead}`], [one])
  await assign([b, c], [two])
  assert.deepEqual(await countsOf(one), { company: 2, lead: 1 })
  await call('DELETE', `/companies/${a}`)
  await call('DELETE', `/leads/${lead}`)
  assert.deepEqual(await countsOf(one), { company: 1 })
  await call('POST', `/companies/${a}/restore`)
  await call('POST', `/leads/${lead}/restore`)
  assert.deepEqual(await countsOf(one), { company: 2, lead: 1 })
  // A merge of records: the one that stays has the tags of all.
  await call('POST', '/companies/merge', { into: a, others: [c] })
  assert.deepEqual([await countsOf(one), await countsOf(two)], [{ company: 2, lead: 1 }, { company: 2 }])
  assert.deepEqual(await listed(`/companies?tags[all]=${one},${two}`), ['Count A', 'Count B'])
  // A merge of tags.
  const merged = await call('POST', '/tags/merge', { into: one, others: [two] })
  assert.equal(merged.status, 200, merged.text)
  assert.deepEqual([await countsOf(one), await countsOf(two)], [{ company: 2, lead: 1 }, {}])
  const seen = await call('GET', `/tags/counts?tag_ids=${one}`, undefined, t.main.tokens['Sales Executive'])
  assert.deepEqual(seen.json.counts, [])
  assert.deepEqual(seen.json.left_out.sort(), ['company', 'contact', 'lead'])
  const rows = await t.ownerSql<{ kept: number; there: number }>(
    `select (select coalesce(sum(count), 0)::int from noun_counts where noun = 'record_tag' and tenant_id = $1) as kept,
       (select count(*)::int from record_tags where tenant_id = $1) as there`,
    [t.main.liveTenantId],
  )
  assert.equal(rows[0]?.kept, rows[0]?.there)
})

test('a tag that is deleted is on no record, and on all of them again when it is restored', async () => {
  const [id, a] = [await tag('Passing'), await company('Passing A')]
  await assign([a], [id])
  await call('DELETE', `/tags/${id}`)
  assert.deepEqual(await listed(`/companies?tags=${id}`), [])
  assert.deepEqual((await call('GET', `/tags/assigned?record_ids=${a}`)).json.tagged_records[0].tags, [])
  assert.equal((await assign([a], [id])).status, 422)
  await call('POST', `/tags/${id}/restore`)
  assert.deepEqual(await listed(`/companies?tags=${id}`), ['Passing A'])
})

test('a Sales Executive tags what they see, and nobody tags what is not theirs', async () => {
  const executive = t.main.tokens['Sales Executive']
  const [id, foreign] = [await tag('Scoped'), await company('Of the Admin', { owner_id: t.main.users.Admin.id })]
  const own = await company('Of nobody')
  const lead = `lead:${await create('/leads', { name: 'Theirs', email: 'theirs@example.com', owner_id: t.main.users.Admin.id })}`
  const { json } = await assign([foreign, lead, own], [id], [], executive)
  assert.equal(json.changed, 1)
  assert.deepEqual(
    json.failed.map((one: { id: string; code: string }) => [one.id, one.code]),
    [
      [foreign, 'not_found'],
      [lead, 'not_found'],
    ],
  )
  await assign([foreign], [id])
  assert.deepEqual(await listed(`/companies?tags=${id}`, executive), ['Of nobody'])
  const of = await call('GET', `/tags/assigned?record_ids=${foreign},${own}`, undefined, executive)
  assert.deepEqual(
    of.json.tagged_records.map((one: { record_id: string }) => one.record_id),
    [own],
  )
  const elsewhere = await assign([own], [id], [], t.other.tokens.Admin)
  assert.equal(elsewhere.status, 422, 'the tag is of another organization')
  const [theirTag] = [await create('/tags', { name: 'Scoped' }, t.other.tokens.Admin)]
  const strange = await assign([own], [theirTag as string], [], t.other.tokens.Admin)
  assert.equal(strange.json.failed[0].code, 'not_found')
  assert.equal((await call('PATCH', `/tags/${id}`, { color: 'red' }, executive)).json.code, 'insufficient_role')
})
