// Leads as files: what is exported is read back, and a file creates leads, changes those that it names or that are the same, and is
// taken back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { sendFile, workOnRecords } from '../../../../test/record_work.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = Record<string, any>

const call = (method: string, path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, `/v1/api/${path}`, { as, ...(body && { body }) })
async function ok(method: string, path: string, body?: object, as?: string): Promise<Json> {
  const { status, json, text } = await call(method, path, body, as)
  assert.ok(status < 300, text)
  return json
}
const lead = async (body: object, as?: string): Promise<Json> => (await ok('POST', 'leads', body, as))['lead']
const read = async (id: number): Promise<Json> => (await ok('GET', `leads/${id}`))['lead']
const found = async (query: string): Promise<Json[]> => (await ok('GET', `leads?sort=id&${query}`))['leads']

type Sent = { change?: object; as?: string }
async function draft(csv: string, { change, as = t.main.tokens.Admin }: Sent = {}): Promise<Json> {
  const sent = await sendFile(t, 'leads', csv, { as })
  assert.equal(sent.status, 201, JSON.stringify(sent.json))
  const { id } = sent.json.import
  return change === undefined ? sent.json.import : (await ok('PATCH', `imports/${id}`, change, as))['import']
}
async function begun(id: string, verb: 'run' | 'dry-run', as?: string): Promise<Json> {
  await ok('POST', `imports/${id}/${verb}`, undefined, as)
  await workOnRecords(t)
  return (await ok('GET', `imports/${id}`, undefined, as))['import']
}
const imported = async (csv: string, sent: Sent = {}) => begun((await draft(csv, sent))['id'], 'run', sent.as)
const counts = (run: Json) => ['created', 'updated', 'unchanged', 'skipped', 'refused'].map(name => run[name])
const faults = (run: Json) => run['faults'].map(({ row, code }: Json) => [row, code])
const update = { duplicates: 'update' }

/** The cells of a line without quotes, by the names of the first line. */
function linesOf(csv: string): Json[] {
  const [head, ...lines] = csv.trim().split('\r\n')
  const names = head!.split(',')
  return lines.map(line => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])))
}

test('an export has the numbers of leads, and read back it changes nothing; a changed cell changes its lead', async () => {
  const owner = t.main.users['Sales Executive']
  const one = await lead({ name: '=Odd; name', email: 'odd@export.example', phone: '+14155550190', owner_id: owner.id })
  const two = await lead({ name: 'Two', email: 'two@export.example', priority: 'cold', notes: 'first\nsecond' })
  await ok('PATCH', `leads/${two['id']}`, { status: 'Unqualified', lost_reason: 'no budget' })
  const three = await lead({ name: 'Three', email: 'three@export.example', company: 'Export Ltd' })
  await ok('POST', `leads/${three['id']}/convert`, { qualify: true })
  const query = 'q=export.example&sort=id'
  const { text, headers } = await call('GET', `leads/export?${query}`)
  assert.match(headers['content-disposition'] ?? '', /leads-\d{4}-\d\d-\d\d\.csv/)
  const rows = linesOf(text)
  assert.deepEqual(
    rows.map(({ id, status, lost_reason }) => [id, status, lost_reason]),
    [
      [`${one['id']}`, 'New', ''],
      [`${two['id']}`, 'Unqualified', 'no budget'],
      [`${three['id']}`, 'Converted', ''],
    ],
  )
  const versions = async () => Promise.all([one, two, three].map(async ({ id }) => (await read(id))['version']))
  const before = await versions()
  const same = await imported(text, { change: update })
  assert.deepEqual(counts(same), [0, 0, 3, 0, 0], JSON.stringify(same['faults']))
  assert.deepEqual(await versions(), before)
  const changed = text.replace('Two,', 'Two again,').replace('Three,', 'Three again,')
  assert.notEqual(changed, text)
  const run = await imported(changed, { change: update })
  assert.deepEqual(counts(run), [0, 2, 1, 0, 0], JSON.stringify(run['faults']))
  assert.deepEqual(
    (await found('q=again')).map(({ id }) => id),
    [two['id'], three['id']],
  )
  // With the names of people, of those that one sees, and with what one asks for.
  await ok('PATCH', `leads/${two['id']}`, { owner_id: t.main.users['Sales Manager'].id })
  const own = await call('GET', `leads/export?${query}&fields=name,notes`, undefined, t.main.tokens['Sales Executive'])
  assert.match(own.text, /^id,name,notes(,\w+)*\r\n/)
  assert.deepEqual(
    linesOf(own.text).map(({ id }) => id),
    [`${one['id']}`, `${three['id']}`],
  )
})

