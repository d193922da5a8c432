// Notes and tasks on records: who sees and changes them, what becomes of them when the record is deleted, restored or merged, and when
// tasks are due.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, `/v1/api${path}`, { as, ...(body && { body }) })
async function create(path: string, body: object, as?: string) {
  const { status, json, text } = await call('POST', path, body, as)
  assert.equal(status, 201, text)
  return Object.values(json).find(value => typeof value === 'object') as { id: string; [field: string]: unknown }
}
const companyOf = async (ownerId: number | null, name = 'Held') =>
  (await create('/companies', { name, owner_id: ownerId })).id
const listed = async (path: string, as?: string) => {
  const { status, json, text } = await call('GET', path, undefined, as)
  assert.equal(status, 200, text)
  const rows = Object.values(json).find(Array.isArray) as { body?: string; title?: string }[]
  assert.equal(json.pagination.totalCount, rows.length, text)
  return rows.map(({ body, title }) => title ?? body)
}

test('a note has an author, is pinned and edited, listed by record, and kept in the trash', async () => {
  const company = await companyOf(null)
  const note = await create('/notes', { record_id: company, body: ' First ' }, t.main.tokens['Sales Manager'])
  assert.deepEqual(
    [note['body'], note['author_id'], note['edited_at'], note['is_pinned']],
    ['First', t.main.users['Sales Manager'].id, null, false],
  )
  await create('/notes', { record_id: company, body: 'Second' })
  await create('/notes', { record_id: await companyOf(null), body: 'Of another' })
  const pinned = await call('PATCH', `/notes/${note.id}`, { is_pinned: true })
  assert.equal(pinned.json.note.edited_at, null, 'pinning is no edit')
  assert.deepEqual(await listed(`/notes?record_id=${company}`), ['Second', 'First'])
  assert.deepEqual(await listed(`/notes?record_id=${company}&sort=-is_pinned,-created_at`), ['First', 'Second'])
  const edited = await call('PATCH', `/notes/${note.id}`, { body: 'First, corrected' })
  assert.ok(edited.json.note.edited_at)
  const moved = await call('PATCH', `/notes/${note.id}`, { record_id: company })
  assert.equal(moved.json.code, 'validation_failed', 'a note stays where it is')
  const { json } = await call('GET', `/notes/${note.id}/history`)
  assert.deepEqual(json.changes[0].fields[0], { field: 'body', from: 'First', to: 'First, corrected' })
  assert.equal((await call('DELETE', `/notes/${note.id}`)).status, 200)
  assert.deepEqual(await listed(`/notes?record_id=${company}`), ['Second'])
  await call('POST', `/notes/${note.id}/restore`)
  assert.deepEqual(await listed(`/notes?record_id=${company}&q=corrected`), ['First, corrected'])
  assert.equal((await call('POST', '/notes', { record_id: company, body: 'x'.repeat(10_001) })).status, 400)
  assert.equal((await call('POST', '/notes', { record_id: 'usr_01k9r7d3w2v8e6q4n5m1b0c9xz', body: 'x' })).status, 422)
})

test('what is put on a record is seen and changed by those who see and change the record', async () => {
  const executive = t.main.tokens['Sales Executive']
  const foreign = await companyOf(t.main.users.Admin.id)
  const lead = `lead:${(await create('/leads', { name: 'L', email: 'l@example.com', owner_id: t.main.users.Admin.id })).id}`
  const own = await companyOf(t.main.users['Sales Executive'].id)
  const hidden: string[] = []
  for (const record_id of [foreign, lead]) {
    hidden.push((await create('/notes', { record_id, body: 'Secret' })).id)
    const refused = await call('POST', '/notes', { record_id, body: 'Mine' }, executive)
    assert.equal(refused.json.code, 'record_not_found', refused.text)
    assert.deepEqual(await listed(`/notes?record_id=${record_id}`, executive), [])
    assert.deepEqual(await listed(`/notes?record_id=${record_id}`), ['Secret'])
  }
  await create('/notes', { record_id: own, body: 'Own' }, executive)
  assert.deepEqual(
    await listed('/notes', executive).then(all => all.filter(body => body === 'Own' || body === 'Secret')),
    ['Own'],
  )
  for (const id of hidden)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/history', undefined],
      ['PATCH', '', { body: 'Changed' }],
      ['DELETE', '', undefined],
      ['POST', '/restore', undefined],
    ] as const)
      assert.equal((await call(method, `/notes/${id}${path}`, body, executive)).status, 404, `${method} ${path}`)
  assert.deepEqual(await listed('/notes', t.other.tokens.Admin), [])
  assert.equal((await call('POST', '/notes', { record_id: own, body: 'x' }, t.other.tokens.Admin)).status, 422)
  // Who may read companies and not leads sees the notes of companies only.
  const finance = t.main.tokens['Finance Manager']
  assert.deepEqual(await listed(`/notes?record_id=${foreign},${lead}`, finance), ['Secret'])
})

