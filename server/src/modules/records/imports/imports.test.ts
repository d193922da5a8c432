// Imports from the file that is sent to the records that are there: mapping, trial, run, duplicates, rights, refusals, crashes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { sendFile, workOnRecords } from '../../../../test/record_work.ts'
import { claimJobs, holdJob } from '../../../kernel/noun/record_jobs.ts'
import { runImport } from './run.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = Record<string, any>

const send = (noun: string, csv: string | Buffer, options = {}) => sendFile(t, noun, csv, options)

async function draft(noun: string, csv: string | Buffer, change: object = {}, as = t.main.tokens.Admin): Promise<Json> {
  const sent = await send(noun, csv, { as })
  assert.equal(sent.status, 201, JSON.stringify(sent.json))
  if (Object.keys(change).length === 0) return sent.json['import']
  const { status, json, text } = await t.call('PATCH', `/v1/api/imports/${sent.json['import'].id}`, {
    as,
    body: change,
  })
  assert.equal(status, 200, text)
  return json.import
}

const work = () => workOnRecords(t)

async function begin(id: string, verb: 'run' | 'dry-run', as = t.main.tokens.Admin): Promise<Json> {
  const begun = await t.call('POST', `/v1/api/imports/${id}/${verb}`, { as })
  assert.equal(begun.status, 200, begun.text)
  await work()
  const { json } = await t.call('GET', `/v1/api/imports/${id}`, { as })
  return json.import
}

async function imported(noun: string, csv: string | Buffer, change: object = {}, as?: string): Promise<Json> {
  const { id } = await draft(noun, csv, change, as)
  return begin(id, 'run', as)
}

const counts = ({ created, updated, unchanged, skipped, refused }: Json) => [
  created,
  updated,
  unchanged,
  skipped,
  refused,
]
async function found(noun: string, query: string, as = t.main.tokens.Admin): Promise<Json[]> {
  const { json, status, text } = await t.call('GET', `/v1/api/${noun}?${query}`, { as })
  assert.equal(status, 200, text)
  return json[noun]
}

test('columns are found by their names, a trial counts, and a run does what the trial said', async () => {
  const owner = t.main.users['Sales Executive']
  const csv = [
    'First Name;Last Name;E-mail;E-mail 2;Mobile;Birthday;Email consent;Owner;Company;Unknown',
    `Ada;Lovelace;ada@trial.example;ada@home.example;+1 555 010 0001;10.12.1815;ja;${owner.email};;x`,
    'Grace;Hopper;grace@trial.example;;(555) 010-0002;1906-12-09;no;;;',
    ';;;;;;;;;',
    'Bad;Row;not an address;;no number;32.13.1999;perhaps;nobody@trial.example;Nowhere Ltd;',
    'Ada;Again;ADA@trial.example;;;;;;;',
  ].join('\r\n')
  const made = await draft('contacts', csv)
  assert.deepEqual(
    [made['state'], made['delimiter'], made['encoding'], made['mapping']],
    [
      'draft',
      'semicolon',
      'utf-8',
      ['name', 'name', 'emails', 'emails', 'phones', 'birthday', 'email_consent', 'owner_id', 'companies', null],
    ],
  )
  const checked = await begin(made['id'], 'dry-run')
  assert.deepEqual([checked['state'], checked['rows'], counts(checked)], ['checked', 4, [2, 0, 0, 1, 1]])
  assert.deepEqual(checked['faults'].map(({ row, column, code }: Json) => [row, column, code]).sort(), [
    [5, 'Birthday', 'wrong_format'],
    [5, 'Company', 'not_found'],
    [5, 'E-mail', 'wrong_format'],
    [5, 'Email consent', 'wrong_type'],
    [5, 'Mobile', 'wrong_format'],
    [5, 'Owner', 'not_found'],
  ])
  assert.deepEqual(await found('contacts', 'q=trial'), [], 'a trial changes nothing')
  const run = await begin(made['id'], 'run')
  assert.deepEqual([run['state'], counts(run)], ['completed', [2, 0, 0, 1, 1]])
  const [ada] = await found('contacts', 'emails=ada@trial.example')
  assert.equal(ada!['name'], 'Ada Lovelace')
  assert.deepEqual([ada!['birthday'], ada!['email_consent'], ada!['owner_id']], ['1815-12-10', true, owner.id])
  assert.deepEqual(
    ada!['emails'].map(({ value }: Json) => value),
    ['ada@trial.example', 'ada@home.example'],
  )
  const history = await t.call('GET', `/v1/api/contacts/${ada!['id']}/history`, { as: t.main.tokens.Admin })
  assert.deepEqual(
    history.json.changes.map(({ source, batch_id }: Json) => [source, batch_id]),
    [['import', run['batch_id']]],
  )
  const refused = await t.call('GET', `/v1/api/imports/${made['id']}/refused`, { as: t.main.tokens.Admin })
  const [head, row, ...others] = refused.text.trim().split('\r\n')
  assert.match(head!, /^First Name,Last Name,.*,row,problem$/)
  assert.match(row!, /^Bad,Row,not an address,.*,5,".*E-mail: must be.*"$/)
  assert.deepEqual(others, [])
  const events = await t.call('GET', `/v2/events?resourceId=${made['id']}`, { as: t.main.tokens.Admin })
  assert.deepEqual(
    events.json.data.map(({ type }: Json) => type),
    ['import.completed', 'import.started', 'import.checked', 'import.started', 'import.created'],
  )
})

