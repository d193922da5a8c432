// Mails that come in over HTTP: whose they are, that each is there once, who sees them, and what people make of them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/record_races.ts'
import { keyringOf } from '../../../kernel/values/keyring.ts'
import { markedAddress, readMark } from '../mails/index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({
    env: { TANDEM_MAIL_DOMAIN: 'in.example.com', TANDEM_PUBLIC_URL: 'https://tandem.example.com' },
  })
})
after(() => t?.close())

let made = 0
const fresh = () => `ada${++made}@example.com`
const admin = () => t.main.tokens.Admin
const call = (method: string, path: string, body?: object, as = admin()) =>
  t.call(method as 'GET', path, { as, ...(body && { body }) })

type Written = { from?: string; to?: string; subject?: string; head?: string; text?: string; id?: string }
const mailOf = ({
  from = fresh(),
  to = 'office@example.com',
  subject = 'Hi',
  head = '',
  text = 'Hello.',
  id = `m${++made}@x.example`,
}: Written) =>
  `From: Ada <${from}>\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: Sat, 21 Nov 2026 09:12:00 +0000\r\nMessage-ID: <${id}>\r\n${head}\r\n${text}\r\n`

async function handIn(raw: string, { as = admin(), query = '' } = {}) {
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await t.call('POST', `/v2/mail/inbound${query}`, { as, headers, rawBody: raw })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.received
}
async function lead(email: string, more: object = {}, as = admin()): Promise<string> {
  const { json, text } = await call('POST', '/v1/api/leads', { name: 'Ada', email, ...more }, as)
  assert.ok(json.lead, text)
  return `lead:${json.lead.id}`
}
async function contact(email: string): Promise<string> {
  return (await call('POST', '/v1/api/contacts', { name: 'Ada', emails: [{ value: email }] })).json.contact.id
}
async function sendTo(recordId: string, more: object = {}): Promise<string> {
  const body = {
    to: [{ address: fresh() }],
    subject: 'Monday',
    text: 'See you.',
    stream: 'conversation',
    recordId,
    ...more,
  }
  const { status, json, text } = await call('POST', '/v2/mails', body)
  assert.equal(status, 201, text)
  return json.data.mailId
}
const timeline = async (recordId: string, as = admin()) => {
  const path = recordId.startsWith('lead:') ? `leads/${recordId.slice(5)}` : `contacts/${recordId}`
  const { status, json, text } = await call('GET', `/v1/api/${path}/timeline`, undefined, as)
  assert.equal(status, 200, text)
  return json.entries.filter((entry: { kind: string }) => entry.kind === 'mail')
}