test('a file creates leads with numbers of their own, in any spelling of its columns, with history and events', async () => {
  const owner = t.main.users['Sales Executive']
  const company = (await ok('POST', 'companies', { name: 'Known Works', domain: 'known.example' }))['company']
  const csv = [
    'Name;E-mail;Phone;Company;Company record;Priority;Owner;Status;Lost reason',
    `Ada;ADA@file.example;(415) 555-0101;Engines;${company.id};hot;${owner.email};;`,
    'Bo;bo@file.example;;;;;;Qualified;',
    'Cy;;+4930123456;;;;;Unqualified;no budget',
    'No reach;;;;;;;;',
    'No reason;nr@file.example;;;;;;Unqualified;',
    'Made;made@file.example;;;;;;Converted;',
    'Bad;no address;12;;;lukewarm;nobody@file.example;Lost;',
    ';blank@file.example;;;;;;;',
    `Foreign;foreign@file.example;;;;;${t.main.users['Finance Manager'].email};;`,
  ].join('\r\n')
  const made = await draft(csv)
  const mapping = ['name', 'email', 'phone', 'company', 'company_id', 'priority', 'owner_id', 'status', 'lost_reason']
  assert.deepEqual(made['mapping'], mapping)
  const lastNumber = async () =>
    (await t.ownerSql<{ n: number }>('select last_value::int as n from leads_id_seq'))[0]!.n
  const last = await lastNumber()
  const checked = await begun(made['id'], 'dry-run')
  assert.deepEqual([checked['state'], counts(checked)], ['checked', [3, 0, 0, 0, 6]], JSON.stringify(checked['faults']))
  assert.equal(await lastNumber(), last, 'a trial takes no numbers')
  assert.deepEqual(await found('q=file.example'), [], 'a trial changes nothing')
  const run = await begun(made['id'], 'run')
  assert.deepEqual(counts(run), counts(checked))
  const said = [...new Set(faults(run).map((fault: unknown) => JSON.stringify(fault)))].sort()
  assert.deepEqual(said, [
    '[10,"not_allowed"]',
    '[5,"required"]',
    '[6,"required"]',
    '[7,"not_allowed"]',
    '[8,"not_allowed"]',
    '[8,"not_found"]',
    '[8,"too_short"]',
    '[8,"wrong_format"]',
    '[9,"required"]',
  ])
  const leads = await found(`batch_id=${run['batch_id']}`)
  assert.deepEqual(
    leads.map(({ name, email, phone, company: of, company_id, priority, owner_id, status, lost_reason }) => [
      ...[name, email, phone, of, company_id, priority, owner_id, status, lost_reason],
    ]),
    [
      ['Ada', 'ADA@file.example', '+14155550101', 'Engines', company.id, 'Hot', owner.id, 'New', null],
      ['Bo', 'bo@file.example', null, null, null, 'Warm', null, 'Qualified', null],
      ['Cy', null, '+4930123456', null, null, 'Warm', null, 'Unqualified', 'no budget'],
    ],
  )
  const [first] = leads
  assert.ok(Number.isInteger(first!['id']))
  const { changes } = await ok('GET', `leads/${first!['id']}/history`)
  assert.deepEqual(
    changes.map(({ source, batch_id, user_id }: Json) => [source, batch_id, user_id]),
    [['import', run['batch_id'], t.main.users.Admin.id]],
  )
  const events = await t.sql<Json>('select type, sequence, data from event_log where resource_id = $1', [
    `${first!['id']}`,
  ])
  assert.deepEqual(
    events.map(({ type, sequence, data }) => [type, sequence, data.id, data.name]),
    [['lead.created', 1, first!['id'], 'Ada']],
  )
  // They are counted, found by what they are the same by, and the next one has a number of its own.
  assert.equal((await ok('GET', 'leads?status=Qualified&limit=1'))['pagination'].totalCount, 1)
  const next = await ok('POST', 'leads', { name: 'Next', email: 'ada@FILE.example' })
  assert.deepEqual(next['duplicates'], [{ id: first!['id'], title: 'Ada', matched_by: 'email' }])
  assert.ok(!leads.some(({ id }) => id === next['lead'].id))
  // A file may say how far a lead has come; a request may not.
  assert.equal((await call('POST', 'leads', { name: 'X', email: 'x@x.example', status: 'Qualified' })).status, 400)
})