test('a row with a NUL in any of its columns is refused by itself, in the trial and in the run', async () => {
  const rows = Array.from({ length: 2_500 }, (_, n) => `First ${n},Last${n === 2_498 ? '\0' : ''},nul${n}@nul.example`)
  const made = await draft('contacts', `First name,Last name,E-mail\n${rows.join('\n')}\n`)
  const checked = await begin(made['id'], 'dry-run')
  assert.deepEqual(
    checked['faults'].map(({ row, column, code }: Json) => [row, column, code]),
    [[2_500, 'First name', 'wrong_format']],
  )
  const run = await begin(made['id'], 'run')
  assert.deepEqual([run['state'], run['created'], run['refused']], ['completed', 2_499, 1])
})

test('duplicates are left out, changed, or made once more, as one says', async () => {
  const csv = 'name,domain,phone\nDup,dup.example,\nDup two,dup2.example,\n'
  assert.deepEqual(counts(await imported('companies', csv)), [2, 0, 0, 0, 0])
  const again = 'name,domain,industry\nDup renamed,DUP.example,retail\nDup two,dup2.example,\n'
  assert.deepEqual(counts(await imported('companies', again)), [0, 0, 0, 2, 0])
  const change = { duplicates: 'update', match: ['domain'] }
  assert.deepEqual(counts(await imported('companies', again, change)), [0, 1, 1, 0, 0])
  const [renamed] = await found('companies', 'domain=dup.example')
  assert.deepEqual([renamed!['name'], renamed!['industry'], renamed!['version']], ['Dup renamed', 'Retail', 2])
  assert.deepEqual(counts(await imported('companies', csv, { duplicates: 'create' })), [2, 0, 0, 0, 0])
  const several = await imported('companies', 'name,domain\nX,dup.example\n', change)
  assert.deepEqual([several['refused'], several['faults'][0].code], [1, 'ambiguous'])
  const byId = await imported('companies', `id,name\n${renamed!['id']},By id\ncmp_${'0'.repeat(26)},Nobody\n`, change)
  assert.deepEqual([counts(byId), byId['faults'][0].field], [[0, 1, 0, 0, 1], 'id'])
})

test('rows of one file that are the same are one record, changed by the later ones', async () => {
  const csv = 'name,emails,job_title\nOne,same@rows.example,First\nOne,same@rows.example; more@rows.example,Second\n'
  assert.deepEqual(counts(await imported('contacts', csv, { duplicates: 'update' })), [1, 1, 0, 0, 0])
  const contacts = await found('contacts', 'emails=more@rows.example')
  assert.deepEqual(
    contacts.map(({ job_title, version, emails }) => [job_title, version, emails.length]),
    [['Second', 1, 2]],
  )
})