test('a record takes what is put on it into the trash and back, and a merge moves it', async () => {
  const [kept, gone] = [await companyOf(null, 'Kept'), await companyOf(null, 'Gone')]
  const note = await create('/notes', { record_id: gone, body: 'Follows' })
  const task = await create('/tasks', { record_id: gone, title: 'Follows too', assignee_id: t.main.users.Admin.id })
  await call('DELETE', `/companies/${gone}`)
  assert.deepEqual(
    [(await call('GET', `/notes/${note.id}`)).status, (await call('GET', `/tasks/${task.id}`)).status],
    [404, 404],
  )
  assert.deepEqual(await listed(`/tasks?record_id=${gone}`), [])
  assert.equal((await call('POST', '/notes', { record_id: gone, body: 'Late' })).json.code, 'record_not_found')
  await call('POST', `/companies/${gone}/restore`)
  assert.deepEqual(await listed(`/notes?record_id=${gone}`), ['Follows'])
  await call('POST', '/companies/merge', { into: kept, others: [gone] })
  assert.equal((await call('GET', `/notes/${note.id}`)).json.note.record_id, kept)
  assert.deepEqual(await listed(`/tasks?record_id=${kept}`), ['Follows too'])
  const named = await call('GET', `/tasks?record_id=${kept}&include=record_id,assignee_id`)
  assert.equal(named.json.included.company[kept].title, 'Kept')
})

test('tasks are completed, reopened and canceled, and due by the end of a day where the organization is', async () => {
  const task = await create('/tasks', { title: 'Call', due_on: '2026-01-15' })
  assert.deepEqual([task['due_at'], task['status'], task['priority']], ['2026-01-15T22:59:59.999Z', 'open', 'normal'])
  const both = await call('PATCH', `/tasks/${task.id}`, { due_on: '2026-02-01', due_at: '2026-02-01T09:00:00Z' })
  assert.equal(both.json.details[0].field, 'due_at')
  const moment = await call('PATCH', `/tasks/${task.id}`, { due_at: '2020-01-01T09:00:00Z' })
  assert.deepEqual([moment.json.task.due_on, moment.json.task.due_at], [null, '2020-01-01T09:00:00.000Z'])
  await create('/tasks', { title: 'Later', due_on: '2999-01-01' })
  await create('/tasks', { title: 'Any day' })
  const overdue = '/tasks?status=open&due_at[past]=true'
  assert.ok((await listed(overdue)).includes('Call'))
  assert.ok(!(await listed(overdue)).includes('Later'))
  const done = await call('PATCH', `/tasks/${task.id}`, { status: 'done' })
  assert.deepEqual([done.json.task.completed_by, done.json.task.completed_at !== null], [t.main.users.Admin.id, true])
  assert.ok(!(await listed(overdue)).includes('Call'))
  const wrong = await call('PATCH', `/tasks/${task.id}`, { status: 'canceled' })
  assert.deepEqual([wrong.status, wrong.json.code], [409, 'invalid_transition'])
  const reopened = await call('PATCH', `/tasks/${task.id}`, { status: 'open' })
  assert.equal(reopened.json.task.completed_at, null)
  const bulk = await call('POST', '/tasks/bulk', { ids: [task.id], set: { status: 'canceled' } })
  assert.equal(bulk.json.changed, 1)
  const events = await t.call('GET', `/v2/events?resourceId=${task.id}`, { as: t.main.tokens.Admin })
  const types = events.json.data.map(({ type }: { type: string }) => type)
  assert.deepEqual(
    types.filter((type: string) => !/created|updated/.test(type)),
    ['task.canceled', 'task.reopened', 'task.completed'],
  )
})

test('a Sales Executive sees own tasks, and those of records that they see', async () => {
  const executive = t.main.tokens['Sales Executive']
  const { id: me } = t.main.users['Sales Executive']
  const foreign = await companyOf(t.main.users.Admin.id)
  const own = await companyOf(me)
  const tasks = {
    'on foreign, theirs': { record_id: foreign, assignee_id: t.main.users.Admin.id },
    'on foreign, nobody’s': { record_id: foreign },
    'on foreign, mine': { record_id: foreign, assignee_id: me },
    'on own, theirs': { record_id: own, assignee_id: t.main.users.Admin.id },
    'of none, theirs': { assignee_id: t.main.users.Admin.id },
    'of none, mine': { assignee_id: me },
  }
  for (const [title, body] of Object.entries(tasks)) await create('/tasks', { title, ...body })
  const all = await listed('/tasks?limit=200', executive)
  const seen = all.filter(title => title! in tasks).sort()
  assert.deepEqual(seen, ['of none, mine', 'on foreign, mine', 'on own, theirs'])
  assert.deepEqual((await listed('/tasks?assignee_id=me', executive)).sort(), ['of none, mine', 'on foreign, mine'])
  const mine = await create('/tasks', { title: 'New' }, executive)
  assert.equal(mine['assignee_id'], me)
  const given = await call('POST', '/tasks', { title: 'Yours', assignee_id: t.main.users.Admin.id }, executive)
  assert.equal(given.json.code, 'insufficient_role')
  const delegated = await create(
    '/tasks',
    { title: 'Help', record_id: own, assignee_id: t.main.users.Admin.id },
    executive,
  )
  assert.equal((await call('PATCH', `/tasks/${delegated.id}`, { status: 'done' }, executive)).status, 200)
  const bulk = await call('POST', '/tasks/bulk', { ids: [delegated.id], action: 'delete' }, t.other.tokens.Admin)
  assert.equal(bulk.json.failed[0].code, 'not_found')
})
