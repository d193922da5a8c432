// What is written while a merge runs stays with the record that stays, or is refused as after the merge: nothing goes to the trash with the
// one that was taken in, and nobody waits in a circle.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from './harness.ts'
import { freshPhone, inboxOf } from './inbox.ts'
import { whileHeld } from './record_races.ts'
import { sendFile, workOnRecords } from './record_work.ts'

let t: TestApp
let inbox: ReturnType<typeof inboxOf>
before(async () => {
  t = await startTestApp()
  inbox = inboxOf(t)
  await inbox.follow()
})
after(() => t?.close())

const call = (method: string, path: string, body?: object) =>
  t.call(method, `/v1/api/${path}`, { as: t.main.tokens.Admin, ...(body && { body }) })
let made = 0
async function create(many: string, one: string, body: object) {
  const { status, json, text } = await call('POST', many, body)
  assert.equal(status, 201, text)
  return json[one]
}
const company = (more = {}) => create('companies', 'company', { name: `Company ${++made}`, ...more })
const contact = (more = {}) => create('contacts', 'contact', { name: `Contact ${++made}`, ...more })
const lead = (more = {}) => create('leads', 'lead', { name: `Lead ${++made}`, phone: freshPhone(), ...more })

/** Two companies, and what keeps a merge of the second into the first waiting when it has put that in the trash. */
async function two() {
  const [into, gone] = [await company(), await company()]
  const note = await create('notes', 'note', { record_id: gone.id, body: 'There before.' })
  const held = { text: 'select from notes where id = $1 for update', values: [note.id] }
  return { into, gone, held, merge: () => call('POST', 'companies/merge', { into: into.id, others: [gone.id] }) }
}

async function namedBy(table: string, condition: string, id: string): Promise<number> {
  const text = `select count(*)::integer as count from ${table} where deleted_at is null and ${condition}`
  return (await t.ownerSql<{ count: number }>(text, [id]))[0]!.count
}

describe('beside the merge of a company', () => {
  type Writer = {
    table: string
    naming: string
    code: string
    write(gone: string): Promise<() => Promise<Answer>>
  }
  const upload = (id: string) =>
    t.call('POST', `/v1/api/attachments?${new URLSearchParams({ record_id: id, name: 'offer.txt' })}`, {
      as: t.main.tokens.Admin,
      rawBody: 'An offer.',
      headers: { 'content-type': 'application/octet-stream' },
    })
  const onRecord = { naming: 'record_id = $1', code: 'record_not_found' }
  const ofCompany = { naming: 'company_id = $1', code: 'validation_failed' }
  const writers: Record<string, Writer> = {
    'a note': {
      ...onRecord,
      table: 'notes',
      write: async id => () => call('POST', 'notes', { record_id: id, body: 'Written meanwhile.' }),
    },
    'a task': {
      ...onRecord,
      table: 'tasks',
      write: async id => () => call('POST', 'tasks', { record_id: id, title: 'Meanwhile' }),
    },
    'a task that is put there': {
      ...onRecord,
      table: 'tasks',
      async write(id) {
        const task = await create('tasks', 'task', { title: 'Of nobody' })
        return () => call('PATCH', `tasks/${task.id}`, { record_id: id })
      },
    },
    'a file': { ...onRecord, table: 'attachments', write: async id => () => upload(id) },
    'a contact': {
      table: 'contacts',
      naming: `companies::jsonb @> jsonb_build_array(jsonb_build_object('value', $1::text))`,
      code: 'validation_failed',
      write: async id => () => call('POST', 'contacts', { name: 'Meanwhile', companies: [{ value: id }] }),
    },
    'a lead': {
      ...ofCompany,
      table: 'leads',
      write: async id => () => call('POST', 'leads', { name: 'Meanwhile', phone: freshPhone(), company_id: id }),
    },
    'a lead that changes': {
      ...ofCompany,
      table: 'leads',
      async write(id) {
        const { id: own } = await lead()
        return () => call('PATCH', `leads/${own}`, { company_id: id })
      },
    },
    'leads that change together': {
      ...ofCompany,
      table: 'leads',
      async write(id) {
        const ids = [(await lead()).id, (await lead()).id]
        return () => call('POST', 'leads/bulk', { ids, set: { company_id: id } })
      },
    },
    'a part of it': {
      table: 'companies',
      naming: 'parent_id = $1',
      code: 'validation_failed',
      async write(id) {
        const { id: own } = await company()
        return () => call('PATCH', `companies/${own}`, { parent_id: id })
      },
    },
  }
  for (const [what, { table, naming, code, write }] of Object.entries(writers))
    test(`${what} is refused as after it`, async () => {
      const { gone, held, merge } = await two()
      const [merged, written] = await whileHeld(t, held, merge, await write(gone.id))
      assert.equal(merged!.status, 200, merged!.text)
      assert.equal(written!.json.code, code, written!.text)
      assert.equal(await namedBy(table, naming, gone.id), 0)
    })

  test('a row of a file that names it is refused as after it', async () => {
    const { gone, held, merge } = await two()
    const { json } = await sendFile(t, 'leads', `name,email,company_id\nMeanwhile,row@example.com,${gone.id}\n`)
    const one = `imports/${json.import.id}`
    await call('POST', `${one}/run`)
    const work = async () => {
      await workOnRecords(t)
      return call('GET', one)
    }
    const [merged, run] = await whileHeld(t, held, merge, work)
    assert.equal(merged!.status, 200, merged!.text)
    const { state, created, refused } = run!.json.import
    assert.deepEqual([state, created, refused], ['completed', 0, 1])
    assert.equal(await namedBy('leads', 'company_id = $1', gone.id), 0)
  })

  test('what names it is moved on where it is changed to name the one that stays: nobody waits in a circle', async () => {
    const { into, gone, held, merge } = await two()
    const { id } = await lead({ company_id: gone.id })
    const change = () => call('PATCH', `leads/${id}`, { company_id: into.id, source: 'fair' })
    const [merged, changed] = await whileHeld(t, held, merge, change)
    assert.deepEqual([merged!.status, changed!.status], [200, 200], changed!.text)
    const { json } = await call('GET', `leads/${id}`)
    assert.deepEqual([json.lead.company_id, json.lead.source], [into.id, 'fair'])
  })

  test('what one lead hands to another in a merge of leads is moved too', async () => {
    const { into, gone, merge } = await two()
    const [stays, goes] = [await lead(), await lead({ company_id: gone.id })]
    const task = await create('tasks', 'task', { record_id: `lead:${goes.id}`, title: 'Call' })
    const held = { text: 'select from tasks where id = $1 for update', values: [task.id] }
    const mergeLeads = () => call('POST', 'leads/merge', { into: stays.id, others: [goes.id] })
    const answers = await whileHeld(t, held, mergeLeads, merge)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const { json } = await call('GET', `leads/${stays.id}`)
    assert.equal(json.lead.company_id, into.id)
  })

  test('what is made to name another before it is locked names that one', async () => {
    const { gone, merge } = await two()
    const [another, { id }] = [await company(), await lead({ company_id: gone.id })]
    const held = { text: 'select from leads where id = $1 for update', values: [id] }
    const change = () => call('PATCH', `leads/${id}`, { company_id: another.id })
    const [changed, merged] = await whileHeld(t, held, change, merge)
    assert.deepEqual([changed!.status, merged!.status], [200, 200], changed!.text)
    const { json } = await call('GET', `leads/${id}`)
    assert.equal(json.lead.company_id, another.id)
  })
})

