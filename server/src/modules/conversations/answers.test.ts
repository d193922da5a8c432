// Answers out of the inbox: by text and mail, never over the head of somebody who answered meanwhile; notes, and whose a conversation is.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { freshPhone, inboxOf, ours } from '../../../test/inbox.ts'
import { followers } from './followers.ts'

let t: TestApp
let inbox: ReturnType<typeof inboxOf>
before(async () => {
  t = await startTestApp()
  inbox = inboxOf(t)
  await inbox.follow()
})
after(() => t?.close())

const admin = () => t.main.tokens.Admin
const manager = () => t.main.tokens['Sales Manager']
const reply = (id: string, body: object, as = admin()) => inbox.call('POST', `/v2/conversations/${id}/texts`, body, as)

async function begun(body = 'Hi', phone = freshPhone()) {
  await inbox.receive(phone, body)
  const conversation = await inbox.conversationWith(phone)
  return { phone, id: conversation.conversationId as string, seen: conversation.lastActivity.itemId as string }
}

const sentTo = async (phone: string) =>
  (
    await t.ownerSql<{ body: string }>(`select body from messages where to_address = $1 and direction = 'outbound'`, [
      phone,
    ])
  ).map(({ body }) => body)

let mails = 0
async function mailFrom(from: string, subject = 'Question', text = 'Hello.', dmarc?: string) {
  const checked = dmarc === undefined ? '' : `Authentication-Results: mx.example.com; ${dmarc}\r\n`
  const rawBody = `${checked}From: Ada <${from}>\r\nTo: office@example.com\r\nSubject: ${subject}\r\nDate: Sat, 21 Nov 2026 09:12:00 +0000\r\nMessage-ID: <in${++mails}@x.example>\r\n\r\n${text}\r\n`
  const answer = await t.call('POST', '/v2/mail/inbound?authservId=mx.example.com', {
    as: admin(),
    headers: { 'content-type': 'message/rfc822' },
    rawBody,
  })
  assert.equal(answer.status, 200, answer.text)
  await inbox.follow()
}

describe('answers by text', () => {
  test('from the number that they wrote to; the conversation is answered, and whose it is who answered', async () => {
    const { phone, id, seen } = await begun()
    const sent = await reply(id, { body: 'Hello', lastSeenItemId: seen }, manager())
    assert.equal(sent.status, 201, sent.text)
    const { from, to, status, author } = sent.json.data
    assert.deepEqual([from, to, status, author.userId], [ours, phone, 'queued', t.main.users['Sales Manager'].id])
    const now = await inbox.data('GET', `/v2/conversations/${id}`)
    assert.deepEqual([now.waitingSince, now.assignee.userId, now.state], [null, author.userId, 'open'])
    await inbox.follow()
    const items = await inbox.items(id)
    const text = items.find(({ itemId }: { itemId: string }) => itemId === sent.json.data.itemId)
    assert.equal(text.author.userId, author.userId, 'the thread says who')
    const [answered] = await t.ownerSql<{ count: string }>(
      `select count(*) from event_log where type = 'conversation.answered' and resource_id = $1`,
      [id],
    )
    assert.equal(Number(answered!.count), 1, 'following the same text says nothing twice')
  })

  test('somebody answered meanwhile: who and what is said, nothing is sent, and with the new item it is', async () => {
    const { phone, id, seen } = await begun()
    const first = await reply(id, { body: 'From me', lastSeenItemId: seen }, manager())
    const refused = await reply(id, { body: 'Mine', lastSeenItemId: seen })
    assert.deepEqual([refused.status, refused.json.error.code], [412, 'conversation_answered'])
    assert.equal(refused.json.error.answered.itemId, first.json.data.itemId)
    assert.equal(refused.json.error.answered.author.userId, t.main.users['Sales Manager'].id)
    assert.deepEqual(await sentTo(phone), ['From me'])
    const sent = await reply(id, { body: 'Mine', lastSeenItemId: first.json.data.itemId })
    assert.equal(sent.status, 201, sent.text)
    // From elsewhere, too.
    await inbox.call('POST', '/v2/messages/sms', { from: ours, to: phone, body: 'By the API' })
    const again = await reply(id, { body: 'Late', lastSeenItemId: sent.json.data.itemId })
    assert.equal(again.json.error?.code, 'conversation_answered', again.text)
    assert.equal(again.json.error.answered.preview, 'By the API')
  })

  test('of several at the same moment exactly one goes out', async () => {
    const { phone, id, seen } = await begun()
    const people = [admin(), manager(), t.main.tokens['Sales Executive'], t.main.liveKey]
    const answers = await Promise.all(
      people.map((as, n) => reply(id, { body: `Answer ${n}`, lastSeenItemId: seen }, as)),
    )
    const statuses = answers.map(({ status }) => status)
    // Who sees own and free ones only, and asks when it is taken already, does not see it any more.
    if (statuses[2] === 404) statuses[2] = 412
    assert.deepEqual(statuses.sort(), [201, 412, 412, 412])
    assert.equal((await sentTo(phone)).length, 1)
  })

  test('what comes in between is in nobody’s way, and a repeat with its key sends nothing again', async () => {
    const { phone, id, seen } = await begun()
    await inbox.receive(phone, 'One more thing')
    const body = { body: 'Both', lastSeenItemId: seen }
    const headers = { 'idempotency-key': 'inbox-1' }
    const path = `/v2/conversations/${id}/texts`
    const [sent, repeated] = [
      await inbox.call('POST', path, body, admin(), headers),
      await inbox.call('POST', path, body, admin(), headers),
    ]
    assert.deepEqual([sent.status, repeated.status], [201, 201], repeated.text)
    assert.equal(sent.text, repeated.text)
    assert.deepEqual(await sentTo(phone), ['Both'])
  })

  test('rules of sending hold: who opted out gets nothing', async () => {
    const { phone, id, seen } = await begun()
    await inbox.data('POST', '/v2/messages/opt-outs', { scope: ours, recipient: phone })
    const refused = await reply(id, { body: 'Hello', lastSeenItemId: seen })
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'recipient_opted_out'])
    assert.deepEqual(await sentTo(phone), [])
    assert.ok((await inbox.data('GET', `/v2/conversations/${id}`)).waitingSince, 'it waits on')
  })
})

