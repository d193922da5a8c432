// Mails of a domain with a key: signed as independent tools check it, both headers of RFC 8058 covered, and never sent unsigned.
// Transports of the organization: by which a mail leaves, the trial with its trace, and what may be reached.
// test: programs
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Sink, startSink } from '../../../../test/smtp_sink.ts'

let t: TestApp
let sink: Sink
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-dkim-'))
  sink = await startSink({ user: 'office', password: 'correct horse' })
  const env = {
    TANDEM_PUBLIC_URL: 'https://tandem.example.com',
    TANDEM_EGRESS_ALLOW: '127.0.0.1',
    TANDEM_LOG_LEVEL: 'silent',
  }
  t = await startTestApp({ work: true, env })
})
after(async () => {
  await t?.close()
  await sink?.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (method: string, path: string, body?: unknown, as = t.main.tokens.Admin) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })
const make = async (path: string, body: object) => {
  const answer = await call('POST', `/v2/mail/${path}`, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

async function ended(more: object = {}) {
  const to = [{ address: 'ada@example.net' }]
  const { json } = await call('POST', '/v2/mails', { to, subject: 'Grüße', text: 'See you.\n\nÀ bientôt.', ...more })
  return eventually('an end', async () => {
    const mail = (await call('GET', `/v2/mails/${json.data.mailId}`)).json.data
    return !['queued', 'sending'].includes(mail.state) && mail
  })
}

const settings = () => ({
  host: '127.0.0.1',
  port: sink.port,
  security: 'none',
  user: 'office',
  password: 'correct horse',
})

/** What dkimpy says of a mail, with the key where the DNS would have it. */
function dkimpy(raw: Buffer, record: { name: string; value: string }): boolean {
  const file = join(folder, 'mail.eml')
  writeFileSync(file, raw)
  const script = [
    'import sys, dkim',
    'raw = open(sys.argv[1], "rb").read()',
    'get = lambda name, timeout=5: sys.argv[3].encode() if name.decode().rstrip(".") == sys.argv[2] else None',
    'print(dkim.verify(raw, dnsfunc=get))',
  ].join('\n')
  const { stdout, stderr } = spawnSync(python, ['-c', script, file, record.name, record.value], { encoding: 'utf8' })
  assert.match(stdout, /^(True|False)$/m, stderr)
  return stdout.trim() === 'True'
}

/** Debian's own: another one in the path does not see its packages. */
const python = '/usr/bin/python3'
const hasDkimpy = spawnSync(python, ['-c', 'import dkim']).status === 0

test('a transport is tried out with what both sides said, and no password', async () => {
  const { transportId, isDefault } = await make('transports', { kind: 'smtp', name: 'Sink', settings: settings() })
  assert.equal(isDefault, true)
  const shown = await call('GET', `/v2/mail/transports/${transportId}`)
  assert.ok(!shown.text.includes('correct horse') && shown.json.data.hasSecret)
  const trial = (await call('POST', `/v2/mail/transports/${transportId}/test`, { to: 'ada@example.net' })).json.data
  assert.deepEqual([trial.ok, trial.reason], [true, null])
  const said = trial.trace.map((line: { who: string; text: string }) => `${line.who} ${line.text}`)
  assert.ok(
    said.some((line: string) => /^server 220 /.test(line)) && said.some((line: string) => /^client EHLO/.test(line)),
    said.join('\n'),
  )
  assert.ok(said.some((line: string) => /^client MAIL FROM/.test(line)))
  assert.doesNotMatch(
    said.join('\n'),
    new RegExp(`correct horse|${Buffer.from('\0office\0correct horse').toString('base64')}`),
  )
  assert.equal(sink.mails.splice(0).length, 1)
  await call('PATCH', `/v2/mail/transports/${transportId}`, { settings: { password: 'wrong' } })
  const wrong = (await call('POST', `/v2/mail/transports/${transportId}/test`, {})).json.data
  assert.equal(wrong.ok, false)
  assert.match(wrong.reason, /535/)
  const moved = await call('PATCH', `/v2/mail/transports/${transportId}`, { settings: { host: 'localhost' } })
  assert.deepEqual(
    moved.json.error.details.map((one: { field: string }) => one.field),
    ['settings.password'],
  )
  assert.equal((await call('PATCH', `/v2/mail/transports/${transportId}`, { settings: settings() })).status, 200)
})

test('what an organization names keeps to the egress list, and is encrypted outside', async () => {
  const reasonOf = async (host: string, port: number) => {
    const { transportId } = await make('transports', {
      kind: 'smtp',
      name: host,
      settings: { host, port, security: 'none' },
    })
    const { ok, reason } = (await call('POST', `/v2/mail/transports/${transportId}/test`, {})).json.data
    await call('DELETE', `/v2/mail/transports/${transportId}`)
    assert.equal(ok, false)
    return reason
  }
  assert.match(await reasonOf('10.1.2.3', 25), /may not reach.*TANDEM_EGRESS_ALLOW/)
  assert.match(await reasonOf('169.254.169.254', 25), /may not reach/)
  assert.match(await reasonOf('8.8.8.8', 25), /must be encrypted/)
})

test('a mail of a domain with a key is signed, as dkimpy sees it', {
  skip: !hasDkimpy && 'python3-dkim is missing',
}, async () => {
  const { domainId, records } = await make('domains', { domain: 'example.com' })
  await make('senders', { address: 'office@example.com', name: 'Büro', defaultFor: ['transactional', 'marketing'] })
  const dkim = records.find((one: { purpose: string }) => one.purpose === 'dkim')
  assert.equal((await ended()).state, 'sent')
  const [{ raw }] = sink.mails.splice(0) as [Sink['mails'][number]]
  assert.equal(dkimpy(raw, dkim), true)
  assert.equal(dkimpy(Buffer.from(raw.toString('latin1').replace('Subject: ', 'Subject: x'), 'latin1'), dkim), false)
  const other = await make('domains', { domain: 'example.org' })
  assert.equal(dkimpy(raw, { ...other.records[0], name: dkim.name }), false)

  assert.equal((await ended({ stream: 'marketing' })).state, 'sent')
  const [{ raw: offer }] = sink.mails.splice(0) as [Sink['mails'][number]]
  const head = offer.toString('latin1').replaceAll(/\r\n[ \t]+/g, ' ')
  assert.match(head, /^List-Unsubscribe: <https:\/\/tandem\.example\.com\/u\/[^>]+>\r$/m)
  assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  const signed = (/\bh=([^;]+);/.exec(head)?.[1] ?? '').toLowerCase().split(/\s*:\s*/)
  for (const name of ['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post'])
    assert.ok(signed.includes(name), name)
  assert.equal(dkimpy(offer, dkim), true)

  // A key that this server cannot read.
  await t.ownerSql("update mail_domains set private_key = 'sealed.1.AAAA' where id = $1", [domainId])
  const mail = await ended()
  assert.deepEqual([mail.state, mail.code], ['failed', 'mail_unsigned'])
  assert.equal(sink.mails.length, 0)
  await call('DELETE', `/v2/mail/domains/${domainId}`)
})

test('an outbox of the organization keeps mails although there is a mail server', async () => {
  const { transportId } = await make('transports', { kind: 'outbox', name: 'Keep', isDefault: true })
  const mail = await ended()
  assert.deepEqual([mail.transport, mail.code], [transportId, 'kept_in_outbox'])
  assert.equal(sink.mails.length, 0)
})
