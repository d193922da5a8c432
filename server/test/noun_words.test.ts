// What a search of a noun finds: parts of words, digits however spelled, names with and without accents and of any script; and typos, by
// the words that the records of the tenant hold.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from './harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/v1/api/companies'

async function create(body: object, as = t.main.tokens.Admin): Promise<string> {
  const { status, json, text } = await t.call('POST', path, { as, body })
  assert.equal(status, 201, text)
  return json.company.id
}

async function found(q: string, as = t.main.tokens.Admin): Promise<string[]> {
  const { status, json, text } = await t.call('GET', `${path}?${new URLSearchParams({ q, sort: 'created_at' })}`, {
    as,
  })
  assert.equal(status, 200, text)
  assert.deepEqual([json.pagination.totalCount, json.pagination.totalIsExact], [json.companies.length, true], q)
  return json.companies.map(({ name }: { name: string }) => name)
}

test('parts of words, digits however spelled, accents, normal forms and scripts without blanks', async () => {
  const as = t.other.tokens.Admin
  await create({ name: 'Acme 100% Rockets', domain: 'rockets.example', phone: '+14155550132' }, as)
  await create({ name: 'Anna Müller', phone: '+49301234567' }, as)
  for (const name of [
    'Bert Mueller',
    'Søren Łukasz Straße',
    '李小龍',
    '山田 太郎',
    '김철수',
    'percent 50%_\\',
    'Cafe\u0301 Zoe\u0308',
  ])
    await create({ name }, as)
  for (const [q, expected] of [
    ['ROCK', ['Acme 100% Rockets']],
    ['ets acm', ['Acme 100% Rockets']],
    ['100%', ['Acme 100% Rockets']],
    ['0%R', []],
    ['rockets.ex', ['Acme 100% Rockets']],
    ['ro', ['Acme 100% Rockets']],
    ['cm', []],
    ['(415) 555-01', ['Acme 100% Rockets']],
    ['415.555.0132', ['Acme 100% Rockets']],
    ['0049 30 123', ['Anna Müller']],
    ['+49 (0)30 1234567', ['Anna Müller']],
    ['4567', ['Anna Müller']],
    ['muller', ['Anna Müller']],
    ['MÜLL', ['Anna Müller']],
    ['Mueller', ['Anna Müller', 'Bert Mueller']],
    ['lukasz strasse', ['Søren Łukasz Straße']],
    ['caf\u00e9 zoe', ['Café Zoë']],
    ['李', ['李小龍']],
    ['龍', ['李小龍']],
    ['小龍', ['李小龍']],
    ['田', ['山田 太郎']],
    ['철수', ['김철수']],
    ['50%_', ['percent 50%_\\']],
    ['%_\\', ['percent 50%_\\']],
  ] as [string, string[]][])
    assert.deepEqual(await found(q, as), expected, q)
})

test('what nothing holds is found by the words that are spelled like it', async () => {
  await create({ name: 'Katherine Johnson', domain: 'orbit-works.example' })
  await create({ name: 'Émile Müller 245' })
  for (const [q, expected] of [
    ['jonson', ['Katherine Johnson']],
    ['kathrine jonson', ['Katherine Johnson']],
    ['jonson ka', ['Katherine Johnson']],
    ['jonson xx', []],
    ['jonson müler', []],
    ['orbti-works', ['Katherine Johnson']],
    ['mlüler', ['Émile Müller 245']],
    ['emilie muller', ['Émile Müller 245']],
    ['müler', ['Émile Müller 245']],
    ['mulller245', ['Émile Müller 245']],
    ['mulller246', []],
    ['a.b', []],
    ['zzzzzz', []],
    ['%%%', []],
  ] as [string, string[]][])
    assert.deepEqual(await found(q), expected, q)
})