describe('answers by mail', () => {
  test('to a stranger, as an answer to their mail; both stand in the thread', async () => {
    const from = 'stranger@example.net'
    await mailFrom(from, 'Opening hours')
    const one = await inbox.conversationWith(from)
    assert.deepEqual(
      [one.party.kind, one.lastActivity.kind, one.lastActivity.preview],
      ['unknown', 'mail', 'Opening hours'],
    )
    const path = `/v2/conversations/${one.conversationId}`
    assert.equal((await inbox.data('GET', path)).reply.mail.subject, 'Re: Opening hours')
    const asked = { text: 'From nine to five.', lastSeenItemId: one.lastActivity.itemId }
    const sent = await inbox.call('POST', `${path}/mails`, asked)
    assert.equal(sent.status, 201, sent.text)
    assert.deepEqual([sent.json.data.to, sent.json.data.subject], [from, 'Re: Opening hours'])
    await inbox.follow()
    const items = (await inbox.items(one.conversationId)).filter(({ kind }: { kind: string }) => kind === 'mail')
    assert.deepEqual(
      items.map(({ direction, body }: { direction: string; body: string }) => [direction, body.trim()]),
      [
        ['outbound', 'From nine to five.'],
        ['inbound', 'Hello.'],
      ],
    )
    const [mail] = await t.ownerSql<{ answers: string[] }>(`select answers from mails where id = $1`, [
      sent.json.data.itemId,
    ])
    assert.deepEqual(mail!.answers, [`in${mails}@x.example`])
    const refused = await inbox.call('POST', `${path}/mails`, asked, manager())
    assert.equal(refused.json.error?.code, 'conversation_answered', refused.text)
  })

  test('files go with it, as they are', async () => {
    const from = 'files@example.net'
    await mailFrom(from, 'Your offer')
    const { conversationId, lastActivity } = await inbox.conversationWith(from)
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 255])
    const file = { fileName: 'Angebot für Sie.pdf', mediaType: 'application/pdf', content: bytes.toString('base64') }
    const { itemId } = await inbox.data('POST', `/v2/conversations/${conversationId}/mails`, {
      text: 'Here it is.',
      lastSeenItemId: lastActivity.itemId,
      attachments: [file],
    })
    const [shown] = (await inbox.data('GET', `/v2/mails/${itemId}`)).attachments
    assert.deepEqual([shown.fileName, shown.mediaType], [file.fileName, file.mediaType])
    const kept = await t.ownerSql<{ content: Buffer }>('select content from mail_attachments where mail_id = $1', [
      itemId,
    ])
    assert.deepEqual(kept[0]?.content, bytes)
  })

  test('one person writes by text and by mail into one thread', async () => {
    const phone = freshPhone()
    const recordId = await inbox.lead({ phone, email: 'both@example.net' })
    await inbox.receive(phone, 'By text')
    await mailFrom('both@example.net', 'By mail')
    const one = await inbox.conversationWith(phone)
    assert.equal(one.party.recordId, recordId)
    assert.deepEqual(one.addresses.map(({ channel }: { channel: string }) => channel).sort(), ['mail', 'phone'])
    const kinds = (await inbox.items(one.conversationId)).map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds, ['mail', 'text'])
  })
})