describe('whose it is', () => {
  test('the address that it came to decides, no matter who wrote it', async () => {
    const recordId = await lead(fresh())
    const mailId = await sendTo(recordId)
    const to = markedAddress(
      t.app.services.keyring,
      { kind: 'reply', tenantId: t.main.liveTenantId, mailId },
      'in.example.com',
    )
    for (const one of [to, to.toUpperCase()]) {
      const [mail] = await handIn(mailOf({ to: one, subject: 'Re: Monday' }))
      assert.deepEqual(
        [mail.state, mail.matchedBy, mail.recordId, mail.answersMailId],
        ['matched', 'token', recordId, mailId],
      )
    }
    const forged = to.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    assert.equal((await handIn(mailOf({ to: forged })))[0].state, 'unmatched')
    const entries = await timeline(recordId)
    assert.deepEqual(
      entries.map((one: { direction: string }) => one.direction),
      ['inbound', 'inbound', 'outbound'],
    )
  })

  test('an address of ours names a mail, a person or a tray, of one tenant, and nothing else', () => {
    const { keyring } = t.app.services
    const mailId = 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz'
    for (const mark of [
      { kind: 'reply', tenantId: 7, mailId },
      { kind: 'bounce', tenantId: 7, mailId },
      { kind: 'log', tenantId: 7, userId: 3 },
      { kind: 'inbox', tenantId: 7 },
    ] as const) {
      const address = markedAddress(keyring, mark, 'in.example.com')
      assert.deepEqual(readMark(keyring, address), mark)
      assert.ok(address.indexOf('@') <= 64, address)
      for (const other of [address.replace('+7', '+8'), address.replace(/^\w+/, 'x'), address.slice(0, 9)])
        assert.equal(readMark(keyring, other), undefined, other)
    }
    assert.equal(
      readMark(keyringOf(Buffer.alloc(32)), markedAddress(keyring, { kind: 'inbox', tenantId: 7 }, 'x.example')),
      undefined,
    )
  })

  test('then what it answers, also through an earlier answer', async () => {
    const recordId = await contact(fresh())
    const mailId = await sendTo(recordId)
    await t.ownerSql("update mails set message_id = id || '@example.com' where id = $1", [mailId])
    const head = `References: <first@x.example> <${mailId}@example.com>\r\nIn-Reply-To: <unknown@x.example>\r\n`
    const [mail] = await handIn(mailOf({ head, id: 'answer@x.example' }))
    assert.deepEqual([mail.matchedBy, mail.recordId, mail.answersMailId], ['thread', recordId, mailId])
    const [next] = await handIn(mailOf({ head: 'In-Reply-To: <answer@x.example>\r\n' }))
    assert.deepEqual([next.matchedBy, next.recordId], ['thread', recordId])
  })

  test('then the one lead or contact with the address of the sender; of several nobody is guessed', async () => {
    const email = fresh()
    const recordId = await lead(email)
    const [one] = await handIn(mailOf({ from: email.toUpperCase() }))
    assert.deepEqual([one.state, one.matchedBy, one.recordId], ['matched', 'sender', recordId])
    const other = await contact(email)
    const [mail] = await handIn(mailOf({ from: email }))
    assert.deepEqual(
      [mail.state, mail.recordId, mail.candidates.toSorted()],
      ['unmatched', null, [other, recordId].toSorted()],
    )
    const shown = (await call('GET', `/v2/mail/inbound/${mail.inboundId}`)).json.data
    assert.deepEqual(shown.records.map((each: { noun: string }) => each.noun).toSorted(), ['contact', 'lead'])
  })

  test('nobody becomes a lead, and copies name nobody', async () => {
    const copied = fresh()
    const recordId = await lead(copied)
    const leads = async () => (await call('GET', '/v1/api/leads?limit=1')).json.pagination.totalCount
    const before = await leads()
    const [mail] = await handIn(mailOf({ head: `Cc: ${copied}\r\n` }))
    assert.deepEqual([mail.state, mail.candidates], ['unmatched', []])
    assert.equal(await leads(), before)
    assert.deepEqual(await timeline(recordId), [])
  })

  test('a sender who failed DMARC is matched by the address that it came to alone', async () => {
    const email = fresh()
    const recordId = await lead(email)
    const mailId = await sendTo(recordId)
    await t.ownerSql("update mails set message_id = id || '@example.com' where id = $1", [mailId])
    const failed = (by: string) =>
      `Authentication-Results: ${by};\r\n spf=pass smtp.mailfrom=x.example; dmarc=fail header.from=example.com\r\n`
    const answers = `In-Reply-To: <${mailId}@example.com>\r\n`
    const query = '?authservId=mx.example.com'
    const [mail] = await handIn(mailOf({ from: email, head: failed('mx.example.com') + answers }), { query })
    assert.deepEqual([mail.state, mail.sender, mail.recordId], ['unmatched', 'unverified', null])
    // What another server says is anyone's word.
    const [unknown] = await handIn(mailOf({ from: email, head: failed('evil.example') }), { query })
    assert.deepEqual([unknown.state, unknown.sender], ['matched', 'unknown'])
    const passed = failed('mx.example.com').replace('dmarc=fail', 'dmarc=pass')
    // The topmost of that server counts: those below were there before.
    const [known] = await handIn(mailOf({ from: email, head: passed + failed('mx.example.com') }), { query })
    assert.deepEqual([known.state, known.sender], ['matched', 'verified'])
    const to = markedAddress(
      t.app.services.keyring,
      { kind: 'reply', tenantId: t.main.liveTenantId, mailId },
      'in.example.com',
    )
    const [token] = await handIn(mailOf({ from: email, to, head: failed('mx.example.com') }), { query })
    assert.deepEqual([token.matchedBy, token.sender], ['token', 'unverified'])
  })

  test('two senders are none', async () => {
    const email = fresh()
    await lead(email)
    const [mail] = await handIn(mailOf({ from: email, head: 'From: Eve <eve@evil.example>\r\n' }))
    assert.deepEqual([mail.state, mail.sender], ['unmatched', 'unverified'])
  })

  test('a blind copy of what a person wrote stands on the record that it was written to', async () => {
    const email = fresh()
    const recordId = await lead(email)
    const { copyAddress } = (await call('GET', '/v2/mail/inbound/addresses')).json.data
    const raw = mailOf({ from: 'boss@example.com', to: email, text: 'As promised.' })
    const [mail] = await handIn(raw, { query: `?recipient=${encodeURIComponent(copyAddress)}` })
    assert.deepEqual(
      [mail.direction, mail.matchedBy, mail.recordId, mail.userId],
      ['outbound', 'recipient', recordId, t.main.users.Admin.id],
    )
    const [entry] = await timeline(recordId)
    assert.deepEqual([entry.direction, entry.body, entry.to], ['outbound', 'As promised.', email])
  })

  test('our own mail that comes back is set aside, without an event', async () => {
    const email = fresh()
    const recordId = await lead(email)
    const mailId = await sendTo(recordId)
    await t.ownerSql("update mails set message_id = id || '@example.com' where id = $1", [mailId])
    const [mail] = await handIn(mailOf({ from: email, id: `${mailId}@example.com` }))
    assert.equal(mail.state, 'ignored')
    assert.deepEqual(await t.ownerSql('select from event_log where resource_id = $1', [mail.inboundId]), [])
  })

  test('a record in the trash gets no mail, and of a lead that became a contact the contact does', async () => {
    const email = fresh()
    const recordId = await lead(email)
    await call('DELETE', `/v1/api/leads/${recordId.slice(5)}`)
    assert.equal((await handIn(mailOf({ from: email })))[0].state, 'unmatched')
    const other = fresh()
    const open = await lead(other)
    const converted = await call('POST', `/v1/api/leads/${open.slice(5)}/convert`, { qualify: true })
    assert.ok(converted.status < 300, converted.text)
    const [mail] = await handIn(mailOf({ from: other }))
    assert.deepEqual([mail.matchedBy, mail.recordId?.slice(0, 4)], ['sender', 'con_'])
  })
})

