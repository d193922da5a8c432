// A person is erased everywhere, wherever it is interrupted, but for what the law keeps; and exported whole before.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  filesWithPerson,
  planted,
  plantPerson,
  settlePerson,
  tablesWithPerson,
} from '../../../../test/planted_person.ts'
import {
  askPrivacy as ask,
  finishPrivacy as finish,
  seePrivacy as see,
  workPrivacy as work,
} from '../../../../test/privacy.ts'

/** Services whose database fails at the n-th transaction from now: before it, or when it is committed and nobody has heard of it. */
function failing(t: TestApp, n: number, isCommitted: boolean): TestApp['app']['services'] {
  const { services } = t.app
  let left = n
  const inTenant: typeof services.db.inTenant = async (scope, run) => {
    if (--left !== 0) return services.db.inTenant(scope, run)
    if (isCommitted) await services.db.inTenant(scope, run)
    throw new Error('the process ended here')
  }
  const log = { ...services.log, error: () => {} } as unknown as typeof services.log
  return { ...services, log, db: { ...services.db, inTenant } }
}

describe('a person who is planted everywhere', () => {
  let t: TestApp
  let person: Awaited<ReturnType<typeof plantPerson>>
  before(async () => {
    t = await startTestApp()
    person = await plantPerson(t)
  })
  after(() => t?.close())

  test('stands in most tables before, and in files', async () => {
    const tables = await tablesWithPerson(t)
    for (const table of [
      'leads',
      'contacts',
      'notes',
      'tasks',
      'messages',
      'calls',
      'mails',
      'inbound_mails',
      'conversations',
      'events',
      'webhook_deliveries',
      'request_log',
      'request_details',
      'idempotency_keys',
      'imports',
      'changes',
      'invoices',
      'record_keys',
      'noun_words',
    ])
      assert.ok(tables.includes(table), `${table} does not hold the person: ${tables}`)
    assert.equal((await filesWithPerson(t)).length, 4)
  })

  test('is exported whole: rows of every kind, and files', async () => {
    const { status, json } = await ask(t, { kind: 'export', recordId: person.lead })
    assert.equal(status, 201, JSON.stringify(json))
    const request = await finish(t, json.data.privacyRequestId)
    assert.equal(request.state, 'completed', JSON.stringify(request))
    const answer = await t.call('GET', `/v2/privacy/requests/${json.data.privacyRequestId}/file`, {
      as: t.main.tokens.Admin,
    })
    assert.equal(answer.status, 200)
    const [stored] = await t.ownerSql<{ key: string }>(
      'select storage_key as key from privacy_requests where id = $1',
      [json.data.privacyRequestId],
    )
    const parts: Uint8Array[] = []
    for await (const part of await t.app.services.objects.current.read(stored!.key)) parts.push(part as Uint8Array)
    const text = gunzipSync(Buffer.concat(parts)).toString('latin1')
    for (const name of [
      'leads',
      'contacts',
      'notes',
      'tasks',
      'messages',
      'calls',
      'recordings',
      'mails',
      'inbound_mails',
      'conversations',
      'invoices',
    ])
      assert.match(text, new RegExp(`${name}-0001\\.ndjson`), name)
    for (const file of ['files/attachments/', 'files/recordings/', 'files/inbound_mails/'])
      assert.ok(text.includes(file), file)
    assert.ok(!text.includes('Ask Zephyrine'), 'a note on the company is not theirs')
  })

  test('is not erased without being meant, nor by others than Admins', async () => {
    const refused = await ask(t, { kind: 'erasure', recordId: person.lead })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /"field":"confirm"/)
    assert.equal((await ask(t, { kind: 'erasure', recordId: person.lead, confirm: 'Somebody' })).status, 400)
    const both = await ask(t, { kind: 'erasure', recordId: person.lead, phone: planted.phone })
    assert.match(both.text, /name one of recordId, phone and email/)
    assert.equal((await ask(t, { kind: 'export', recordId: person.lead }, t.main.tokens['Sales Manager'])).status, 403)
    assert.equal((await ask(t, { kind: 'export', recordId: 'lead:999999' })).status, 404)
  })

  test('waits for what is under way, and then is gone from every table and file but what the law keeps', async () => {
    const { status, json, text } = await ask(t, { kind: 'erasure', recordId: person.lead, confirm: planted.name })
    assert.equal(status, 201, text)
    const id = json.data.privacyRequestId
    assert.equal(
      (await ask(t, { kind: 'erasure', recordId: person.contact, confirm: planted.name })).json.error.code,
      'privacy_request_under_way',
    )
    for (let round = 0; round < 3; round++) await work(t)
    assert.equal((await see(t, id)).waitsFor, 'calls')
    await settlePerson(t)
    // Stopped after each few pieces, or in the middle of one, it goes on where it was.
    for (let round = 0; round < 12; round++) {
      await work(t, 7)
      await work(t, 9, failing(t, round + 1, round % 2 === 0))
    }
    const done = await finish(t, id)
    assert.equal(done.state, 'completed', JSON.stringify(done))
    await t.app.flush()
    assert.deepEqual(await tablesWithPerson(t), ['invoices'])
    assert.deepEqual(await filesWithPerson(t), [])
    const shown = await see(t, id)
    assert.deepEqual(shown.kept, [{ what: 'invoices', count: 1 }])
    const of = (what: string) => shown.done.find((one: { what: string }) => one.what === what)?.count
    assert.equal(of('records'), 2)
    assert.equal(of('recordings'), 1)
    assert.ok(of('texts') >= 3)
  })

  test('leaves others whole: the company, its note without the name, the invoice, the chain of the audit log', async () => {
    const as = t.main.tokens.Admin
    const notes = await t.call('GET', `/v1/api/notes?record_id=${person.company}`, { as })
    assert.equal(notes.json.notes[0].body, 'Ask [erased], ([erased], about the invoice.')
    const invoices = await t.call('GET', '/v1/api/finance/invoices', { as })
    assert.equal(invoices.json.invoices[0].customer.name, planted.name)
    assert.equal((await t.call('GET', '/v2/conversations?view=all', { as })).json.data.length, 0)
    const { json } = await t.call('GET', '/v2/audit-events?action=privacy_request.completed', { as })
    assert.equal(json.data.length, 2)
  })
})