test('a row is the lead of its e-mail or phone: left out, changed, or one more', async () => {
  const mail = await lead({ name: 'Mail', email: 'match@match.example' })
  const phone = await lead({ name: 'Phone', phone: '+14155550111' })
  const csv = 'name,email,phone,source\nA,MATCH@match.example,,fair\nB,,415-555-0111,fair\nC,new@match.example,,fair\n'
  assert.deepEqual(counts(await imported(csv)), [1, 0, 0, 2, 0])
  const run = await imported(csv, { change: update })
  assert.deepEqual(counts(run), [0, 2, 1, 0, 0], JSON.stringify(run['faults']))
  const now = async () => Promise.all([mail, phone].map(async ({ id }) => (await read(id))['name']))
  assert.deepEqual(await now(), ['A', 'B'])
  const byPhone = await imported('name,email,phone\nD,match@match.example,+14155550111\n', {
    change: { ...update, match: ['phone'] },
  })
  assert.deepEqual(counts(byPhone), [0, 1, 0, 0, 0])
  assert.deepEqual(await now(), ['A', 'D'])
  // Both leads have this e-mail now.
  const both = await imported('name,email\nE,match@match.example\n', { change: update })
  assert.deepEqual([both['refused'], both['faults'][0].code], [1, 'ambiguous'])
  assert.deepEqual(counts(await imported(csv, { change: { duplicates: 'create' } })), [3, 0, 0, 0, 0])
  const rows = 'name,email,source\nFirst,twice@match.example,web\nSecond,TWICE@match.example,fair\n'
  assert.deepEqual(counts(await imported(rows, { change: update })), [1, 1, 0, 0, 0], 'rows of one file')
  const [twice, ...others] = await found('q=twice')
  assert.deepEqual([twice!['name'], twice!['source'], twice!['version'], others.length], ['Second', 'fair', 1, 0])
  // Those in the trash are nobody's duplicates.
  await ok('DELETE', `leads/${twice!['id']}`)
  assert.deepEqual(
    counts(await imported('name,email\nThird,twice@match.example\n', { change: update })),
    [1, 0, 0, 0, 0],
  )
})

test('a row names its lead by its number, also as others name it', async () => {
  const made = await lead({ name: 'Named', email: 'named@id.example' })
  const lost = await lead({ name: 'Gone', email: 'gone@id.example' })
  await ok('DELETE', `leads/${lost['id']}`)
  const company = (await ok('POST', 'companies', { name: 'Id Works' }))['company']
  const foreign = (
    await t.call('POST', '/v1/api/leads', {
      as: t.other.tokens.Admin,
      body: { name: 'Foreign', email: 'foreign@id.example' },
    })
  ).json.lead
  const rows = [
    `${made['id']},By number,Contacted`,
    `lead:${made['id']},By its name,Nurturing`,
    `${lost['id']},In the trash,`,
    `${foreign.id + 1_000_000},Nobody,`,
    `${company.id},A company,`,
    'contact:17,Another noun,',
    '1.5,No number,',
    `${made['id']},No way,New`,
    '999999999999999999999,Too large,',
    ',Created,',
  ]
  const csv = ['id,name,status', ...rows].join('\n')
  const run = await imported(csv, { change: update })
  assert.deepEqual(counts(run), [0, 2, 0, 0, 8], JSON.stringify(run['faults']))
  const said = run['faults'].map(({ row, field, code }: Json) => [row, field, code])
  for (const row of [4, 5])
    assert.ok(
      said.some(([at, , code]: unknown[]) => at === row && code === 'not_found'),
      `${row}`,
    )
  for (const row of [6, 7, 8, 10])
    assert.ok(
      said.some(([at, field]: unknown[]) => at === row && field === 'id'),
      `${row}`,
    )
  const refused = run['faults'].find(({ row }: Json) => row === 9)
  assert.match(JSON.stringify(refused), /transition/)
  const after = await read(made['id'])
  // Rows of one file that change a lead are one change.
  assert.deepEqual([after['name'], after['status'], after['version']], ['By its name', 'Nurturing', 2])
  const refusals = await call('GET', `imports/${run['id']}/refused`)
  assert.match(refusals.text, /^id,name,status,row,problem\r\n/)
})

