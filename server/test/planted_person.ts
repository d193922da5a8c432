// A person with a name, a number and an e-mail address that nobody else has, planted wherever the product keeps something of people; and a
// search for them in every column of every table and in every stored file.
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { makeExports } from '../src/modules/identity/organizations/export_jobs.ts'
import type { TestApp } from './harness.ts'
import { inboxOf, ours } from './inbox.ts'
import { sendFile } from './record_work.ts'
import { makeRecording } from './voice/recordings.ts'

export const planted = {
  name: 'Zephyrine Quillfeather',
  email: 'zephyrine@quillfeather.example',
  phone: '+14155550142',
}
/** What nobody else has, in small letters; the digits of the number as they stand in every spelling without blanks. */
const needles = ['quillfeather', 'zephyrine', '4155550142', '415 555 0142']

export async function plantPerson(t: TestApp) {
  const { data, receive, conversationWith } = inboxOf(t)
  const as = t.main.tokens.Admin
  const v1 = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await t.call(method, `/v1/api${path}`, { as, headers, ...(body && { body }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.json
  }
  const { name, email, phone } = planted
  const { company } = await v1('POST', '/companies', { name: 'Nimbus Ltd' })
  const made = await v1(
    'POST',
    '/leads',
    { name, email, phone, notes: `${name} called.` },
    { 'idempotency-key': 'planted' },
  )
  const lead = `lead:${made.lead.id}`
  await v1('PATCH', `/leads/${made.lead.id}`, { company: 'Quillfeather & Sons', source: 'fair' })
  const { contact } = await v1('POST', '/contacts', {
    name,
    emails: [{ value: email }],
    phones: [{ value: '+1 415 555 0142' }],
  })
  await v1('POST', '/notes', { record_id: lead, body: 'Wants to be called at noon.' })
  await v1('POST', '/notes', { record_id: company.id, body: `Ask ${name}, (415) 555-0142, about the invoice.` })
  await v1('POST', '/tasks', { record_id: contact.id, title: `Call ${name}` })
  await v1('POST', '/tasks', { title: `Write to ${email}` })
  await addFile(t, lead)
  await v1('POST', '/finance/invoices', { customer: { name, email }, lead_id: made.lead.id, amount: 100 })
  await receive(phone, `Hello, it is ${name}.`)
  const conversation = await conversationWith(phone)
  assert.ok(conversation, 'no conversation')
  await data('POST', '/v2/messages/sms', { from: ours, to: phone, body: 'Your table is ready.' })
  const recording = await makeRecording(t)
  await t.ownerSql('update calls set to_number = $1, caller_name = $2 where id = $3', [phone, name, recording.call_id])
  await data('POST', '/v2/mails', {
    to: [{ address: email, name }],
    subject: 'Offer',
    text: `Dear ${name}.`,
    recordId: lead,
  })
  const raw = `From: ${name} <${email}>\r\nTo: office@example.com\r\nSubject: Question\r\n\r\nYours, ${name}.\r\n`
  await t.call('POST', '/v2/mail/inbound', { as, headers: { 'content-type': 'message/rfc822' }, rawBody: raw })
  await sendFile(t, 'contacts', `Name,E-mail\r\n${name},${email}\r\nAda Lovelace,ada@example.com\r\n`)
  await t.call('GET', `/v1/api/leads?q=${encodeURIComponent(name)}`, { as })
  await t.call('GET', `/v2/messages?to=${encodeURIComponent(phone)}&limit=9999`, { as })
  await t.call('POST', '/v1/api/leads', { as: t.main.liveKey, body: { name, email, phone: 'none' } })
  await addDelivery(t, lead)
  await data('POST', '/v2/organization/exports')
  const queue = makeExports(t.app.services)
  await queue.work(await queue.claim('lse_1', 1), 'lse_1', () => false)
  await t.app.flush()
  return {
    lead,
    contact: contact.id as string,
    company: company.id as string,
    recording,
    conversationId: conversation.conversationId as string,
  }
}

async function addFile(t: TestApp, recordId: string): Promise<void> {
  const answer = await t.call('POST', `/v1/api/attachments?record_id=${recordId}&name=offer.txt`, {
    as: t.main.tokens.Admin,
    headers: { 'content-type': 'application/octet-stream' },
    rawBody: `An offer for ${planted.name}.`,
  })
  assert.equal(answer.status, 201, answer.text)
}

/** A delivery whose receiver replied with what it had been sent. */
async function addDelivery(t: TestApp, lead: string): Promise<void> {
  const [event] = await t.ownerSql<{ id: string }>(
    "select id from event_log where type = 'lead.created' and resource_id = $1",
    [lead.slice(5)],
  )
  await t.ownerSql(
    `insert into webhook_deliveries (tenant_id, last_at, attempts, tries, last_status, status, target, event_id, event_type, url, log)
     values ($1, now(), 1, 1, 200, 'delivered', 0, $2, 'lead.created', 'https://example.com/', $3)`,
    [t.main.liveTenantId, event!.id, JSON.stringify([{ reply: `Thank you, ${planted.name}` }])],
  )
}

/** What was on its way arrives: messages, mails and calls come to their end. */
export async function settlePerson(t: TestApp): Promise<void> {
  await t.ownerSql("update messages set status = 'delivered', final_at = now() where status in ('queued', 'sending')")
  await t.ownerSql("update mails set state = 'sent', sent_at = now() where state in ('queued', 'sending')")
  await t.ownerSql(
    `update calls set state = 'completed', answered_at = coalesce(answered_at, created_at), ended_at = clock_timestamp(), hangup_cause = 'normal',
       hangup_by = 'callee' where ended_at is null`,
  )
}

/** Tables of the database in which something of the person stands: every row of every table, as text, and bytes too. */
export async function tablesWithPerson(t: TestApp): Promise<string[]> {
  const tables = await t.ownerSql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'tandem_jobs') order by 1`,
  )
  const wanted = [...needles, ...needles.map(needle => Buffer.from(needle).toString('hex'))]
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await t.ownerSql(`select from ${name} x where lower(x::text) like any ($1) limit 1`, [
      wanted.map(needle => `%${needle}%`),
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Keys of stored files that hold something of the person, those that are compressed too. */
export async function filesWithPerson(t: TestApp): Promise<string[]> {
  const store = t.app.services.objects.current
  const found: string[] = []
  for await (const { key } of store.list()) {
    const parts: Uint8Array[] = []
    for await (const part of await store.read(key)) parts.push(part as Uint8Array)
    const bytes = Buffer.concat(parts)
    const text = (key.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').toLowerCase()
    if (needles.some(needle => text.includes(needle))) found.push(key)
  }
  return found
}
