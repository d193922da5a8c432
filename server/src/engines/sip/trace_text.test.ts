// What is kept of SIP messages for people: no answer to a challenge and no key of the sound, however they are spelt, and nothing
// that the database would refuse.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hiddenText, traceText } from './trace_text.ts'

const secret = 'd41d8cd98f00b204e9800998ecf8427e'
const key = 'd0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj'

const credentials: [given: string, shown: string][] = [
  [
    `Authorization: Digest username="ann", realm="a", nonce="b", response="${secret}"`,
    'Authorization: Digest username="ann", …',
  ],
  [`Authorization: Digest username=ann, realm="a", response=${secret}`, 'Authorization: Digest username=ann, …'],
  [
    `Proxy-Authorization:digest realm="username=eve", response="${secret}" , USERNAME = "ann"`,
    'Proxy-Authorization:digest username="ann", …',
  ],
  [`Authorization: Digest response="${secret}"`, 'Authorization: Digest …'],
  [`Authorization: Digest x="username=", response=${secret}, y=""`, 'Authorization: Digest …'],
  [
    `Authorization : Digest username="a \\"b\\" c",\r\n response="${secret}"`,
    'Authorization : Digest username="a \\"b\\" c", …',
  ],
  [`Authorization: Basic ${secret}`, 'Authorization: Basic …'],
  [`Authentication-Info: qop=auth, rspauth="${secret}"`, 'Authentication-Info: …'],
]

test('answers to challenges are hidden, however they are spelt', () => {
  for (const [given, shown] of credentials)
    assert.equal(hiddenText(`OPTIONS\r\n${given}\r\nTo: x`), `OPTIONS\r\n${shown}\r\nTo: x`)
})

test('keys of the sound are hidden, however they are spelt', () => {
  for (const given of [
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^20`,
    `a=crypto:1  AES_CM_128_HMAC_SHA1_80   inline:${key}`,
    `A=CRYPTO:1 AES_CM_128_HMAC_SHA1_80 inline:${key};inline:${key} UNENCRYPTED_SRTP`,
    `a=crypto: 1 AES_CM_128_HMAC_SHA1_80 inline: ${key}`,
    `k=base64:${key}`,
  ]) {
    const shown = hiddenText(`v=0\r\n${given}\r\na=sendrecv\r\n`)
    assert.ok(!shown.includes(key), shown)
    assert.match(shown, /^v=0\r\n.*…\r\na=sendrecv\r\n$/)
  }
})

test('a binary part is shown as text that the database keeps', () => {
  const body = Buffer.from([0x49, 0, 0x53, 0xff])
  const text = traceText({ kind: 'request', method: 'INVITE', uri: 'sip:a@b', headers: [], body })
  assert.ok(text.endsWith('\r\n\r\nI\ufffdS\ufffd'), text)
})