test('what is exported is imported as it was', async () => {
  const bodies = [
    {
      name: '\'=Odd; "name", with: marks',
      emails: [
        { value: 'a@round.example', label: 'we: "ird"' },
        { value: 'b@round.example', is_primary: true },
      ],
      phones: [{ value: '+15550100009', label: 'work' }],
      addresses: [
        { value: { street: '1 Dorset Street', city: 'London', country: 'GB' }, label: 'office' },
        { value: { city: 'Paris', postal_code: '75001' } },
      ],
      notes: 'first line\nsecond "line", and more',
      sms_consent: true,
      birthday: '1990-02-28',
      language: 'pt-BR',
    },
  ]
  for (const body of bodies) await t.call('POST', '/v1/api/contacts', { as: t.main.tokens.Admin, body })
  const { text } = await t.call(
    'GET',
    '/v1/api/contacts/export?q=round.example&fields=name,emails,phones,addresses,notes,sms_consent,birthday,language',
    { as: t.main.tokens.Admin },
  )
  const without = text.replaceAll(/^con_\w+,/gm, ',')
  assert.deepEqual(counts(await imported('contacts', without, { duplicates: 'create' })), [bodies.length, 0, 0, 0, 0])
  const records = await found(
    'contacts',
    'emails=b@round.example&fields=name,emails,phones,addresses,notes,sms_consent,birthday,language',
  )
  assert.equal(records.length, 2)
  const bare = records.map(({ id: _, version: _v, created_at: _c, updated_at: _u, emails, ...rest }) => ({
    ...rest,
    emails: [...emails].sort((a: Json, b: Json) => (a['value'] < b['value'] ? -1 : 1)),
  }))
  assert.deepEqual(bare[0], bare[1])
  const same = await imported('contacts', text, { duplicates: 'update' })
  assert.deepEqual(counts(same), [0, 0, 1, 0, 0], 'with its id it is the record itself')
})

test('an import does no more than its user may', async () => {
  const as = t.main.tokens['Sales Executive']
  const mine = t.main.users['Sales Executive'].id
  const other = await t.call('POST', '/v1/api/companies', {
    as: t.main.tokens.Admin,
    body: { name: 'Admins', domain: 'admins.example', owner_id: t.main.users.Admin.id },
  })
  const csv = `name,domain,owner_id\nMine,mine.example,\nGiven away,away.example,${t.main.users.Admin.email}\nTaken,admins.example,\n`
  const run = await imported('companies', csv, { duplicates: 'update', match: ['domain'] }, as)
  assert.deepEqual(counts(run), [1, 0, 0, 0, 2])
  assert.deepEqual(
    run['faults'].map(({ row, code }: Json) => [row, code]),
    [
      [3, 'insufficient_role'],
      [4, 'duplicate'],
    ],
  )
  assert.equal((await found('companies', 'domain=mine.example'))[0]!['owner_id'], mine)
  const { json } = await t.call('GET', `/v1/api/companies/${other.json.company.id}`, { as: t.main.tokens.Admin })
  assert.equal(json.company.version, 1)
  assert.equal((await t.call('GET', `/v1/api/imports/${run['id']}`, { as: t.other.tokens.Admin })).status, 404)
  const admins = await draft('companies', csv)
  assert.equal((await t.call('GET', `/v1/api/imports/${admins['id']}`, { as })).status, 404, 'imports of others')
  assert.equal((await send('companies', csv, { as: t.main.tokens['Finance Manager'] })).status, 403)
})

test('one whose rights end while it runs goes no further', async () => {
  const user = {
    email: 'leaving@example.com',
    name: 'Leaving',
    role: 'Sales Manager',
    password: 'correct horse battery staple',
    temporaryPassword: false,
  }
  const { json } = await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body: user })
  const login = await t.call('POST', '/v1/api/auth/login', {
    body: { emailOrAdminId: user.email, password: user.password },
  })
  const { id } = await draft('companies', 'name\nNever\n', {}, login.json.accessToken)
  await t.call('POST', `/v1/api/imports/${id}/run`, { as: login.json.accessToken })
  await t.sql('update users set disabled_at = now() where id = $1', [json.user.id])
  await work()
  const ended = await t.call('GET', `/v1/api/imports/${id}`, { as: t.main.tokens.Admin })
  assert.equal(ended.json.import.state, 'failed')
  assert.match(ended.json.import.problem, /may do nothing any more/)
})