test('a word that was renamed or is in the trash stands for nothing, and a new one at once for its record', async () => {
  const id = await create({ name: 'Bellingham' })
  assert.deepEqual(await found('belinghm'), ['Bellingham'])
  const renamed = await t.call('PATCH', `${path}/${id}`, { as: t.main.tokens.Admin, body: { name: 'Cirencester' } })
  assert.equal(renamed.status, 200, renamed.text)
  assert.deepEqual(await found('belinghm'), [])
  assert.deepEqual(await found('cirnecester'), ['Cirencester'])
  await t.call('DELETE', `${path}/${id}`, { as: t.main.tokens.Admin })
  assert.deepEqual(await found('cirnecester'), [])
  await t.call('POST', `${path}/${id}/restore`, { as: t.main.tokens.Admin })
  assert.deepEqual(await found('cirnecester'), ['Cirencester'])
})

test('words of another tenant, or of another noun, matter to nobody', async () => {
  await create({ name: 'Wolverhampton' }, t.other.tokens.Admin)
  const contact = await t.call('POST', '/v1/api/contacts', { as: t.main.tokens.Admin, body: { name: 'Ramsbottom' } })
  assert.equal(contact.status, 201, contact.text)
  await create({ name: 'Wolverhamton' })
  assert.deepEqual(await found('wolverhamtpon'), ['Wolverhamton'], 'the nearest of their own words')
  assert.deepEqual(await found('ramsbotom'), [])
  assert.deepEqual(await found('wolverhamtpon', t.other.tokens.Admin), ['Wolverhampton'])
  const words = await t.asOwner(async client => {
    await client.query('begin')
    await client.query('set local role tandem_app')
    await client.query("select set_config('app.tenant_id', $1, true)", [String(t.main.liveTenantId)])
    const { rows } = await client.query("select instead from similar_words('company', array['wolverhampton'])")
    await client.query('rollback')
    return rows
  })
  assert.deepEqual(words, [{ instead: ['wolverhamton'] }])
})

test('a word is kept once, however often it is written', async () => {
  await create({ name: 'Once Threshold Threshold' })
  await create({ name: 'Twice threshold' })
  const rows = await t.ownerSql<{ noun: string }>("select noun from noun_words where word = 'threshold'")
  assert.deepEqual(rows, [{ noun: 'company' }])
})

test('each word of a statement is looked for once, however many records hold it', async () => {
  const looks = await t.asOwner(async client => {
    await client.query('begin')
    const scans = async () => {
      const { rows } = await client.query(`select pg_stat_get_xact_numscans('noun_words_word'::regclass) as n`)
      return Number(rows[0].n)
    }
    const before = await scans()
    await client.query(
      `insert into companies (tenant_id, id, version, created_at, updated_at, name, find)
       select $1, 'cmp_0' || lpad(n::text, 25, '0'), 1, now(), now(), 'Looked', noun_search_text('Looked for ' || n)
       from generate_series(1, 50) as n`,
      [t.main.liveTenantId],
    )
    const after = await scans()
    await client.query('rollback')
    return after - before
  })
  assert.equal(looks, 2, 'looked, for')
})

test('two who write a new word at the same time do not wait for one another, and both records are found once', async () => {
  await t.asOwner(async client => {
    await client.query('begin')
    await client.query('set local role tandem_app')
    await client.query("select set_config('app.tenant_id', $1, true)", [String(t.main.liveTenantId)])
    await client.query(
      `insert into companies (tenant_id, id, version, created_at, updated_at, name, find)
       values ($1, 'cmp_00000000000000000000000001', 1, now(), now(), 'Xylander', noun_search_text('Xylander'))`,
      [t.main.liveTenantId],
    )
    // The first has not committed: the other would wait until it is refused.
    await create({ name: 'Xylander Two' })
    await client.query('commit')
  })
  const { length } = await t.ownerSql("select from noun_words where word = 'xylander'")
  assert.equal(length, 2, 'neither saw the other')
  assert.deepEqual((await found('xylnader')).toSorted(), ['Xylander', 'Xylander Two'])
})