test('an invoice beside the merge of its lead names none that is gone', async () => {
  const [into, gone] = [await lead(), await lead()]
  const note = await create('notes', 'note', { record_id: `lead:${gone.id}`, body: 'There before.' })
  const draft = await create('finance/invoices', 'invoice', { customer: { name: 'A' }, amount: 1 })
  const held = { text: 'select from notes where id = $1 for update', values: [note.id] }
  const answers = await whileHeld(
    t,
    held,
    () => call('POST', 'leads/merge', { into: into.id, others: [gone.id] }),
    () => call('POST', 'finance/invoices', { customer: { name: 'B' }, amount: 1, lead_id: gone.id }),
    () => call('PATCH', `finance/invoices/${draft.id}`, { lead_id: gone.id }),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 422, 422],
  )
  assert.deepEqual(await t.ownerSql('select id from invoices where lead_id = $1', [gone.id]), [])
})

test('companies that are made parts of each other at one moment do not wait in a circle', async () => {
  const [one, other, third] = [await company(), await company(), await company()]
  const put = (id: string, parent_id: string) => () => call('PATCH', `companies/${id}`, { parent_id })
  const held = { text: 'select from companies where id = $1 for update', values: [other.id] }
  const answers = await whileHeld(t, held, put(one.id, other.id), put(other.id, one.id), put(third.id, other.id))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('a note in the inbox, written while the contact is merged, is a note of the one that stays', async () => {
  const phone = freshPhone()
  const [into, gone] = [await contact(), await contact({ phones: [{ value: phone }] })]
  await inbox.receive(phone, 'Hi')
  const { conversationId } = await inbox.conversationWith(phone)
  const held = {
    text: 'select from conversation_positions where tenant_id = $1 for update',
    values: [t.main.liveTenantId],
  }
  const merge = () => call('POST', 'contacts/merge', { into: into.id, others: [gone.id] })
  const write = () => inbox.call('POST', `/v2/conversations/${conversationId}/notes`, { body: 'Meanwhile.' })
  const [merged, written] = await whileHeld(t, held, merge, write)
  assert.deepEqual([merged!.status, written!.status], [200, 201], written!.text)
  const rows = await t.ownerSql("select record_id from notes where body = 'Meanwhile.'")
  assert.deepEqual(rows, [{ record_id: into.id }])
})