describe('mails whose sender failed DMARC', () => {
  test('say so in list and thread, and are answered only where there is no other', async () => {
    const from = 'forged@example.net'
    await inbox.lead({ email: from })
    await mailFrom(from, 'The new bank account', 'Pay here.', 'dmarc=fail')
    const one = await inbox.conversationWith(from)
    const path = `/v2/conversations/${one.conversationId}`
    assert.deepEqual([one.party.kind, one.lastActivity.sender], ['lead', 'unverified'])
    assert.equal((await inbox.data('GET', path)).reply.mail.subject, 'Re: The new bank account')
    await mailFrom(from, 'My order', 'Hello.', 'dmarc=pass')
    assert.equal((await inbox.conversationWith(from)).lastActivity.sender, 'verified')
    await mailFrom(from, 'Pay at once', 'Please.', 'dmarc=fail')
    assert.equal((await inbox.data('GET', path)).reply.mail.subject, 'Re: My order')
    const senders = (await inbox.items(one.conversationId)).map(({ status }: { status: string }) => status)
    assert.deepEqual(senders, ['unverified', 'verified', 'unverified'])
    await inbox.data('POST', `${path}/notes`, { body: 'Not theirs' })
    assert.equal((await inbox.conversationWith(from)).lastActivity.sender, null)
  })
})

describe('mails that people sort', () => {
  test('one that is put on a record takes the stranger along; one that is set aside closes theirs', async () => {
    const from = 'sorted@example.net'
    await mailFrom(from)
    const stranger = await inbox.conversationWith(from)
    const recordId = await inbox.lead({ phone: freshPhone() })
    await inbox.data('POST', `/v2/mail/inbound/${stranger.lastActivity.itemId}/assign`, { recordId })
    const known = await inbox.conversationWith(from)
    assert.deepEqual([known.conversationId, known.party.recordId], [stranger.conversationId, recordId])
    assert.equal(
      (await inbox.items(known.conversationId)).filter(({ kind }: { kind: string }) => kind === 'mail').length,
      1,
    )
    await mailFrom('advertising@example.net')
    const unwanted = await inbox.conversationWith('advertising@example.net')
    await inbox.data('POST', `/v2/mail/inbound/${unwanted.lastActivity.itemId}/ignore`)
    const closed = await inbox.conversationWith('advertising@example.net')
    assert.deepEqual([closed.state, closed.waitingSince], ['closed', null])
  })
})

