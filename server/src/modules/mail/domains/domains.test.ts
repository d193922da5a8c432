// Domains of senders: keys sealed, rows to copy, what a look into the DNS makes of them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { dnsRows, isThere, nextStatus } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const row = { domain: 'example.com', selector: 's1', public_key: 'MIIB+/=', return_path_host: 'bounce.example.com' }

test('a row is there when what counts of it is', () => {
  const [dkim, dmarc, bounces] = dnsRows(row, 'mail.example.net')
  assert.deepEqual(
    [dkim!.name, dmarc!.name, bounces!.name],
    ['s1._domainkey.example.com', '_dmarc.example.com', 'bounce.example.com'],
  )
  assert.equal(isThere(dkim!, ['v=DKIM1; h=sha256; p=MIIB +/=']), true)
  assert.equal(isThere(dkim!, ['v=DKIM1; k=rsa; p=']), false, 'revoked')
  assert.equal(isThere(dkim!, ['v=DKIM1; k=rsa; p=MIIC']), false)
  assert.equal(isThere(dmarc!, ['v=spf1 -all', 'v=DMARC1;p=reject']), true)
  assert.equal(isThere(bounces!, ['10 MAIL.example.net']), true)
  assert.equal(isThere(bounces!, []), false)
  assert.equal(dnsRows(row, undefined).length, 2)
})

test('a domain that had its key and lost it is failing, one that never had it waits', () => {
  assert.deepEqual(
    [
      nextStatus('pending', false),
      nextStatus('pending', true),
      nextStatus('verified', false),
      nextStatus('failing', true),
    ],
    ['pending', 'verified', 'failing', 'verified'],
  )
})

test('the private key is in no answer, event or row that can be read', async () => {
  const as = t.main.tokens.Admin
  const { status, text, json } = await t.call('POST', '/v2/mail/domains', { as, body: { domain: 'Bücher.example' } })
  assert.equal(status, 201)
  assert.equal(json.data.domain, 'xn--bcher-kva.example')
  assert.doesNotMatch(text, /PRIVATE|sealed/)
  const [{ private_key }] = (await t.ownerSql('select private_key from mail_domains')) as [{ private_key: string }]
  assert.match(private_key, /^sealed\.1\./)
  const events = await t.sql<{ data: unknown }>("select data from event_log where type like 'mail_domain.%'")
  assert.doesNotMatch(JSON.stringify(events), /PRIVATE|sealed/)
})
