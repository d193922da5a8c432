// The code that people paste must do what it says: it is run here as it stands, against signatures made by the standard's
// own rule (Standard Webhooks 1.0, "Signature scheme").
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { snippetLanguages, snippets } from './snippets.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const other = `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ id: 'evt_1', type: 'message.received', data: { text: 'Grüße 👋' } })

function headersOf(signedBy: readonly string[], ageSeconds = 0): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1000) - ageSeconds)
  const signatures = signedBy.map(one => {
    const key = Buffer.from(one.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': signatures.join(' ') }
}

type Verify = (headers: Record<string, string>, body: string) => unknown

/** What every snippet takes and refuses. */
function checkAll(verify: Verify): void {
  assert.deepEqual(verify(headersOf([secret]), body), JSON.parse(body))
  assert.deepEqual(verify(headersOf([other, secret]), body), JSON.parse(body), 'the second of two signatures')
  assert.deepEqual(verify(headersOf([secret], 290), body), JSON.parse(body))
  assert.throws(() => verify(headersOf([other]), body), 'signed by another secret')
  assert.throws(() => verify(headersOf([secret]), body.replace('evt_1', 'evt_2')), 'another body')
  assert.throws(() => verify({ ...headersOf([secret]), 'webhook-id': 'evt_2' }, body), 'another id')
  assert.throws(() => verify(headersOf([secret], 400), body), 'too old')
  assert.throws(() => verify(headersOf([secret], -400), body), 'of the future')
  assert.throws(() => verify({ ...headersOf([secret]), 'webhook-timestamp': 'now' }, body), 'no time')
  assert.throws(() => verify({ ...headersOf([secret]), 'webhook-signature': '' }, body), 'no signature')
}

test('Node', async () => {
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(snippets.javascript)}`)
  checkAll((headers, text) => verify(headers, text, secret))
  assert.throws(() => verify(headersOf([secret]), body, undefined), 'without a secret')
})

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0
test('Python', { skip: python ? false : 'no python3 of 3.9 or later' }, () => {
  const program = `${snippets.python}
import sys
given = json.load(sys.stdin)
print(json.dumps(verify(given["headers"], given["body"].encode())))`
  checkAll((headers, text) => {
    const input = JSON.stringify({ headers, body: text })
    const options = { input, env: { ...process.env, TANDEM_WEBHOOK_SECRET: secret }, stdio: 'pipe' } as const
    return JSON.parse(execFileSync('python3', ['-c', program], options).toString())
  })
})

test('no snippet is longer than a screen is wide, or holds a secret', () => {
  for (const { value } of snippetLanguages) {
    for (const line of snippets[value].split('\n')) assert.ok(line.replaceAll('\t', '  ').length <= 112, line)
    assert.match(snippets[value], /TANDEM_WEBHOOK_SECRET/)
    assert.doesNotMatch(snippets[value], /whsec_\w/)
  }
})