describe('who is meant', () => {
  let t: TestApp
  before(async () => {
    t = await startTestApp()
  })
  after(() => t?.close())
  const lead = async (body: object) =>
    (await t.call('POST', '/v1/api/leads', { as: t.main.liveKey, headers: { 'x-duplicate-mode': 'off' }, body })).json
      .lead.id as number
  const leads = async () =>
    (await t.ownerSql<{ name: string }>('select name from leads order by id')).map(({ name }) => name)

  test('an address that somebody else has too stays with them, and the result says so', async () => {
    const id = await lead({ name: 'Ada Lovelace', phone: '+14155550160', email: 'ada@engines.example' })
    await lead({ name: 'Charles Babbage', phone: '+14155550160', email: 'charles@engines.example' })
    await lead({ name: 'Ada Lovelace', email: 'ada@engines.example' })
    const { json } = await ask(t, { kind: 'erasure', recordId: `lead:${id}`, confirm: 'ada lovelace' })
    const done = await finish(t, json.data.privacyRequestId)
    assert.equal(done.state, 'completed', JSON.stringify(done))
    assert.deepEqual(await leads(), ['Charles Babbage'])
    assert.deepEqual((done as unknown as { kept: object[] }).kept, [{ what: 'shared_address', count: 1 }])
    const [left] = await t.ownerSql<{ phone: string }>('select phone from leads')
    assert.equal(left?.phone, '+14155550160')
  })

  test('somebody else who is called the same keeps the name', async () => {
    const id = await lead({ name: 'Grace Hopper', email: 'grace@one.example' })
    await lead({ name: 'Grace Hopper', email: 'grace@two.example' })
    const { json } = await ask(t, { kind: 'erasure', recordId: `lead:${id}`, confirm: 'Grace Hopper' })
    const done = await finish(t, json.data.privacyRequestId)
    assert.equal(done.state, 'completed', JSON.stringify(done))
    assert.deepEqual(await t.ownerSql("select email from leads where name = 'Grace Hopper'"), [
      { email: 'grace@two.example' },
    ])
  })

  test('a number is erased with the records that have it, however it is spelled', async () => {
    await lead({ name: 'Mary Somerville', phone: '+14155550170' })
    const { json, status, text } = await ask(t, {
      kind: 'erasure',
      phone: '+1 (415) 555-0170',
      confirm: '+1 415 555 0170',
    })
    assert.equal(status, 201, text)
    assert.equal(json.data.about, '…170')
    assert.equal((await finish(t, json.data.privacyRequestId)).state, 'completed')
    assert.ok(!(await leads()).includes('Mary Somerville'))
  })

  test('a request that fails is tried again, and says so when it is given up', async () => {
    const id = await lead({ name: 'Emmy Noether', email: 'emmy@rings.example' })
    const { json } = await ask(t, { kind: 'erasure', recordId: `lead:${id}`, confirm: 'Emmy Noether' })
    await t.ownerSql("update privacy_requests set step = 'nothing' where state = 'queued'")
    await work(t)
    assert.equal((await see(t, json.data.privacyRequestId)).state, 'running')
    await t.ownerSql("update privacy_requests set attempts = 8 where state = 'running'")
    await work(t)
    const failed = await see(t, json.data.privacyRequestId)
    assert.equal(failed.state, 'failed')
    assert.match(failed.error, /Ask for it again/)
    assert.ok((await leads()).includes('Emmy Noether'))
  })
})

test('every table is looked through, or there is a reason not to', async () => {
  const t = await startTestApp()
  try {
    const rows = await t.ownerSql<{ name: string; reason: string | null; key: boolean }>(
      `select c.relname as name, not_swept(c.relname) as reason,
         exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as key
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity`,
    )
    for (const { name, reason, key } of rows)
      assert.ok(reason !== null || key, `${name} has no key to go through it by`)
  } finally {
    await t.close()
  }
})
