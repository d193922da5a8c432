// What a search of leads finds: parts of words, digits however spelled, small typos, names with and without accents and of any
// script; and nothing of the trash.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { listLeads, names, leadsPath as path } from '../../../../test/leads.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

test('a search finds parts of words, digits however spelled, and small typos, and nothing of the trash', async () => {
  const token = t.other.testKey
  const create = (body: object) => t.call('POST', path, { as: token, body })
  await create({
    name: 'Katherine Johnson',
    email: 'kj@nasa.example',
    phone: '+14155550132',
    company: 'Acme 100% Rockets',
  })
  await create({ name: 'Émile Müller', email: 'emile_mueller@example.com', phone: '+49301234567', company: 'Globex' })
  const { json } = await create({ name: 'Katherine Gone', phone: '+14155550133' })
  await t.call('DELETE', `${path}/${json.lead.id}`, { as: t.other.testKey })
  const finds: [string, string[]][] = [
    ['katherine', ['Katherine Johnson']],
    ['OHNS', ['Katherine Johnson']],
    ['rockets kath', ['Katherine Johnson']],
    ['katherine globex', []],
    ['kj@nasa', ['Katherine Johnson']],
    ['jo', ['Katherine Johnson']],
    ['100%', ['Katherine Johnson']],
    ['0%R', []],
    ['emile_m', ['Émile Müller']],
    ['MÜLL', ['Émile Müller']],
    ['(415) 555-01', ['Katherine Johnson']],
    ['415.555.0132', ['Katherine Johnson']],
    ['0049 30 123', ['Émile Müller']],
    ['+49 (0)30 1234567', ['Émile Müller']],
    ['jonson', ['Katherine Johnson']],
    ['kathrine jonson', ['Katherine Johnson']],
    ['globx', ['Émile Müller']],
    ['muller', ['Émile Müller']],
    ['jonson ka', ['Katherine Johnson']],
    ['jonson xx', []],
    ['zzzzzz', []],
  ]
  for (const [q, wanted] of finds) {
    const found = await listLeads(t, { q }, token)
    assert.deepEqual(names(found), wanted, q)
    assert.equal(found.pagination.totalCount, wanted.length, q)
  }
})

test('a search knows no accents and normal forms, letters of scripts without blanks, and wildcards only as letters', async () => {
  const token = t.other.tokens.Admin
  const create = async (name: string, company?: string) => {
    const body = { name, company, email: `x${Math.random()}@example.com` }
    const { status, json, text } = await t.call('POST', path, { as: token, body })
    assert.equal(status, 201, text)
    return json.lead.name as string
  }
  const nfd = 'Cafe\u0301 Zoe\u0308'
  for (const name of [
    'Anna Müller',
    'Bert Mueller',
    'Søren Łukasz Straße',
    '李小龍',
    '山田 太郎',
    '김철수',
    'percent 50%_\\',
    'Ⅷ ｆｕｌｌ',
  ])
    await create(name)
  assert.equal(await create(nfd, 'Größe AG'), nfd.normalize('NFC'), 'stored composed')
  // As it was stored before it was composed.
  await t.ownerSql("update leads set name = $1, find = noun_search_text($1 || ' Größe AG') where name = $2", [
    nfd,
    nfd.normalize('NFC'),
  ])
  const found = async (q: string) => names(await listLeads(t, { q, sort: 'id' }, token))
  for (const [q, expected] of [
    ['muller', ['Anna Müller']],
    ['Müller', ['Anna Müller']],
    ['MUELLER', ['Anna Müller', 'Bert Mueller']],
    ['soren', ['Søren Łukasz Straße']],
    ['lukasz strasse', ['Søren Łukasz Straße']],
    ['cafe', [nfd]],
    ['caf\u00e9', [nfd]],
    ['cafe\u0301 zoe', [nfd]],
    ['grosse', [nfd]],
    ['groesse', [nfd]],
    ['李', ['李小龍']],
    ['龍', ['李小龍']],
    ['小龍', ['李小龍']],
    ['田', ['山田 太郎']],
    ['철수', ['김철수']],
    ['50%_', ['percent 50%_\\']],
    ['％_\uff3c', ['percent 50%_\\']],
    ['full', ['Ⅷ ｆｕｌｌ']],
  ] as [string, string[]][]) {
    assert.deepEqual(await found(q), expected, q)
  }
})
