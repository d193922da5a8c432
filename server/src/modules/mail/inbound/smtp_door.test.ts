// Mail over SMTP, from programs of others: taken for addresses of ours alone, stored before the answer, over TLS where there is a certificate.
// test: waits
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { markedAddress } from '../mails/index.ts'
import { openSmtpDoor, type SmtpDoor } from './smtp_door.ts'

let t: TestApp
let door: SmtpDoor
let folder: string
before(async () => {
  t = await startTestApp({ env: { TANDEM_MAIL_DOMAIN: 'in.example.com' } })
  folder = mkdtempSync(join(tmpdir(), 'tandem_mail_tls_'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ]
  execFileSync('openssl', made, { stdio: 'ignore' })
  const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  door = await openSmtpDoor(t.app.services, { ...t.app.services.mail.receiving, port: 0, tls })
})
after(async () => {
  await door?.close()
  rmSync(folder, { recursive: true, force: true })
  await t?.close()
})

const inbox = (tenantId = t.main.liveTenantId) =>
  markedAddress(t.app.services.keyring, { kind: 'inbox', tenantId }, 'in.example.com')
const stored = (subject: string) =>
  t.ownerSql('select tenant_id::integer, state, door, sender_check, text from inbound_mails where subject = $1', [
    subject,
  ])
const transport = (more: object = {}) =>
  createTransport({ host: '127.0.0.1', port: door.port, tls: { rejectUnauthorized: false }, ...more })

test('nodemailer: a mail is stored when it is answered, over TLS', async () => {
  const info = await transport({ requireTLS: true }).sendMail({
    from: 'ada@example.com',
    to: inbox(),
    subject: 'By TLS',
    text: 'Hello',
  })
  assert.match(info.response, /^250/)
  const [mail] = await stored('By TLS')
  assert.deepEqual([mail!['state'], mail!['door'], String(mail!['text']).trim()], ['unmatched', 'smtp', 'Hello'])
})

test('a mail for two organizations is in both, and the same again in neither once more', async () => {
  const to = [inbox(), inbox(t.other.liveTenantId)]
  const mail = {
    from: 'ada@example.com',
    to,
    subject: 'For two',
    text: 'Hello',
    messageId: '<two@x.example>',
    date: new Date(0),
  }
  await transport().sendMail(mail)
  await transport().sendMail(mail)
  const tenants = (await stored('For two')).map(row => row['tenant_id'])
  assert.deepEqual(tenants.toSorted(), [t.main.liveTenantId, t.other.liveTenantId].toSorted())
})

test('nothing is passed on: addresses that are not ours are refused before the mail', async () => {
  const forged = inbox().replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
  for (const to of ['ada@example.com', forged, 'in+1@in.example.com', `"a@b"@in.example.com`])
    await assert.rejects(transport().sendMail({ from: 'eve@evil.example', to, subject: 'Relay', text: 'x' }), /550|501/)
  assert.deepEqual(await stored('Relay'), [])
})

test('a mail that is too large is refused', async () => {
  const content = Buffer.alloc(20 * 1024 * 1024)
  const mail = {
    from: 'ada@example.com',
    to: inbox(),
    subject: 'Large',
    text: 'x',
    attachments: [{ filename: 'a', content }],
  }
  await assert.rejects(transport().sendMail(mail), /552|exceeds|larger/)
  assert.deepEqual(await stored('Large'), [])
})

test('a mail that cannot be stored now is put off, not lost', async () => {
  await t.ownerSql('alter table inbound_mails rename column auth to auth_elsewhere')
  try {
    const sending = transport().sendMail({ from: 'ada@example.com', to: inbox(), subject: 'Broken', text: 'x' })
    await assert.rejects(sending, /451/)
  } finally {
    await t.ownerSql('alter table inbound_mails rename column auth_elsewhere to auth')
  }
})

test('words that are no SMTP end in a refusal, and what is said together with STARTTLS is not done', async () => {
  const socket = connect(door.port, '127.0.0.1')
  let said = ''
  socket.on('data', chunk => {
    said += String(chunk)
  })
  await new Promise(resolve => socket.once('data', resolve))
  socket.write('EHLO x\r\nSTARTTLS\r\nMAIL FROM:<eve@evil.example>\r\n')
  await new Promise(resolve => {
    socket.once('close', resolve)
    socket.setTimeout(1_500, () => socket.destroy())
  })
  assert.doesNotMatch(said.slice(said.indexOf('220', 4)), /250 .*(Accepted|OK)/i)
})

test('a bounce at its address says what became of the mail, and of strangers none is believed', async () => {
  const { json } = await t.call('POST', '/v2/mails', {
    as: t.main.tokens.Admin,
    body: { to: [{ address: 'gone@example.com' }], subject: 'Bounces', text: 'x' },
  })
  const { mailId } = json.data
  await t.ownerSql("update mails set state = 'sent', message_id = 'bounces@example.com' where id = $1", [mailId])
  const report = [
    'From: MAILER-DAEMON@x.example\r\nSubject: Undelivered\r\nMIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n',
    'Reporting-MTA: dns; x.example\r\n\r\nFinal-Recipient: rfc822; gone@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n',
    '--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <bounces@example.com>\r\n\r\n--b--\r\n',
  ].join('\r\n')
  const state = async () => (await t.ownerSql('select state from mails where id = $1', [mailId]))[0]!['state']
  await transport().sendMail({ envelope: { from: '', to: [inbox()] }, raw: report })
  assert.equal(await state(), 'sent')
  const path = markedAddress(
    t.app.services.keyring,
    { kind: 'bounce', tenantId: t.main.liveTenantId, mailId },
    'bounce.example.com',
  )
  await transport().sendMail({ envelope: { from: '', to: [path] }, raw: report })
  assert.equal(await state(), 'bounced')
})

const has = (program: string) => spawnSync('which', [program]).status === 0

test('swaks', { skip: has('swaks') ? false : 'swaks is not installed (scripts/system_tools.sh)' }, async () => {
  const given = [
    '--server',
    '127.0.0.1',
    '--port',
    String(door.port),
    '--from',
    'ada@example.com',
    '--body',
    'By swaks',
  ]
  const { stdout } = await promisify(execFile)('swaks', [
    ...given,
    '--tls-optional',
    '--to',
    inbox(),
    '--header',
    'Subject: Swaks',
  ])
  assert.match(stdout, /<[-~]\s+250 .*\n/)
  assert.equal((await stored('Swaks')).length, 1)
  // 24: no recipient was accepted.
  await assert.rejects(promisify(execFile)('swaks', [...given, '--to', 'ada@example.com']), { code: 24 })
})

test('msmtp', { skip: has('msmtp') ? false : 'msmtp is not installed (scripts/system_tools.sh)' }, async () => {
  const options = [
    '--host=127.0.0.1',
    `--port=${door.port}`,
    '--from=ada@example.com',
    '--tls=off',
    '--auth=off',
    inbox(),
  ]
  const sending = promisify(execFile)('msmtp', options)
  sending.child.stdin!.end('From: ada@example.com\nSubject: By msmtp\n\nHello\n')
  await sending
  assert.equal((await stored('By msmtp')).length, 1)
})