describe('what the database refuses', () => {
  test('is kept as bytes, and waits in the tray', async () => {
    await t.ownerSql("alter table inbound_mails add constraint refused check (subject <> 'Refused')")
    try {
      const raw = mailOf({ subject: 'Refused' })
      const [mail] = await handIn(raw)
      assert.deepEqual([mail.state, mail.subject, mail.from], ['unmatched', '(a mail that cannot be shown)', null])
      assert.equal((await call('GET', `/v2/mail/inbound/${mail.inboundId}/source`)).text, raw)
      assert.equal((await handIn(raw))[0].inboundId, mail.inboundId)
    } finally {
      await t.ownerSql('alter table inbound_mails drop constraint refused')
    }
  })
})

describe('once', () => {
  test('the same mail is stored once, whatever servers on the way added, with one event', async () => {
    const email = fresh()
    const recordId = await lead(email)
    const raw = mailOf({ from: email })
    const [first] = await handIn(raw)
    const [again] = await handIn(`Received: from a by b\r\n${raw.replaceAll('\r\n', '\n')}\n\n`)
    assert.deepEqual(again, first)
    assert.equal((await timeline(recordId)).length, 1)
    const rows = await t.ownerSql('select type from event_log where resource_id = $1', [first.inboundId])
    assert.deepEqual(rows, [{ type: 'mail.received' }])
    const objects = await Array.fromAsync(t.app.services.objects.current.list(`inbound_mails/${t.main.liveTenantId}/`))
    const kept = await t.ownerSql('select distinct storage_key from inbound_mails where tenant_id = $1', [
      t.main.liveTenantId,
    ])
    assert.equal(objects.length, kept.length, 'no bytes without a mail')
  })

  test('together as well', async () => {
    const raw = mailOf({})
    const all = await Promise.all(Array.from({ length: 8 }, () => handIn(raw)))
    assert.equal(new Set(all.map(([mail]) => mail.inboundId)).size, 1)
  })

  test('another text, another tenant or another mail that it answers is another', async () => {
    const [one] = await handIn(mailOf({ id: 'same@x.example' }))
    const [two] = await handIn(mailOf({ id: 'same@x.example', text: 'Otherwise.' }))
    const [three] = await handIn(mailOf({ id: 'same@x.example' }), { as: t.main.testKey })
    assert.equal(new Set([one, two, three].map(mail => mail.inboundId)).size, 3)
    const [a, b] = [await lead(fresh()), await lead(fresh())]
    const { keyring } = t.app.services
    const to = await Promise.all(
      [a, b].map(async recordId =>
        markedAddress(
          keyring,
          { kind: 'reply', tenantId: t.main.liveTenantId, mailId: await sendTo(recordId) },
          'in.example.com',
        ),
      ),
    )
    const mails = await handIn(mailOf({ to: to.join(', ') }))
    assert.deepEqual(mails.map((mail: { recordId: string }) => mail.recordId).toSorted(), [a, b].toSorted())
  })
})

