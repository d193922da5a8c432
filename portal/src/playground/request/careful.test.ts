// With live data the Playground fills in no id of a record and nothing that changes one, for any endpoint of the catalog, and
// knows before it sends which record it is and what becomes different.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { catalogIndex, readCatalog } from '@tandem/catalog'
import { draftOf } from '../json/examples.ts'
import { changesOf, factsOf, nameOf, targetOf } from '../state/target.ts'
import { carefulExample, changesRecord, needsBody, notedWhenEmpty, withhold, withoutExample } from './careful.ts'
import { type Draft, effectiveRequest, isSendable } from './request.ts'

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)
const entries = catalogIndex(document)
const origin = 'http://127.0.0.1:3000'
const effective = (draft: Draft) => effectiveRequest(draft, { origin, lookup: () => undefined, token: 't' })
const example = (id: string) => draftOf(catalog.byId.get(id)!, { kind: 'login' })

test('no endpoint begins with an id of a record or a body that changes one, and none that needs them can be sent', () => {
  for (const endpoint of catalog.endpoints) {
    const sample = draftOf(endpoint, { kind: 'login' })
    const draft = carefulExample(sample)
    assert.ok(
      draft.pathValues.every(({ value }) => value === ''),
      endpoint.id,
    )
    assert.doesNotMatch(
      JSON.stringify([draft.body, draft.query]),
      /"[a-z]{2,5}_01[0-9a-z]{24}\\?"|"\w*(?:Id|_id)\\?": ?\d/,
    )
    if (changesRecord(endpoint)) assert.equal(draft.body, '', endpoint.id)
    else if (
      sample.body !== '' &&
      !/"[a-z]{3,5}_01\w{24}"|"(lead|organization|user|toUser|record)Id"/.test(sample.body)
    )
      assert.equal(draft.body, sample.body)
    const request = needsBody(endpoint) ? notedWhenEmpty(effective(draft)) : effective(draft)
    if (draft.pathValues.length > 0 || ['PATCH', 'PUT'].includes(endpoint.method)) {
      assert.equal(isSendable(request), false, endpoint.id)
    }
  }
})

test('every request that acts on a record finds where to read it, however its address is spelled', () => {
  for (const endpoint of catalog.endpoints) {
    const filled = { ...example(endpoint.id), pathValues: example(endpoint.id).pathValues }
    const target = targetOf(effective(filled), entries)
    assert.equal(target !== undefined, changesRecord(endpoint), endpoint.id)
    // Which view a list opens with for oneself is no record of its own.
    if (target !== undefined && endpoint.id !== 'views.set_default')
      assert.ok(target.read !== undefined, `${endpoint.id} cannot be shown before it is sent`)
  }
  const of = (method: string, path: string) =>
    targetOf({ ...effective(example('leads.list')), method, url: origin + path }, entries)
  const lead = { id: '17', noun: 'lead', read: { path: '/v1/api/leads/17', isList: false }, before: undefined }
  for (const path of ['/v1/api/leads/17', '/api/leads/17/', '/api/v1/leads/17'])
    assert.deepEqual(of('DELETE', path), lead)
  assert.equal(of('DELETE', '/v1/api/%6ceads/17')?.noun, 'lead')
  assert.equal(of('POST', '/v1/api/finance/invoices/412/payments')?.read?.path, '/v1/api/finance/invoices/412')
  assert.deepEqual(of('POST', '/v2/auth/api-keys/key_1/rotate')?.read, { path: '/v2/auth/api-keys', isList: true })
  assert.equal(of('POST', '/v2/voice/client-calls/call_1/hangup')?.read?.path, '/v2/voice/calls/call_1')
  assert.equal(of('PUT', '/v2/numbers/num_1/voice')?.read?.path, '/v2/numbers/num_1')
  assert.equal(of('PUT', '/v2/numbers/num_1/voice')?.before, '/v2/numbers/num_1/voice')
  assert.equal(of('GET', '/v1/api/leads/17'), undefined)
  assert.equal(of('POST', '/v1/api/leads'), undefined)
})

test('what a request brings along is handed out apart, unless it only reads', () => {
  const draft = { ...example('users.update'), pathValues: [{ name: 'id', value: '12' }] }
  const { draft: bare, withheld } = withhold(draft)
  assert.deepEqual([bare.pathValues, bare.body], [[{ name: 'id', value: '' }], ''])
  assert.deepEqual(withheld, { pathValues: [{ name: 'id', value: '12' }], body: draft.body })
  assert.equal(withhold(example('leads.get')).withheld, undefined)
  // A draft that was begun as the example of test data keeps what was written, and nothing else.
  const begun = { ...example('users.update'), body: '{"role":"Sales Manager"}' }
  const cleaned = withoutExample(begun, example('users.update'))
  assert.deepEqual([cleaned.pathValues[0]!.value, cleaned.body], ['', '{"role":"Sales Manager"}'])
})

test('a record is named, and what changes in it is listed field by field', () => {
  const lead = { id: 17, tenant_id: 't', name: 'Nora Winters', email: 'nora@example.com', status: 'New', notes: null }
  assert.equal(nameOf(lead), 'Nora Winters')
  assert.deepEqual(
    factsOf(lead).map(({ term }) => term),
    ['email', 'status'],
  )
  assert.deepEqual(changesOf(lead, '{"status":"Contacted","email":"nora@example.com","notes":"x"}', false), [
    { field: 'status', from: 'New', to: 'Contacted' },
    { field: 'notes', from: 'empty', to: 'x' },
  ])
  const trunk = { name: 'A', settings: { callsPerSecond: 5, host: 'a' } }
  assert.deepEqual(changesOf(trunk, '{"settings":{"callsPerSecond":10,"password":"pst"}}', false), [
    { field: 'settings.callsPerSecond', from: '5', to: '10' },
    { field: 'settings.password', from: '', to: 'not shown' },
  ])
  assert.deepEqual(changesOf({ callbackUrl: 'https://a', recording: null }, '{}', true), [
    { field: 'callbackUrl', from: 'https://a', to: 'left out' },
  ])
  assert.equal(nameOf({ id: 1, number: 'INV-2026-000001', name: 'x', amount: 5 }), 'INV-2026-000001')
})
