// Files of notes: attachments of the lead or contact, shown with the note as long as they are there, to those who may read them.
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

async function attached(recordId: string, name: string): Promise<string> {
  const url = `/v1/api/attachments?${new URLSearchParams({ record_id: recordId, name })}`
  const headers = { 'content-type': 'application/octet-stream' }
  const { status, json, text } = await t.call('POST', url, { as: t.main.tokens.Admin, rawBody: 'An offer.', headers })
  assert.equal(status, 201, text)
  return json.attachment.id
}
const note = (id: string, body: object) => inbox.call('POST', `/v2/conversations/${id}/notes`, body)
const nameOf = ({ name }: { name: string }) => name

test('a note has files of the record, by name, until they are deleted', async () => {
  const phone = freshPhone()
  const recordId = await inbox.lead({ name: 'With Files', phone })
  await inbox.receive(phone, 'Hi')
  const { conversationId: id } = await inbox.conversationWith(phone)
  const [offer, plan] = [await attached(recordId, 'offer.txt'), await attached(recordId, 'plan.txt')]
  const written = await note(id, { body: 'Both are here.', attachments: [plan, offer] })
  assert.equal(written.status, 201, written.text)
  assert.deepEqual(written.json.data.attachments, [
    { attachmentId: plan, name: 'plan.txt', contentType: 'text/plain', sizeBytes: 9 },
    { attachmentId: offer, name: 'offer.txt', contentType: 'text/plain', sizeBytes: 9 },
  ])
  const [shown] = await inbox.items(id)
  assert.deepEqual(shown.attachments, written.json.data.attachments)
  await t.call('DELETE', `/v1/api/attachments/${plan}`, { as: t.main.tokens.Admin })
  assert.deepEqual((await inbox.items(id))[0].attachments.map(nameOf), ['offer.txt'])
  const key = await inbox.data('POST', '/v2/auth/api-keys', {
    name: 'reader',
    mode: 'live',
    scopes: ['conversations:read', 'notes:read', 'leads:read'],
  })
  const [unseen] = await inbox.items(id, key.secret)
  assert.deepEqual([unseen.body, unseen.attachments], ['Both are here.', []])
})

test('a note that is changed or deleted says in the inbox what it says now', async () => {
  const phone = freshPhone()
  await inbox.lead({ name: 'Reworded', phone })
  await inbox.receive(phone, 'Hi')
  const { conversationId: id } = await inbox.conversationWith(phone)
  const written = await note(id, { body: 'Owes us 900.' })
  const path = `/v1/api/notes/${written.json.data.itemId}`
  const preview = async () => (await inbox.conversationWith(phone)).lastActivity.preview
  assert.equal(await preview(), 'Owes us 900.')
  const as = t.main.tokens.Admin
  const changed = await t.call('PATCH', path, { as, body: { body: 'Owes us nothing.' } })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(await preview(), 'Owes us nothing.')
  await t.call('DELETE', path, { as })
  assert.equal(await preview(), '')
  await t.call('POST', `${path}/restore`, { as })
  assert.equal(await preview(), 'Owes us nothing.')
})

test('files of others, and on somebody unknown, are refused with what to do', async () => {
  const phone = freshPhone()
  await inbox.receive(phone, 'Hi')
  const { conversationId: id } = await inbox.conversationWith(phone)
  const other = await attached(await inbox.lead({ name: 'Another', phone: freshPhone() }), 'offer.txt')
  const early = await note(id, { body: 'x', attachments: [other] })
  assert.equal(early.status, 400, early.text)
  assert.match(early.json.error.details[0].message, /who the person is first/)
  await inbox.lead({ name: 'Known Now', phone })
  await inbox.conversationWith(phone)
  const foreign = await note(id, { body: 'x', attachments: [other] })
  const { field, message } = foreign.json.error.details[0]
  assert.deepEqual([foreign.status, field], [400, 'attachments[0]'])
  assert.match(message, /no attachment of lead:\d+/)
  assert.ok(!(await inbox.items(id)).some(({ kind }: { kind: string }) => kind === 'note'), 'nothing was written')
})