describe('people', () => {
  test('put it on a record, on another, set it aside, and bring it back', async () => {
    const [one, two] = [await lead(fresh()), await contact(fresh())]
    const [{ inboundId }] = await handIn(mailOf({ text: 'Words.\n\nOn Monday, Bob wrote:\n> Quoted.' }))
    const put = (recordId: string, as?: string) =>
      call('POST', `/v2/mail/inbound/${inboundId}/assign`, { recordId }, as)
    assert.equal((await put(one)).json.data.matchedBy, 'person')
    const [entry] = await timeline(one)
    assert.deepEqual([entry.body, entry.quoted, entry.id], ['Words.', 'On Monday, Bob wrote:\n> Quoted.', inboundId])
    assert.equal((await put(two)).status, 200)
    assert.deepEqual([(await timeline(one)).length, (await timeline(two)).length], [0, 1])
    assert.equal((await call('POST', `/v2/mail/inbound/${inboundId}/ignore`)).json.data.state, 'ignored')
    assert.equal((await timeline(two)).length, 0)
    assert.equal((await put(two)).json.data.state, 'matched')
    const rows = await t.ownerSql('select type, sequence from event_log where resource_id = $1 order by sequence', [
      inboundId,
    ])
    assert.deepEqual(
      rows.map(row => row['type']),
      ['mail.received', 'mail.assigned', 'mail.assigned', 'mail.ignored', 'mail.assigned'],
    )
  })

  test('a Sales Executive sees mails of leads that they see, and puts them on no others', async () => {
    const executive = t.main.tokens['Sales Executive']
    const email = fresh()
    const [own, foreign] = [await lead(fresh(), {}, executive), await lead(email)]
    await call('PATCH', `/v1/api/leads/${foreign.slice(5)}`, { owner_id: t.main.users['Sales Manager'].id })
    const [theirs] = await handIn(mailOf({ from: email }))
    const [free] = await handIn(mailOf({}))
    for (const { inboundId } of [theirs, free])
      assert.equal((await call('GET', `/v2/mail/inbound/${inboundId}`, undefined, executive)).status, 404)
    await call('POST', `/v2/mail/inbound/${free.inboundId}/assign`, { recordId: own })
    assert.equal((await call('GET', `/v2/mail/inbound/${free.inboundId}`, undefined, executive)).status, 200)
    const listed = (await call('GET', '/v2/mail/inbound?limit=200', undefined, executive)).json.data
    const ids = listed.map((mail: { inboundId: string }) => mail.inboundId)
    assert.deepEqual([ids.includes(free.inboundId), ids.includes(theirs.inboundId)], [true, false])
    const refused = await call('POST', `/v2/mail/inbound/${free.inboundId}/assign`, { recordId: foreign }, executive)
    assert.equal(refused.json.error.code, 'record_not_found')
    // A mail that a colleague wrote to their lead is theirs to read.
    const mailId = await sendTo(own)
    assert.equal((await call('GET', `/v2/mails/${mailId}`, undefined, executive)).status, 200)
    assert.equal((await call('GET', `/v2/mails/${await sendTo(foreign)}`, undefined, executive)).status, 404)
    assert.equal((await call('GET', `/v2/mails?recordId=${own}`, undefined, executive)).json.data.length, 1)
    assert.equal((await call('GET', `/v2/mails?recordId=${foreign}`, undefined, executive)).json.data.length, 0)
  })

  test('mails follow records that become one', async () => {
    const email = fresh()
    const [into, other] = [await lead(fresh()), await lead(email)]
    const [mail] = await handIn(mailOf({ from: email }))
    await sendTo(other)
    const merged = await call('POST', '/v1/api/leads/merge', {
      into: Number(into.slice(5)),
      others: [Number(other.slice(5))],
    })
    assert.equal(merged.status, 200, merged.text)
    assert.deepEqual(
      (await timeline(into)).map((one: { direction: string }) => one.direction),
      ['outbound', 'inbound'],
    )
    assert.equal((await call('GET', `/v2/mail/inbound/${mail.inboundId}`)).json.data.recordId, into)
  })

  test('a mail that comes in while its lead is merged stands on the one that stays', async () => {
    const email = fresh()
    const into = await call('POST', '/v1/api/leads', { name: 'Ada', phone: '+15550100077' })
    const [stays, gone] = [into.json.lead.id, Number((await lead(email)).slice(5))]
    const note = await call('POST', '/v1/api/notes', { record_id: `lead:${gone}`, body: 'There before.' })
    const held = { text: 'select from notes where id = $1 for update', values: [note.json.note.id] }
    const headers = { 'content-type': 'message/rfc822' }
    const [merged, received] = await whileHeld(
      t,
      held,
      () => call('POST', '/v1/api/leads/merge', { into: stays, others: [gone] }),
      () => t.call('POST', '/v2/mail/inbound', { as: admin(), headers, rawBody: mailOf({ from: email }) }),
    )
    assert.deepEqual([merged!.status, received!.status], [200, 200], received!.text)
    assert.equal((await timeline(`lead:${stays}`)).length, 1)
  })

  test('an answer goes into the conversation, from the timeline that it came from', async () => {
    const email = fresh()
    const recordId = await lead(email)
    const head = 'References: <older@x.example>\r\n'
    const [mail] = await handIn(mailOf({ from: email, id: 'question@x.example', head }))
    const body = {
      to: [{ address: email }],
      subject: 'Re: Hi',
      text: 'Yes.',
      stream: 'conversation',
      answersInboundId: mail.inboundId,
    }
    const { json } = await call('POST', '/v2/mails', body)
    assert.equal(json.data.recordId, recordId)
    const answers = await t.ownerSql('select answers from mails where id = $1', [json.data.mailId])
    assert.deepEqual(answers, [{ answers: ['older@x.example', 'question@x.example'] }])
    body.answersInboundId = 'inm_01k9r7d3w2v8e6q4n5m1b0c9xz'
    assert.equal((await call('POST', '/v2/mails', body)).status, 400)
  })

  test('files and the source are downloaded as they came', async () => {
    const part =
      'Content-Type: text/html; name="a b.html"\r\nContent-Disposition: attachment; filename="a b.html"\r\n\r\n<script>alert(1)</script>'
    const head = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n'
    const raw = mailOf({ head, text: `--b\r\n\r\nHi.\r\n--b\r\n${part}\r\n--b--` })
    const [mail] = await handIn(raw)
    assert.deepEqual(mail.attachments, [
      { number: 1, fileName: 'a b.html', mediaType: 'text/html', sizeBytes: 26, isInline: false },
    ])
    const path = `/v2/mail/inbound/${mail.inboundId}`
    const file = await call('GET', `${path}/attachments/1`)
    assert.equal(file.text.trim(), '<script>alert(1)</script>')
    assert.match(String(file.headers['content-disposition']), /^attachment; filename="a_b\.html"/)
    assert.equal((await call('GET', `${path}/attachments/2`)).status, 404)
    assert.equal((await call('GET', `${path}/source`)).text, raw)
  })
})
