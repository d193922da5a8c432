// What somebody reads of conversations who may not read all kinds of items; and notes of a stranger who gets a record.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { freshPhone, inboxOf } from '../../../test/inbox.ts'

let t: TestApp
let inbox: ReturnType<typeof inboxOf>
before(async () => {
  t = await startTestApp()
  inbox = inboxOf(t)
  await inbox.follow()
})
after(() => t?.close())

const admin = () => t.main.tokens.Admin
const reply = (id: string, as: string, body: object) => inbox.call('POST', `/v2/conversations/${id}/texts`, body, as)

test('notes of a stranger go to the record that gets their number by itself', async () => {
  const phone = freshPhone()
  await inbox.receive(phone, 'Hi')
  const { conversationId } = await inbox.conversationWith(phone)
  await inbox.data('POST', `/v2/conversations/${conversationId}/notes`, { body: 'Rang twice' })
  const recordId = await inbox.lead({ phone })
  const now = await inbox.conversationWith(phone)
  assert.equal(now.party.recordId, recordId)
  const { json } = await inbox.call('GET', `/v1/api/notes?record_id=${encodeURIComponent(recordId)}`)
  assert.deepEqual(
    json.notes.map(({ body, author_id }: { body: string; author_id: number }) => [body, author_id]),
    [['Rang twice', t.main.users.Admin.id]],
  )
})

test('who may not read mails or notes reads none of their words here, and can answer behind them', async () => {
  const phone = freshPhone()
  await inbox.receive(phone, 'For all')
  const { conversationId: id, lastActivity } = await inbox.conversationWith(phone)
  const seen = lastActivity.itemId
  const { secret } = await inbox.data('POST', '/v2/auth/api-keys', {
    name: 'texts alone',
    mode: 'live',
    scopes: ['conversations:read', 'conversations:write', 'messages:read', 'messages:send'],
  })
  const preview = async (as = secret) => (await inbox.conversationWith(phone, as)).lastActivity.preview
  assert.equal(await preview(), 'For all')
  await inbox.data('POST', `/v2/conversations/${id}/notes`, { body: 'Between us' })
  assert.deepEqual([await preview(), await preview(admin())], ['', 'Between us'])
  await inbox.lead({ phone, email: 'behind@example.net' })
  await inbox.conversationWith(phone)
  const mail = { text: 'Ours', subject: 'Confidential', lastSeenItemId: seen }
  const written = await inbox.data('POST', `/v2/conversations/${id}/mails`, mail)
  const refused = await reply(id, secret, { body: 'Hello', lastSeenItemId: seen })
  const { code, message, answered } = refused.json.error
  assert.deepEqual([code, answered.itemId, answered.preview], ['conversation_answered', written.itemId, ''])
  assert.doesNotMatch(message, /Confidential|Ours/)
  const sent = await reply(id, secret, { body: 'Hello', lastSeenItemId: answered.itemId })
  assert.equal(sent.status, 201, sent.text)
})

test('who was mentioned in one of two that become one, and read the other alone, has not read it', async () => {
  const phones = [freshPhone(), freshPhone()]
  const manager = t.main.users['Sales Manager'].id
  for (const phone of phones) await inbox.receive(phone, 'Hi')
  const [read, other] = await Promise.all(phones.map(phone => inbox.conversationWith(phone)))
  const note = { body: 'Look', mentions: [manager] }
  await inbox.data('POST', `/v2/conversations/${other.conversationId}/notes`, note)
  const as = t.main.tokens['Sales Manager']
  await inbox.data('PUT', `/v2/conversations/${read.conversationId}/read`, { unread: false }, as)
  await mergeLeads(phones)
  const one = await inbox.conversationWith(phones[1]!, as)
  assert.deepEqual([one.conversationId, one.unread], [read.conversationId, true])
})

/** Makes leads with these numbers, and one of them: their conversations become that with the first. */
async function mergeLeads([kept, other]: readonly string[]): Promise<void> {
  const [into, gone] = [await inbox.lead({ phone: kept }), await inbox.lead({ phone: other })]
  for (const phone of [kept, other]) await inbox.conversationWith(phone!)
  const merge = { into: Number(into.slice(5)), others: [Number(gone.slice(5))] }
  const merged = await inbox.call('POST', '/v1/api/leads/merge', merge)
  assert.equal(merged.status, 200, merged.text)
}

test('of two that become one, what waits in one that somebody never opened is not read; what does not wait is', async () => {
  const as = t.main.tokens['Sales Manager']
  const read = (id: string) => inbox.data('PUT', `/v2/conversations/${id}/read`, { unread: false }, as)
  for (const [opened, isOtherClosed] of [
    [[0], false],
    [[1], false],
    [[0, 1], false],
    [[0], true],
    [[1], true],
  ] as const) {
    const phones = [freshPhone(), freshPhone()]
    for (const phone of phones) await inbox.receive(phone, 'Hi')
    const ids: string[] = []
    for (const phone of phones) ids.push((await inbox.conversationWith(phone)).conversationId)
    for (const [at, id] of ids.entries()) {
      if (opened.includes(at as never)) await read(id)
      else if (isOtherClosed) await inbox.data('PATCH', `/v2/conversations/${id}`, { state: 'closed' })
    }
    await mergeLeads(phones)
    const { unread } = await inbox.conversationWith(phones[0]!, as)
    assert.equal(unread, opened.length === 1 && !isOtherClosed, `opened ${opened}, other closed: ${isOtherClosed}`)
  }
})
