// Lists of a contact that would grow beyond what a list holds: whatever would make them grow is refused with what to do, and nothing is
// left out of them without a word.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { inboxOf } from '../../../../test/inbox.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: object) =>
  t.call(method, `/v1/api/${path}`, { as: t.main.tokens.Admin, ...(body && { body }) })
const addresses = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ value: `${name}${at}@example.com` }))
async function contact(name: string, body: object): Promise<string> {
  const { status, json, text } = await call('POST', 'contacts', { name, ...body })
  assert.equal(status, 201, text)
  return json.contact.id
}
const emailsOf = async (id: string): Promise<string[]> =>
  (await call('GET', `contacts/${id}`)).json.contact.emails.map(({ value }: { value: string }) => value)

test('a merge keeps all entries, or says for which list it cannot, and takes one record for it when it is named', async () => {
  const [into, other] = [
    await contact('Stays', { emails: addresses('a', 15) }),
    await contact('Goes', { emails: [...addresses('a', 5), ...addresses('b', 6)] }),
  ]
  const merge = (take?: object) => call('POST', 'contacts/merge', { into, others: [other], ...(take && { take }) })
  const refused = await merge()
  assert.equal(refused.status, 400, refused.text)
  const [{ field, code, message }] = refused.json.details
  assert.deepEqual([field, code], ['take.emails', 'too_many'])
  assert.match(message, /21 entries.*at most 20.*take\.emails/)
  assert.equal((await emailsOf(other)).length, 11, 'nothing was merged')
  await call('PATCH', `contacts/${other}`, { emails: [...addresses('a', 5), ...addresses('b', 5)] })
  assert.equal((await merge()).status, 200)
  assert.deepEqual(
    await emailsOf(into),
    [...addresses('a', 15), ...addresses('b', 5)].map(({ value }) => value),
  )
  const more = await contact('More', { emails: addresses('c', 2) })
  const chosen = await call('POST', 'contacts/merge', { into, others: [more], take: { emails: more } })
  assert.equal(chosen.status, 200, chosen.text)
  assert.deepEqual(await emailsOf(into), ['c0@example.com', 'c1@example.com'])
})

test('a lead is converted into a contact whose list is full only where it brings nothing new', async () => {
  const full = await contact('Full', { emails: addresses('d', 20) })
  const lead = async (email: string): Promise<number> =>
    (await call('POST', 'leads', { name: 'Ada', email })).json.lead.id
  const convert = (id: number) => call('POST', `leads/${id}/convert`, { qualify: true, contact_id: full })
  const refused = await convert(await lead('new@example.com'))
  assert.deepEqual([refused.status, refused.json.details?.[0].code], [400, 'too_many'], refused.text)
  assert.match(refused.json.details[0].message, new RegExp(`remove some of contact ${full}`))
  const known = await convert(await lead('D3@example.com'))
  assert.equal(known.status, 200, known.text)
  assert.equal((await emailsOf(full)).length, 20)
})

test('somebody unknown becomes a contact whose list is full only where there is room', async () => {
  const inbox = inboxOf(t)
  await inbox.follow()
  const numbers = Array.from({ length: 20 }, (_, at) => ({ value: `+1202555${2_000 + at}` }))
  const recordId = await contact('Full of numbers', { phones: numbers })
  await inbox.receive('+12025553000', 'Hi')
  const { conversationId } = await inbox.conversationWith('+12025553000')
  const refused = await inbox.call('POST', `/v2/conversations/${conversationId}/attach`, { recordId })
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.json.error.details[0].message, /remove some of the phones/)
})