describe('who it is with', () => {
  test('a stranger becomes a new lead, with the notes; on a known one it joins the conversation there', async () => {
    const { phone, id } = await begun('Do you deliver?')
    await inbox.data('POST', `/v2/conversations/${id}/notes`, { body: 'Sounds keen' })
    const made = await inbox.data('POST', `/v2/conversations/${id}/attach`, { lead: { name: 'Katherine Johnson' } })
    assert.deepEqual([made.conversationId, made.party.kind, made.party.name], [id, 'lead', 'Katherine Johnson'])
    const leadId = made.party.recordId.slice(5)
    const { json } = await inbox.call('GET', `/v1/api/leads/${leadId}`)
    assert.equal(json.lead.phone, phone)
    const timeline = await inbox.call('GET', `/v1/api/leads/${leadId}/timeline`)
    assert.ok(timeline.json.entries.some(({ body }: { body: string }) => body === 'Sounds keen'))
    const other = await begun('It is me again')
    const joined = await inbox.data('POST', `/v2/conversations/${other.id}/attach`, { recordId: made.party.recordId })
    assert.equal(joined.conversationId, id)
    assert.equal(
      (await inbox.data('GET', `/v2/conversations/${other.id}`)).conversationId,
      id,
      'the old id leads there',
    )
    assert.equal((await inbox.conversationWith(other.phone)).conversationId, id)
    const texts = (await inbox.items(id)).filter(({ kind }: { kind: string }) => kind === 'text' || kind === 'note')
    assert.deepEqual(texts.map(({ body }: { body: string }) => body).sort(), [
      'Do you deliver?',
      'It is me again',
      'Sounds keen',
    ])
    const foreign = await inbox.lead({ phone: freshPhone(), owner_id: t.main.users.Admin.id })
    const third = await begun('Hello?')
    const refused = await inbox.call(
      'POST',
      `/v2/conversations/${third.id}/attach`,
      { recordId: foreign },
      t.main.tokens['Sales Executive'],
    )
    assert.equal(refused.json.error?.code, 'record_not_found', refused.text)
  })

  test('leads that become one have one conversation, which waits since the earlier', async () => {
    const [a, b] = [await begun('First'), await begun('Second')]
    const into = await inbox.lead({ phone: a.phone })
    const gone = await inbox.lead({ phone: b.phone })
    const before = await inbox.conversationWith(a.phone)
    assert.equal(before.party.recordId, into)
    await inbox.conversationWith(b.phone)
    const merge = { into: Number(into.slice(5)), others: [Number(gone.slice(5))] }
    const merged = await inbox.call('POST', '/v1/api/leads/merge', merge)
    assert.equal(merged.status, 200, merged.text)
    const [one, same] = [await inbox.conversationWith(a.phone), await inbox.conversationWith(b.phone)]
    assert.equal(one.conversationId, same.conversationId)
    assert.equal(one.waitingSince, before.waitingSince)
    await inbox.receive(b.phone, 'Third')
    assert.equal((await inbox.conversationWith(b.phone)).conversationId, one.conversationId)
  })
})

describe('whose it becomes', () => {
  test('a lead that is converted takes it along to the contact', async () => {
    const { phone, id } = await begun()
    const recordId = await inbox.lead({ phone, email: 'converted@example.net' })
    await mailFrom('converted@example.net', 'My order')
    await inbox.conversationWith(phone)
    await inbox.data('POST', `/v2/conversations/${id}/notes`, { body: 'Knows what they want' })
    const converted = await inbox.call('POST', `/v1/api/leads/${recordId.slice(5)}/convert`, { qualify: true })
    assert.ok(converted.status < 300, converted.text)
    const now = await inbox.conversationWith(phone)
    assert.deepEqual(
      [now.conversationId, now.party.kind, now.party.recordId],
      [id, 'contact', converted.json.contact.id],
    )
    const kinds = (await inbox.items(id)).map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds.filter((kind: string) => kind !== 'event').sort(), ['mail', 'note', 'text'])
    const { reply } = await inbox.data('GET', `/v2/conversations/${id}`)
    assert.deepEqual([reply.mail.subject, reply.mail.answersInboundId === null], ['Re: My order', false])
  })

  test('a record that is removed for good leaves its conversation to the address', async () => {
    const phone = freshPhone()
    const recordId = await inbox.lead({ name: 'Gone Soon', phone })
    await inbox.receive(phone, 'Hi')
    assert.equal((await inbox.conversationWith(phone)).party.recordId, recordId)
    const tenant = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
    const { empty } = followers[0]!
    assert.equal(await t.app.services.db.inTenant(tenant, tx => empty!(tx, tenant, [recordId], 10, t.clock.now())), 1)
    const left = await inbox.conversationWith(phone)
    assert.deepEqual([left.party.kind, left.party.name], ['unknown', phone])
    assert.deepEqual(await inbox.data('GET', '/v2/conversations?view=all&q=gone%20soon'), [])
  })

  test('who may not send is offered no answer, and refused one', async () => {
    const { id, seen } = await begun()
    const key = await inbox.data('POST', '/v2/auth/api-keys', {
      name: 'reader',
      mode: 'live',
      scopes: ['conversations:read', 'conversations:write', 'messages:read'],
    })
    const shown = await inbox.data('GET', `/v2/conversations/${id}`, undefined, key.secret)
    assert.equal(shown.reply.text, null)
    assert.deepEqual(
      shown.leftOut.map(({ kind }: { kind: string }) => kind),
      ['call', 'recording', 'mail', 'note'],
    )
    const refused = await reply(id, { body: 'Hello', lastSeenItemId: seen }, key.secret)
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'insufficient_role'])
  })
})