test('a worker that dies between thousands leaves nothing lost and nothing doubled', async () => {
  const csv = ['name,domain', ...Array.from({ length: 2_500 }, (_, n) => `Crash ${n},crash${n}.example`)].join('\n')
  const { id } = await draft('companies', csv)
  await t.call('POST', `/v1/api/imports/${id}/run`, { as: t.main.tokens.Admin })
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const { services } = t.app
  const folder = services.objects.folder.id()
  const [job] = await claimJobs(services.db, 'first', 1, folder)
  assert.equal(job?.id, id)
  let thousands = 0
  await runImport({ services, scope, lease: { job: job!, token: 'first' }, isStopping: () => ++thousands === 1 })
  const [after] = await t.sql<{ done: number; n: number }>(
    `select (select done from imports where id = $1) as done, count(*)::int as n from companies where name like 'Crash %'`,
    [id],
  )
  assert.deepEqual(after, { done: 1_000, n: 1_000 })
  assert.deepEqual(await claimJobs(services.db, 'early', 1, folder), [], 'while it is leased nobody else has it')
  await t.sql("update record_jobs set leased_until = now() - interval '1 second' where id = $1", [id])
  const [again] = await claimJobs(services.db, 'second', 1, folder)
  // The first one was only slow: what it does now does not count.
  assert.equal(await services.db.inTenant(scope, tx => holdJob(tx, { job: job!, token: 'first' })), false)
  await Promise.all([
    runImport({ services, scope, lease: { job: job!, token: 'first' }, isStopping: () => false }),
    runImport({ services, scope, lease: { job: again!, token: 'second' }, isStopping: () => false }),
  ])
  const ended = await t.call('GET', `/v1/api/imports/${id}`, { as: t.main.tokens.Admin })
  assert.deepEqual([ended.json.import.state, ended.json.import.created], ['completed', 2_500])
  assert.equal((await found('companies', 'q=Crash&limit=1')).length, 1)
  const [{ n }] = (await t.sql<{ n: number }>(
    `select count(distinct name)::int as n from companies where name like 'Crash %' having count(*) = 2500`,
  )) as [{ n: number }]
  assert.equal(n, 2_500)
})

test('an import that is canceled keeps what is done, and one that is at work takes no change', async () => {
  const { id } = await draft('companies', 'name\nCanceled\n')
  await t.call('POST', `/v1/api/imports/${id}/run`, { as: t.main.tokens.Admin })
  const change = await t.call('PATCH', `/v1/api/imports/${id}`, {
    as: t.main.tokens.Admin,
    body: { duplicates: 'create' },
  })
  assert.equal(change.json.code, 'import_state')
  const canceled = await t.call('POST', `/v1/api/imports/${id}/cancel`, { as: t.main.tokens.Admin })
  assert.equal(canceled.json.import.state, 'canceled', canceled.text)
  await work()
  assert.deepEqual(await found('companies', 'name=Canceled'), [])
})

test('files as spreadsheets write them', async () => {
  const windows = Buffer.from('Name;Umsatz\nM\xfcller & S\xf6hne;"1.234,50 \x80"\n', 'latin1')
  const first = await draft('companies', windows, { mapping: ['name', 'annual_revenue'] })
  assert.deepEqual(
    [first['encoding'], first['decimal'], first['columns'][0].samples],
    ['windows-1252', ',', ['Müller & Söhne']],
  )
  const run = await begin(first['id'], 'run')
  assert.deepEqual(counts(run), [1, 0, 0, 0, 0], JSON.stringify(run['faults']))
  assert.deepEqual((await found('companies', 'q=Müller Söhne'))[0]!['annual_revenue'], {
    amount: 1234.5,
    currency: 'USD',
  })
  const utf16 = Buffer.from('\ufeffName\tDomain\r\nÄpfel\tapples.example\r\n', 'utf16le')
  const second = await imported('companies', utf16)
  assert.deepEqual([second['encoding'], second['delimiter'], second['created']], ['utf-16le', 'tab', 1])
  const other = Buffer.from('\ufeffName\tDomain\r\nBirnen Ö\tpears.example\r\n', 'utf16le').swap16()
  const bigEndian = await imported('companies', other)
  assert.deepEqual([bigEndian['encoding'], bigEndian['columns'][0].name, bigEndian['created']], ['utf-16be', 'Name', 1])
  assert.equal((await found('companies', 'domain=pears.example'))[0]!['name'], 'Birnen Ö')
  const marked = await imported('companies', '\ufeff"Name","Notes"\r\n"Quoted, Inc","a ""b""\r\nc"\r\n')
  assert.equal(marked['created'], 1)
  assert.equal((await found('companies', 'name=Quoted, Inc&fields=notes'))[0]!['notes'], 'a "b"\r\nc')
  assert.equal((await send('companies', '')).json['code'], 'validation_failed')
  assert.equal((await send('companies', '\n\n')).json['code'], 'csv_unreadable')
  assert.equal((await send('companies', Buffer.from([0, 1, 2, 0]))).json['code'], 'csv_unreadable')
  assert.equal((await send('nonsense', 'a\n')).json['code'], 'validation_failed')
  const typed = await send('companies', '{}', { headers: { 'content-type': 'application/json' } })
  assert.equal(typed.json['code'], 'unsupported_media_type')
  assert.equal((await send('companies', 'name\n"never closed\n')).json['code'], 'csv_unreadable')
  const open = await imported('companies', `name\n${`${'long '.repeat(39)}\n`.repeat(400)}"never closed\n`)
  assert.deepEqual([open['state'], /line 40\d/.test(open['problem'])], ['failed', true], open['problem'])
})

