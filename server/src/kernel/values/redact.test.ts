// No secret survives redaction, wherever it stands and however it is called; what is no secret does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorMs } from '../../../test/processor_time.ts'
import { newApiKey } from './ids.ts'
import { isSecretName, mentionsSecrets, redactJson, redactQuery, redactText } from './redact.ts'

const jwt = 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJ0ZW5hbnRfaWQiOjEsInN1YiI6IjcifQ.c2lnbmF0dXJl_-aB'

test('names that say what a field holds', () => {
  const secret =
    'password newPassword new_password PASSWORD passwd passphrase secret clientSecret client_secret token accessToken ' +
    'refresh_token idToken X-Api-Key api_key apiKey privateKey credentials Authorization set-cookie otp pin pwd jwt password2 2faSecret'
  for (const name of secret.split(' ')) assert.ok(isSecretName(name), name)
  for (const name of [
    'name',
    'tokens',
    'tokenType',
    'keyId',
    'body',
    'shipping',
    'secretary',
    'passport',
    'email',
    'to',
  ])
    assert.ok(!isSecretName(name), name)
})

test('fields lose their secrets at any depth, in arrays, whatever their type', () => {
  const body = {
    name: 'Ada',
    password: 'hunter2 hunter2',
    list: [{ token: 'abc' }, [{ refreshToken: { nested: 'deep' } }], 'plain'],
    outer: { inner: { client_secret: 12345, api_key: ['a', 'b'], secret: false } },
    pin: null,
    secret: '',
  }
  assert.deepEqual(JSON.parse(redactJson(body)), {
    name: 'Ada',
    password: '[redacted]',
    list: [{ token: '[redacted]' }, [{ refreshToken: '[redacted]' }], 'plain'],
    outer: { inner: { client_secret: '[redacted]', api_key: '[redacted]', secret: '[redacted]' } },
    // Nothing was there: worth knowing when a request is refused for it.
    pin: null,
    secret: '',
  })
})

test('text shaped like a secret goes, wherever it stands: values, names, sentences', () => {
  const key = newApiKey('live')
  const body = { note: `my key is ${key}!`, [newApiKey('test')]: 1, list: [jwt, `Bearer ${'x'.repeat(20)}`], ok: 'tdm' }
  const text = redactJson(body)
  assert.equal(text, '{"note":"my key is [redacted]!","[redacted]":1,"list":["[redacted]","[redacted]"],"ok":"tdm"}')
  for (const mistyped of [key.slice(0, 30), `${key}x`]) assert.equal(redactText(mistyped), '[redacted]')
  const hook = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  assert.equal(redactText(`a ${jwt}, ${hook} and glued${key}`), 'a [redacted], [redacted] and glued[redacted]')
})

test('a query loses the values of secret names and secret values, also when they are encoded', () => {
  assert.equal(redactQuery('page=2&access_token=abc&limit=5'), 'page=2&access_token=[redacted]&limit=5')
  assert.equal(redactQuery('to%6Ben=abc&q=a+b%26c'), 'to%6Ben=[redacted]&q=a+b%26c')
  assert.equal(redactQuery(`q=${newApiKey('live').replaceAll('_', '%5F')}`), 'q=[redacted]')
  assert.equal(redactQuery(`${jwt}&flag&x=%zz`), '[redacted]&flag&x=%zz')
})

test('no text makes looking for secrets slow', () => {
  const size = 64 * 1024
  const texts = ['eyJ', 'eyJ-', 'tdm_live_', 'Bearer ', 'Bearer a', ' ', 'eyJaaaaaaaa.', 'whsec_a'].map(part =>
    part.repeat(size / part.length),
  )
  for (const text of [...texts, `Bearer${' '.repeat(size)}`, `eyJ${'a'.repeat(size)}`]) {
    const costMs = processorMs(() => {
      redactJson({ text, [text]: 1 })
      redactJson(Array.from({ length: size / 2 }, () => 0))
      mentionsSecrets(text)
    })
    assert.ok(costMs < 250, `${text.slice(0, 12)}: ${costMs} ms`)
  }
})

test('text that may hold a secret is recognized by its words', () => {
  for (const text of ['{"password": "abc', "{'api-key':1}", 'Authorization: x']) assert.ok(mentionsSecrets(text), text)
  assert.ok(!mentionsSecrets('{"name": "Ada", "company": }'))
})
