// What looks into the DNS make of a domain, and the states of domains and connections.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTable } from '../../../kernel/values/states.ts'
import { connectionStatuses, connectionTable, verifiedEmail } from '../connections/rules.ts'
import { afterLook, asciiAddress, type DomainRow, domainRecord, domainStatuses, domainTable } from './rules.ts'

test('the tables of states are whole', () => {
  assert.deepEqual(checkTable(domainTable, { states: domainStatuses, initial: ['pending'], terminal: [] }), [])
  assert.deepEqual(checkTable(connectionTable, { states: connectionStatuses, initial: ['draft'], terminal: [] }), [])
})

const row = { domain: 'example.com', token: 't', status: 'verified', misses: 0, found: null } as unknown as DomainRow
const right = [domainRecord(row).value]

test('three misses in a row end it, a name server that is down does not, and a hit begins again', () => {
  const missed = afterLook(row, [], 0)
  assert.deepEqual([missed.status, missed.misses], ['verified', 1])
  assert.equal(afterLook({ ...row, misses: 2 }, ['other'], 0).status, 'lapsed')
  assert.deepEqual(afterLook({ ...row, misses: 2 }, undefined, 0).misses, 2)
  assert.deepEqual(afterLook({ ...row, misses: 2 }, right, 0).misses, 0)
  assert.equal(afterLook({ ...row, status: 'lapsed' }, right, 0).status, 'verified')
  assert.equal(afterLook({ ...row, status: 'pending' }, [], 0).status, 'pending')
})

test('addresses are compared in the letters of the DNS, and verified is true and nothing else', () => {
  assert.equal(asciiAddress('Ada@Bücher.example'), 'Ada@xn--bcher-kva.example')
  const email = 'ada@example.com'
  const okta = { issuer: 'https://example.okta.com' }
  for (const email_verified of [undefined, 'true', 1, false])
    assert.equal(verifiedEmail(okta, { email, email_verified, xms_edov: true }), undefined)
  const entra = { issuer: 'https://login.microsoftonline.com/4b8c/v2.0' }
  assert.equal(verifiedEmail(entra, { email, xms_edov: '1' }), email)
  assert.equal(verifiedEmail(entra, { email, email_verified: false, xms_edov: true }), undefined)
})