test('an import does no more than its user may', async () => {
  const as = t.main.tokens['Sales Executive']
  const hidden = await lead({ name: 'Hidden', email: 'h@may.example', owner_id: t.main.users['Sales Manager'].id })
  const nobodys = await lead({ name: 'Nobodys', email: 'n@may.example' })
  const csv = [
    'id,name,email,owner_id',
    ',Mine,mine@may.example,',
    `,Away,away@may.example,${t.main.users.Admin.email}`,
    `${hidden['id']},Seized,,`,
    ',Seized,h@may.example,',
    `${nobodys['id']},Not taken,,`,
    `${nobodys['id']},Taken,,${t.main.users['Sales Executive'].email}`,
  ].join('\n')
  const run = await imported(csv, { change: update, as })
  assert.deepEqual(counts(run), [1, 1, 0, 0, 4], JSON.stringify(run['faults']))
  assert.deepEqual(faults(run), [
    [3, 'insufficient_role'],
    [4, 'not_found'],
    [5, 'duplicate'],
    [6, 'insufficient_role'],
  ])
  assert.equal((await found('q=mine@may.example'))[0]!['owner_id'], t.main.users['Sales Executive'].id)
  const [kept, taken] = [await read(hidden['id']), await read(nobodys['id'])]
  assert.deepEqual([kept['name'], kept['version'], taken['name']], ['Hidden', 1, 'Taken'])
  const finance = await sendFile(t, 'leads', csv, { as: t.main.tokens['Finance Manager'] })
  assert.equal(finance.status, 403)
})

test('an import is taken back: what it created goes to the trash, what it changed is as it was', async () => {
  const there = await lead({ name: 'There', email: 'there@undo.example' })
  const touched = await lead({ name: 'Touched', email: 'touched@undo.example' })
  const csv = [
    'id,name,email,status',
    `${there['id']},Changed,,Qualified`,
    `${touched['id']},Changed too,,`,
    ',Created,created@undo.example,',
  ].join('\n')
  const run = await imported(csv, { change: update })
  assert.deepEqual(counts(run), [1, 2, 0, 0, 0], JSON.stringify(run['faults']))
  // What somebody changed since stays as they have it.
  await ok('PATCH', `leads/${touched['id']}`, { name: 'By hand' })
  const [created] = await found('q=created@undo.example')
  await ok('POST', `batches/${run['batch_id']}/revert`)
  await workOnRecords(t)
  assert.equal((await call('GET', `leads/${created!['id']}`)).status, 404)
  const trash = await ok('GET', 'leads?deleted=true&q=created@undo.example')
  assert.deepEqual(
    trash['leads'].map(({ id }: Json) => id),
    [created!['id']],
  )
  const [back, kept] = [await read(there['id']), await read(touched['id'])]
  assert.deepEqual([back['name'], back['status'], back['first_responded_at']], ['There', 'New', null])
  assert.equal(kept['name'], 'By hand')
  const { changes } = await ok('GET', `leads/${there['id']}/history`)
  assert.deepEqual(
    changes.map(({ source }: Json) => source),
    ['revert', 'import', 'request'],
  )
  const batches = (await ok('GET', 'batches?noun=leads'))['batches'] as Json[]
  assert.ok(batches.some(({ reverts }) => reverts === run['batch_id']))
})

test('what several rows change of one lead is reported once, with all that it was', async () => {
  const { id } = await lead({ name: 'Rows', email: 'rows@import.example' })
  const csv = `id,name,status\n${id},Renamed,\n${id},,Contacted\n`
  const run = await imported(csv, { change: update })
  assert.deepEqual(counts(run), [0, 2, 0, 0, 0], JSON.stringify(run['faults']))
  const said = await t.sql('select type, data from event_log where resource_id = $1 order by sequence', [String(id)])
  assert.deepEqual(
    said.map(({ type, data }) => [type, data['name'], data['status']]),
    [
      ['lead.created', 'Rows', 'New'],
      ['lead.updated', 'Renamed', 'Contacted'],
      ['lead.status_changed', 'Renamed', 'Contacted'],
    ],
  )
})

test('a row that leaves a reference as it is may name what is in the trash', async () => {
  const { company } = await ok('POST', 'companies', { name: 'Trash Ltd' })
  const { id } = await lead({ name: 'Refers', email: 'refers@import.example', company_id: company.id })
  const other = await lead({ name: 'Other', email: 'other@import.example' })
  await ok('DELETE', `companies/${company.id}`)
  const csv = `id,name,company_id\n${id},Referred,${company.id}\n${other['id']},Others,${company.id}\n`
  const run = await imported(csv, { change: update })
  assert.deepEqual([counts(run), faults(run)], [[0, 1, 0, 0, 1], [[3, 'not_found']]])
  assert.deepEqual([(await read(id))['name'], (await read(id))['company_id']], ['Referred', company.id])
})
