// Mailboxes, read from a Dovecot: each mail once and soon, whatever becomes of connections, processes and the numbers of mails.
// test: waits
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Dovecot, noDovecot, startDovecot } from '../../../../test/dovecot.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Queue, startQueue } from '../../../kernel/jobs/queue.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { readMailboxes } from './jobs.ts'

const patience = { pollMs: 200, answerMs: 1_500 }

describe('mailboxes', { skip: noDovecot }, () => {
  let t: TestApp
  let dovecot: Dovecot
  const readers: Queue[] = []
  before(async () => {
    dovecot = await startDovecot()
    t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' } })
  })
  after(async () => {
    await t?.close()
    await dovecot?.close()
  })
  afterEach(async () => {
    await Promise.all(readers.splice(0).map(reader => reader.stop()))
    await t.ownerSql('delete from mailboxes')
  })

  const call = (method: string, path: string, body?: object) =>
    t.call(method as 'GET', `/v2/mail/mailboxes${path}`, { as: t.main.tokens.Admin, ...(body && { body }) })
  function read(options: Parameters<typeof readMailboxes>[0] = {}): Queue {
    const { services } = t.app
    const maker = readMailboxes({ leaseSeconds: 2, patience, ...options })
    const reader = startQueue({ ...maker(services), pollMs: 100 }, { log: services.log, newToken: () => newId('lse') })
    readers.push(reader)
    return reader
  }
  async function newMailbox(more: object = {}, readsFrom = '2020-01-01T00:00:00.000Z'): Promise<string> {
    const { port, user, password } = dovecot
    const settings = { host: '127.0.0.1', port, security: 'none', user, password, ...more }
    const { status, json, text } = await call('POST', '', { name: 'Sales', settings, readsFrom })
    assert.equal(status, 201, text)
    return json.data.mailboxId
  }
  const show = async (id: string) => (await call('GET', `/${id}`)).json.data
  const mail = (subject: string) =>
    `From: ada@example.com\nTo: sales@example.com\nSubject: ${subject}\nMessage-ID: <${subject}@x.example>\nDate: Sat, 21 Nov 2026 09:12:00 +0000\n\nHello ${subject}\n`
  const countOf = async (like: string) =>
    Number(
      (await t.ownerSql('select count(*)::integer as n from inbound_mails where subject like $1', [like]))[0]!['n'],
    )
  const reaches = (like: string, count: number) =>
    eventually(`${count} mails like ${like}`, async () => (await countOf(like)) === count)

  test('what was there and what comes is read, once, and left as it is', async () => {
    dovecot.deliver(mail('there1'), mail('there2'))
    const id = await newMailbox()
    read()
    await reaches('there%', 2)
    dovecot.deliver(mail('comes1'))
    await reaches('comes%', 1)
    const { status, fault, readAt } = await show(id)
    assert.deepEqual([status, fault], ['reading', null])
    assert.ok(readAt !== null)
    const [row] = await t.ownerSql("select door, mailbox_id from inbound_mails where subject = 'comes1'")
    assert.deepEqual(row, { door: 'imap', mailbox_id: id })
    const tried = (await call('POST', `/${id}/test`)).json.data
    assert.equal(tried.ok, true, tried.reason)
    assert.ok(tried.mails >= 3)
    assert.ok(tried.trace.length > 3)
    assert.doesNotMatch(JSON.stringify(tried), /correct_horse/)
  })

  test('mails from before it was set up are left alone', async () => {
    dovecot.deliver(mail('before1'))
    await newMailbox({}, new Date(Date.now() + 3_600_000).toISOString())
    read()
    await eventually(
      'it is read',
      async () => (await t.ownerSql('select from mailboxes where read_at is not null')).length > 0,
    )
    assert.equal(await countOf('before%'), 0)
  })

  test('a server that takes a connection and then says nothing holds up no stop', { timeout: 30_000 }, async () => {
    const sockets = new Set<Socket>()
    const mute = createServer(socket => {
      sockets.add(socket.on('error', () => {}))
      socket.write('* OK ready\r\n')
    }).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    try {
      const id = await newMailbox({ port: (mute.address() as AddressInfo).port })
      const reader = read()
      await eventually('somebody asks it', () => sockets.size > 0)
      await reader.stop()
      const { status, fault } = await show(id)
      assert.deepEqual([status, fault], ['waiting', null], 'being stopped is no fault of the mailbox')
    } finally {
      for (const socket of sockets) socket.destroy()
      mute.close()
    }
  })

  test('what is claimed while it stops is given back', { timeout: 30_000 }, async () => {
    const id = await newMailbox()
    const reader = read()
    reader.wake()
    await reader.stop()
    const [row] = await t.ownerSql('select lease_token from mailboxes where id = $1', [id])
    assert.equal(row!['lease_token'], null)
  })

  test('a connection that is dead without a word is noticed, and another one goes on', async () => {
    const id = await newMailbox()
    read()
    await eventually('it is read', async () => (await show(id)).readAt !== null)
    const before = dovecot.connections()
    dovecot.silence()
    dovecot.deliver(mail('silent1'))
    await eventually('it is failing', async () => (await show(id)).status === 'failing')
    assert.match((await show(id)).fault, /does not answer/)
    await t.ownerSql('update mailboxes set due_at = now() where lease_token is null')
    await reaches('silent%', 1)
    assert.ok(dovecot.connections() > before)
  })

  test('when its mails are counted again, none is there twice and none is missed', async () => {
    const id = await newMailbox()
    const reader = read()
    dovecot.deliver(mail('counted1'))
    await reaches('counted%', 1)
    await reader.stop()
    const [{ uid_validity: before }] = (await t.ownerSql('select uid_validity from mailboxes')) as [
      { uid_validity: string },
    ]
    const all = await countOf('%')
    await dovecot.recount()
    dovecot.deliver(mail('counted2'))
    read()
    await reaches('counted%', 2)
    assert.equal(await countOf('%'), all + 1)
    const [row] = await t.ownerSql('select uid_validity from mailboxes where id = $1', [id])
    assert.notEqual(row!['uid_validity'], before)
  })

  test('two processes never read it at once, and when one is gone the other goes on', async () => {
    const id = await newMailbox()
    const [one] = [read(), read()]
    await eventually('it is read', async () => (await show(id)).readAt !== null)
    const before = dovecot.connections()
    dovecot.deliver(mail('two1'))
    await reaches('two%', 1)
    assert.equal(dovecot.connections(), before, 'nobody else connected')
    await one!.stop()
    dovecot.deliver(mail('two2'))
    await reaches('two%', 2)
  })

  test('who lost the lease stores nothing more', async () => {
    const id = await newMailbox()
    read()
    await eventually('it is read', async () => (await show(id)).readAt !== null)
    await t.ownerSql(
      "update mailboxes set lease_token = 'lse_other', due_at = now() + interval '1 hour' where id = $1",
      [id],
    )
    dovecot.deliver(mail('lost1'))
    const [{ last_uid: cursor }] = (await t.ownerSql('select last_uid from mailboxes')) as [{ last_uid: string }]
    await eventually('it let go', async () => readers.length > 0 && (await show(id)).status !== 'waiting')
    await readers[0]!.stop()
    readers.splice(0)
    assert.equal(await countOf('lost%'), 0)
    assert.equal((await t.ownerSql('select last_uid from mailboxes'))[0]!['last_uid'], cursor)
  })

  test('the cursor moves with the mails alone: what cannot be stored now comes later', async () => {
    const id = await newMailbox()
    await t.ownerSql('alter table inbound_mails rename column auth to auth_elsewhere')
    read()
    dovecot.deliver(mail('broken1'))
    await eventually('it is failing', async () => (await show(id)).status === 'failing')
    await t.ownerSql('alter table inbound_mails rename column auth_elsewhere to auth')
    await t.ownerSql('update mailboxes set due_at = now() where lease_token is null')
    await reaches('broken%', 1)
  })

  test('a mail of which the database refuses something holds up none behind it, and its bytes are kept', async () => {
    const id = await newMailbox()
    await t.ownerSql("alter table inbound_mails add constraint refused check (subject <> 'refused2')")
    try {
      dovecot.deliver(mail('refused1'), mail('refused2'), mail('refused3'))
      read()
      await reaches('refused%', 2)
      dovecot.deliver(mail('refused4'))
      await reaches('refused%', 3)
    } finally {
      await t.ownerSql('alter table inbound_mails drop constraint refused')
    }
    const [kept, ...others] = await t.ownerSql(
      "select id, subject, state, storage_key from inbound_mails where mailbox_id = $1 and subject like '(a mail%'",
      [id],
    )
    assert.equal(others.length, 0)
    assert.equal(kept!['state'], 'unmatched')
    const source = await t.call('GET', `/v2/mail/inbound/${kept!['id']}/source`, { as: t.main.tokens.Admin })
    assert.match(source.text, /Hello refused2/)
  })

  test('more mailboxes than a process holds are read in turn, and metrics say so', async () => {
    read({ maxMailboxes: 2 })
    const ids = [await newMailbox(), await newMailbox(), await newMailbox(), await newMailbox(), await newMailbox()]
    const readAt = async (id: string) => Date.parse((await show(id)).readAt ?? '')
    const all = async (sinceMs: number) => (await Promise.all(ids.map(readAt))).every(ms => ms > sinceMs)
    await eventually('all are read', () => all(0))
    const sinceMs = Math.max(...(await Promise.all(ids.map(readAt))))
    await eventually('all are read again', () => all(sinceMs))
    const faults = await Promise.all(ids.map(async id => (await show(id)).fault))
    assert.deepEqual(faults, [null, null, null, null, null], 'making room is no fault')
    const { text } = await t.app.services.metrics.render()
    assert.match(text, /^tandem_mailbox_yields_total [1-9]/m)
  })

  test('a thousand mails come through, though the connection is cut again and again', async () => {
    await newMailbox()
    dovecot.deliver(...Array.from({ length: 1_000 }, (_, n) => mail(`many${n}`)))
    read()
    for (let reached = 0, cuts = 0; reached < 1_000; ) {
      const now = await eventually('more came', async () => {
        await t.ownerSql('update mailboxes set due_at = now() where lease_token is null')
        const count = await countOf('many%')
        return count > reached && count
      })
      reached = now
      if (cuts++ < 5) dovecot.cut()
    }
    assert.equal(await countOf('many%'), 1_000)
  })

  test('settings: a password goes nowhere else, and what is wrong is said', async () => {
    const id = await newMailbox({ password: 'wrong' })
    const tried = (await call('POST', `/${id}/test`)).json.data
    assert.equal(tried.ok, false)
    assert.match(tried.reason, /does not take this user and password/)
    const moved = await call('PATCH', `/${id}`, { settings: { host: 'evil.example' } })
    assert.equal(moved.status, 400)
    assert.equal(moved.json.error.details[0].field, 'settings.password')
    assert.equal((await call('PATCH', `/${id}`, { settings: { host: 'evil.example', password: 'x' } })).status, 200)
    assert.ok(!JSON.stringify(await show(id)).includes('password'))
    const inside = await newMailbox({ host: '10.1.2.3' })
    assert.match((await call('POST', `/${inside}/test`)).json.data.reason, /may not reach/)
  })
})