describe('calls', () => {
  async function call(direction: 'inbound' | 'outbound', phone: string, more: Record<string, unknown> = {}) {
    const id = `call_${(await begun('x')).id.slice(4)}`
    const [from, to] = direction === 'inbound' ? [phone, ours] : [ours, phone]
    const row = { state: 'no_answer', answered_at: null, bridged_to: null, ...more }
    await t.ownerSql(
      `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state, answered_at, bridged_to,
         ended_at, hangup_cause, hangup_by, changed_at)
       values ($1, $2, $3, $4, $5, 30, 3600, $6, $7, $8, now(), 'normal', 'caller', now())`,
      [t.main.liveTenantId, id, direction, from, to, row.state, row.answered_at, row.bridged_to],
    )
    if (more['recorded'] === true)
      await t.ownerSql(
        `insert into recordings (tenant_id, id, call_id, state, channels, owner, folder, local_path, started_at, ended_at, changed_at)
         select tenant_id, 'rec_' || right(id, 26), id, 'processing', 'mono', 'x', 'x', 'x', now(), now(), now() from calls where id = $1`,
        [id],
      )
    await t.ownerSql(
      `insert into events (tenant_id, id, type, resource_id, sequence, data)
       select tenant_id, 'evt_' || right(id, 26), 'call.' || state, id, 2, json_build_object('callId', id, 'direction', direction, 'from',
         from_number, 'to', to_number, 'state', state, 'bridgedTo', bridged_to, 'answeredAt', answered_at, 'createdAt', created_at)
       from calls where id = $1`,
      [id],
    )
    await inbox.follow()
    return id
  }

  test('a missed call waits, a talk ends that, and who was not reached changes nothing', async () => {
    const phone = freshPhone()
    await call('inbound', phone)
    const missed = await inbox.conversationWith(phone)
    assert.deepEqual([missed.lastActivity.preview, missed.lastActivity.kind], ['Missed call', 'call'])
    assert.ok(missed.waitingSince)
    const [item] = await inbox.items(missed.conversationId)
    assert.deepEqual([item.kind, item.missed], ['call', true])
    await call('outbound', phone)
    assert.ok((await inbox.conversationWith(phone)).waitingSince)
    await call('outbound', phone, { state: 'completed', answered_at: new Date(t.clock.now()).toISOString() })
    assert.equal((await inbox.conversationWith(phone)).waitingSince, null)
  })

  test('a call that nobody took and that was recorded is a voicemail', async () => {
    const phone = freshPhone()
    await call('inbound', phone, {
      state: 'completed',
      answered_at: new Date(t.clock.now()).toISOString(),
      recorded: true,
    })
    const one = await inbox.conversationWith(phone)
    assert.deepEqual([one.lastActivity.kind, one.lastActivity.preview], ['voicemail', 'Voicemail'])
    assert.ok(one.waitingSince)
    const [item] = await inbox.items(one.conversationId)
    assert.deepEqual([item.kind, item.missed, item.recordings.length], ['voicemail', true, 1])
  })

  test('a call that somebody took waits for nobody', async () => {
    const phone = freshPhone()
    await inbox.receive(phone, 'Call me')
    await call('inbound', phone, {
      state: 'completed',
      answered_at: new Date(t.clock.now()).toISOString(),
      bridged_to: 'call_01k9r7d3w2v8e6q4n5m1b0c9xz',
    })
    assert.equal((await inbox.conversationWith(phone)).waitingSince, null)
  })
})