test('a file that was read the wrong way is read again, and what was chosen stays where the columns do', async () => {
  const made = await draft('companies', Buffer.from('Name;Note\nM\xfcller, Co;a,b\n\nSecond;\n', 'latin1'))
  assert.deepEqual([made['rows'], made['columns'][1].cells], [2, ['a,b', '']], 'short files are counted at once')
  const change = async (body: object) => {
    const { json } = await t.call('PATCH', `/v1/api/imports/${made['id']}`, { as: t.main.tokens.Admin, body })
    return json
  }
  const chosen = (await change({ mapping: ['name', 'phone'], encoding: 'utf-8' })).import
  assert.deepEqual(
    [chosen.encoding, chosen.columns[0].cells[0], chosen.mapping],
    ['utf-8', 'M\ufffdller, Co', ['name', 'phone']],
  )
  const kept = (await change({ encoding: 'windows-1252' })).import
  assert.deepEqual([kept.columns[0].cells[0], kept.mapping], ['Müller, Co', ['name', 'phone']])
  const others = (await change({ delimiter: 'comma' })).import
  assert.deepEqual([others.columns.length, others.columns[0].name, others.mapping], [1, 'Name;Note', [null]])
  assert.equal((await change({ mapping: ['name', 'notes'] })).code, 'validation_failed')
  assert.equal((await change({ delimiter: 'semicolon', mapping: ['name', 'notes'] })).import.delimiter, 'semicolon')
  assert.equal((await begin(made['id'], 'run'))['created'], 2)
})

test('a draft is thrown away; imports are listed by noun, and records by the import that made them', async () => {
  const as = t.main.tokens.Admin
  const thrown = await draft('companies', 'name\nThrown away\n')
  const canceled = await t.call('POST', `/v1/api/imports/${thrown['id']}/cancel`, { as })
  assert.equal(canceled.json.import.state, 'canceled', canceled.text)
  assert.equal((await t.call('POST', `/v1/api/imports/${thrown['id']}/run`, { as })).json.code, 'import_state')
  const run = await imported('companies', 'name\nListed one\nListed two\n')
  const names = (await found('companies', `batch_id=${run['batch_id']}&sort=name`)).map(({ name }) => name)
  assert.deepEqual(names, ['Listed one', 'Listed two'])
  const list = async (query: string) => (await t.call('GET', `/v1/api/${query}`, { as })).json
  const ids = async (noun: string) => (await list(`imports?noun=${noun}&limit=200`)).imports.map(({ id }: Json) => id)
  assert.deepEqual(
    [(await ids('companies')).includes(run['id']), (await ids('contacts')).includes(run['id'])],
    [true, false],
  )
  assert.equal((await list('imports?noun=invoices')).code, 'validation_failed')
  assert.equal(run['reverted_by'], null)
  const { json } = await t.call('POST', `/v1/api/batches/${run['batch_id']}/revert`, { as })
  await work()
  assert.equal((await list(`imports/${run['id']}`)).import.reverted_by, json.batch.id)
  assert.deepEqual(await found('companies', `batch_id=${run['batch_id']}`), [])
  assert.deepEqual(
    (await list('batches?noun=companies')).batches.map(({ id }: Json) => id),
    [json.batch.id],
  )
  assert.deepEqual((await list('batches?noun=contacts')).batches, [])
})

test('a repeat with the same Idempotency-Key is one import, and keeps one file', async () => {
  const headers = { 'idempotency-key': 'import once' }
  const first = await send('companies', 'name\nOnce\n', { headers })
  const second = await send('companies', 'name\nOnce\n', { headers })
  assert.equal(second.json['import'].id, first.json['import'].id)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  const other = await send('companies', 'name\nTwice\n', { headers })
  assert.equal(other.json['code'], 'idempotency_mismatch')
  const files = await Array.fromAsync(t.app.services.objects.current.list('imports/'))
  const [{ n }] = (await t.sql<{ n: number }>('select count(*)::int as n from imports')) as [{ n: number }]
  assert.equal(files.length, n)
})
